/** `spoor baseline approve | reject | rollback`: a person's decision, recorded with who and why. */
import { SpoorError } from "@spoor/core/errors";
import {
  acceptVariant,
  addIntent,
  addRun,
  type Baseline,
  createIntent,
  type Decision,
  type HistoryEntry,
  rejectHash,
} from "@spoor/core/fingerprint/baseline";
import type { RunFacts } from "@spoor/core/fingerprint/run-facts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Io, styleOf } from "../io.ts";
import { usageError } from "../option.ts";
import { compareWithStore } from "./compare.ts";
import { refuseToWriteInCi } from "./load-runs.ts";
import { type BaselineArgs, decisionOf, storeOf } from "./settings.ts";

export async function approve(args: BaselineArgs, io: Io): Promise<ExitCode> {
  refuseToWriteInCi(io);
  const { hash, traces } = hashAndTraces(args, "approve");
  const decision = decisionOf(args, io);
  if (args.own && args.of !== undefined) throw usageError("--own and --of exclude each other.");
  const target = traces.length === 0 ? await withoutTraces(args) : await withTraces(args, io, hash, traces);
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

export async function reject(args: BaselineArgs, io: Io): Promise<ExitCode> {
  refuseToWriteInCi(io);
  const { hash, traces } = hashAndTraces(args, "reject");
  const decision = decisionOf(args, io);
  const { agent } = traces.length === 0 ? await withoutTraces(args) : await withTraces(args, io, hash, traces);
  await storeOf(args).update(agent, (current) => {
    const baseline = requireBaseline(current, agent);
    rememberRejection(baseline, hash, decision);
    return baseline;
  });
  say(io, args, `Rejected and remembered for ${hash}. Nothing else was written.`);
  return exitCode.ok;
}

export async function rollback(args: BaselineArgs, io: Io): Promise<ExitCode> {
  refuseToWriteInCi(io);
  const agent = args.paths[0] ?? args.agent ?? (await onlyAgent(args));
  const restored = await storeOf(args).rollback(agent, args.to, decisionOf(args, io));
  say(
    io,
    args,
    `${agent} is back: ${restored.history.at(-1)!.change}, now generation ${restored.generation}. The displaced one is kept.`,
  );
  return exitCode.ok;
}

/** Accepts a hash as a variant and lets the runs that showed it count. Returns what changed, in words. */
export function acceptAsVariant(
  baseline: Baseline,
  intentHash: string,
  hash: string,
  runs: readonly RunFacts[],
  decision: Decision,
): string {
  acceptVariant(baseline, intentHash, hash, decision);
  for (const run of runs) addRun(baseline, run);
  const name = baseline.intents.get(intentHash)?.name ?? intentHash;
  return remember(baseline, "accept", `${hash} as a variant of ${name}`, decision);
}

/** Accepts a path as a new behaviour. A person's word also admits runs that the recorder called failed. */
export function acceptAsOwn(baseline: Baseline, runs: readonly RunFacts[], decision: Decision): string {
  const [first] = runs;
  if (first === undefined) throw new Error("a behaviour of its own needs a run that shows it");
  if (!baseline.owners.has(first.fingerprint.hash)) addIntent(baseline, createIntent(first));
  for (const run of runs) addRun(baseline, { ...run, success: true });
  baseline.rejected.delete(first.fingerprint.hash);
  return remember(baseline, "accept", `${first.fingerprint.hash} as a behaviour of its own`, decision);
}

export function rememberRejection(baseline: Baseline, hash: string, decision: Decision): void {
  rejectHash(baseline, hash, decision);
  remember(baseline, "reject", hash, decision);
}

function remember(baseline: Baseline, action: HistoryEntry["action"], change: string, decision: Decision): string {
  baseline.updatedAt = decision.at;
  baseline.history.push({ ...decision, generation: baseline.generation + 1, action, change });
  return change;
}

interface Target {
  readonly agent: string;
  readonly runs: readonly RunFacts[];
  readonly closest: string | undefined;
}

async function withTraces(args: BaselineArgs, io: Io, hash: string, traces: readonly string[]): Promise<Target> {
  const { comparisons, loaded } = await compareWithStore({ ...args, paths: traces }, io);
  const runs = loaded.runs.filter((run) => run.fingerprint.hash === hash);
  const [first] = runs;
  if (first === undefined) {
    throw new SpoorError("baseline.hash-not-found", `No run in ${traces.join(" ")} has the fingerprint ${hash}.`, {
      consequence: "Nothing was written.",
      hint: `List them: spoor fingerprint ${traces.join(" ")}`,
    });
  }
  const compared = comparisons.flatMap((one) => one.runs).find((run) => run.hash === hash);
  return {
    agent: first.agent,
    runs: runs.filter((run) => run.agent === first.agent),
    closest: compared?.closest?.hash,
  };
}

async function withoutTraces(args: BaselineArgs): Promise<Target> {
  return { agent: args.agent ?? (await onlyAgent(args)), runs: [], closest: undefined };
}

async function onlyAgent(args: BaselineArgs): Promise<string> {
  const agents = await storeOf(args).agents();
  if (agents.length === 1) return agents[0]!;
  throw usageError(
    agents.length === 0 ? "There is no baseline." : `There are ${agents.length} baselines: ${agents.join(", ")}.`,
    agents.length === 0 ? "Make one first: spoor baseline build TRACES" : "Say which one: --agent NAME",
  );
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

function hashAndTraces(args: BaselineArgs, action: string): { hash: string; traces: readonly string[] } {
  const [hash, ...traces] = args.paths;
  if (hash !== undefined && /^[0-9a-f]{16}$/.test(hash)) return { hash, traces };
  throw usageError(
    `spoor baseline ${action} needs a fingerprint of 16 hex digits${hash === undefined ? "" : `, found "${hash}"`}.`,
    "spoor baseline compare prints them in --format json.",
  );
}

function requireBaseline(baseline: Baseline | undefined, agent: string): Baseline {
  if (baseline !== undefined) return baseline;
  throw new SpoorError("baseline.missing", `${agent} has no baseline.`, {
    consequence: "Nothing was written.",
    hint: "Make one first: spoor baseline build TRACES",
  });
}

function say(io: Io, args: BaselineArgs, text: string): void {
  const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined });
  io.out(`${style.paint.good(style.symbols.passed)} ${text}\n`);
}
