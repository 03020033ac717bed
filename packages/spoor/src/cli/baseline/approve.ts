/** `spoor baseline approve`: a person accepts one path, with who and why. */
import type { Baseline } from "@spoor/core/internal/fingerprint/baseline";
import { acceptAsOwn, acceptAsVariant } from "@spoor/core/internal/fingerprint/record-decision";
import { type ArgsOf, defineCommand } from "../command.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";
import { decisionTarget, requireBaseline, requireHash, say } from "./decide.ts";
import { refuseToWriteInCi } from "./load-runs.ts";
import { decisionOf, decisionOptions, type RunArgs, runOptions, storeOf, withProject } from "./settings.ts";

const approveOptions = {
  ...runOptions,
  of: option.text("the behaviour it is a variant of (hash or name)", "BEHAVIOUR"),
  own: option.flag("a behaviour of its own, not a variant"),
  ...decisionOptions,
} as const;
type ApproveArgs = ArgsOf<readonly ["hash", "[traces...]"], typeof approveOptions> & RunArgs;

export const approveCommand = defineCommand({
  positionals: ["hash", "[traces...]"],
  options: approveOptions,
  examples: [
    {
      run: 'spoor baseline approve 1294370c8cae45db candidate/ --why "new flow"',
      does: "Accept one path without a terminal.",
    },
  ],
  run: async (args, io) => approve(await withProject(args, io), io),
});

async function approve(args: ApproveArgs, io: Io): Promise<ExitCode> {
  refuseToWriteInCi(io);
  const { hash, traces } = args;
  requireHash(hash, "approve");
  const decision = decisionOf(args, io);
  if (args.own && args.of !== undefined) throw usageError("--own and --of exclude each other.");
  const target = await decisionTarget(args, io, hash, traces);
  if (target.runs.length === 0 && args.own) {
    throw usageError(
      "--own needs the TRACES that show the behaviour.",
      `spoor baseline approve ${hash} TRACES --own --why …`,
    );
  }
  const store = storeOf(args);
  let change = "";
  await store.update(target.agent, (current) => {
    const baseline = requireBaseline(current, target.agent);
    const of = args.own ? undefined : intentNamed(baseline, args.of ?? target.closest);
    change =
      of === undefined
        ? acceptAsOwn(baseline, target.runs, decision)
        : acceptAsVariant(baseline, of, hash, target.runs, decision);
    return baseline;
  });
  say(io, args, `Accepted: ${change}. Written to ${store.fileOf(target.agent)}.`);
  return exitCode.ok;
}

function intentNamed(baseline: Baseline, wanted: string | undefined): string {
  if (wanted === undefined)
    throw usageError("--of is missing: of which behaviour is it a variant?", "List them: spoor baseline show");
  const found = [...baseline.intents.values()].find((intent) => intent.hash === wanted || intent.name === wanted);
  if (found !== undefined) return found.hash;
  const prefixed = [...baseline.intents.keys()].filter((hash) => wanted.length >= 4 && hash.startsWith(wanted));
  if (prefixed.length === 1) return prefixed[0]!;
  throw usageError(`${baseline.agent} has no behaviour "${wanted}".`, "List them: spoor baseline show");
}
