import type { Trace } from "@spoor/core";
import type { TraceMatching } from "@spoor/core/internal/diff/diff-report";
import { type GateSource, gateSources } from "@spoor/core/internal/diff/gate-diff";
import { levels } from "@spoor/core/internal/diff/layers/layers";
import { pairTraces } from "@spoor/core/internal/diff/pair-traces";
import { type Pairing, pairings } from "@spoor/core/internal/diff/pair-turns";
import { SpoorError } from "@spoor/core/internal/errors";
import type { Policy } from "@spoor/core/internal/policy/policy";
import { listPrices } from "@spoor/core/internal/pricing/prices";
import type { ReportInput } from "@spoor/core/internal/report/report";
import { resolveConfigPath } from "../../config/config-paths.ts";
import { diffSides } from "../../gate/diff-sides.ts";
import { pageTimelines } from "../../gate/page-timelines.ts";
import { loadPricing } from "../../load/load-pricing.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { findSide, separateSides, withTakenOut } from "../../load/separate-sides.ts";
import { toolInfo } from "../../tool-info.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import type { Io } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";
import { findProject, sidesOf } from "../project.ts";
import { diffKind } from "../reports/diff-kind.ts";

export const diffCommand = defineCommand({
  description:
    "Reads traces in any format. Folders and globs are paired by task, then by file name. Nine averages with intervals, " +
    "a count of every turn that does something else, tools never seen before, and the first divergence side by side. " +
    "Where there are enough runs, it leads with what all of them say together: changed, or noise (as spoor cohort). " +
    "Without --fail-on the exit code is 0 whatever changed; without a turn to compare it is 2. " +
    "In a project with a configuration both sides, or the baseline alone, may be left out: they come from there.",
  positionals: ["[baseline]", "[candidate]"],
  options: {
    failOn: option.choice(
      ["none", "never", "minor", "moderate", "severe"],
      "none",
      "exit 1 when something reaches this severity",
    ),
    gateOn: option.text(`what may trip the gate, comma-separated: ${gateSources.join(", ")} (default all)`, "LIST"),
    policy: option.path("also check both sides against this policy file; new violations gate"),
    pairing: option.choice(pairings, undefined, "pair turns along the alignment (default), or by position"),
    level: option.choice(levels, "trace", "also show sessions, turns, parts of turns or tokens"),
    judge: option.text(
      "a model that scores each answer against the baseline's: openai:MODEL or anthropic:MODEL",
      "PROVIDER:MODEL",
    ),
    judgeUrl: option.text("address of the judge, for servers that speak the same interface", "URL"),
    pricing: option.path("prices in US dollars per token (JSON); overrides the built-in list"),
    noun: option.text("what one trace is called in sentences: ticket, task (default trace)", "WORD"),
  },
  examples: [
    {
      run: "spoor diff baseline.agentlog candidate.agentlog",
      does: "What changed between two runs, and where it began.",
    },
    {
      run: "spoor diff runs/main runs/branch --policy refunds.yaml --fail-on severe",
      does: "Two folders, and exit 1 on a severe change.",
    },
    { run: "spoor diff main.json branch.json --level token --format markdown", does: "With token sums, as Markdown." },
  ],
  async run(args, io) {
    const gateOn = parseGateOn(args.gateOn);
    const given = [args.baseline, args.candidate].filter((path) => path !== undefined);
    const { baseline: known, candidate: judged } = await sidesOf(given, "diff", args, io);
    const fromProject = args.config !== undefined || given.length < 2 ? await projectSettings(args, io) : undefined;
    const noun = args.noun ?? fromProject?.noun;
    const pricing = args.pricing ?? fromProject?.pricing;
    const prices = pricing === undefined ? listPrices : loadPricing(pricing, io.cwd);
    const policy = args.policy === undefined ? fromProject?.policy : await policyOf(args.policy, io);
    const pairing = args.pairing ?? fromProject?.pairing ?? "aligned";
    const judge = args.judge === undefined ? undefined : await judgeOf(args.judge, args.judgeUrl, io);
    const sides = separateSides([findSide(known), findSide(judged)]);
    const baseline = await loadTraces(sides.files[0]!, loadOptions(args, io));
    const candidate = await loadTraces(sides.files[1]!, loadOptions(args, io));

    if (args.strict) refuseUnmatched(pairTraces(baseline, candidate).matching);
    const compared = await diffSides(baseline, candidate, {
      tool: toolInfo,
      inputs: [
        ...inputsOf("baseline", known, baseline),
        ...inputsOf("candidate", judged, candidate),
        ...(args.policy === undefined ? (fromProject?.policyFiles ?? []) : [args.policy]).map((path) => ({
          role: "policy" as const,
          path,
        })),
        ...(pricing === undefined ? [] : [{ role: "pricing" as const, path: pricing }]),
      ],
      failOn: args.failOn === "never" ? "none" : args.failOn,
      gateOn,
      pairing,
      level: args.level,
      ...(writesPage(args) ? pageTimelines(candidate.length) : {}),
      ...(args.seed === undefined ? {} : { seed: args.seed }),
      prices,
      ...(noun === undefined ? {} : { noun }),
      ...(judge === undefined ? {} : { judged: await judge(baseline, candidate, pairing) }),
      ...(policy === undefined ? {} : { policy }),
    });
    const report = { ...compared, coverage: withTakenOut(compared.coverage, sides.takenOut) };
    const exitCode = diffKind.exitCode(report);
    await emitReport(report, diffKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
    return exitCode;
  },
});

/** A page shows every trace; a terminal the worst ones. */
function writesPage({ format, output }: CommonValues): boolean {
  return format === "html" || output.some((file) => /\.html?$/i.test(file));
}

/** What the configuration says about a comparison; what trips its gate is left to `spoor gate`. */
async function projectSettings(args: CommonValues, io: Io) {
  const loaded = (await findProject(args, io))!;
  const { loadConfiguredPolicy, policyPaths } = await import("../../config/configured-policy.ts");
  const { noun, diff } = loaded.config;
  const policy = loadConfiguredPolicy(loaded, io.cwd);
  return {
    noun,
    policyFiles: policyPaths(loaded, io.cwd),
    ...(diff === undefined ? {} : { pairing: diff.pairing }),
    ...(diff?.pricing === undefined ? {} : { pricing: resolveConfigPath(loaded, diff.pricing, io.cwd) }),
    ...(policy === undefined ? {} : { policy: await hookOf(policy, io) }),
  };
}

/** Imported only when a policy is named: every kind of rule takes longer to load than a small diff. */
async function policyOf(file: string, io: Io) {
  const { loadPolicy } = await import("../../load/load-policy.ts");
  return hookOf(loadPolicy(file, { cwd: io.cwd }), io);
}

async function hookOf(policy: Policy, io: Io) {
  const { createPolicyHook } = await import("@spoor/core/internal/diff/policy-hook");
  return createPolicyHook(policy, { today: io.now().toISOString().slice(0, 10) });
}

/** Imported only when a judge is named. */
async function judgeOf(model: string, url: string | undefined, io: Io) {
  const { parseJudgeOption } = await import("../../evals/evaluators/judge-options.ts");
  const { createHttpJudge } = await import("../../evals/evaluators/http-judge.ts");
  const { judgeTurns } = await import("../../evals/judge-turns.ts");
  const { pairsToJudge } = await import("@spoor/core/internal/diff/pairs-to-judge");
  const { judgeInEnvironment } = await import("../../evals/redact.ts");
  const judge = judgeInEnvironment(createHttpJudge(parseJudgeOption(model, url, io.env)), io.env);
  return (baseline: readonly Trace[], candidate: readonly Trace[], pairing: Pairing) =>
    judgeTurns(judge, pairsToJudge(baseline, candidate, pairing));
}

/** Under --strict a trace without a partner is an error: what is missing on one side may be what broke. */
function refuseUnmatched({ onlyBaseline, onlyCandidate }: TraceMatching): void {
  const alone = [...onlyBaseline, ...onlyCandidate].map(({ name }) => name);
  if (alone.length === 0) return;
  throw new SpoorError(
    "diff.unmatched",
    `${alone.length} traces have no partner on the other side: ${alone.slice(0, 5).join(", ")}.`,
    {
      consequence: "Nothing was compared, because --strict asks for every trace.",
      hint: "Leave --strict out to compare the others and list these.",
    },
  );
}

function parseGateOn(text: string | undefined): readonly GateSource[] {
  if (text === undefined) return gateSources;
  return text.split(",").map((word) => {
    const found = gateSources.find((source) => source === word.trim());
    if (found !== undefined) return found;
    throw usageError(`--gate-on takes ${gateSources.join(", ")}; found "${word.trim()}".`);
  });
}

function inputsOf(role: "baseline" | "candidate", paths: readonly string[], traces: readonly Trace[]): ReportInput[] {
  const formats = [...new Set(traces.map((trace) => trace.source.format))];
  const counted = paths.length === 1 ? { traces: traces.length } : {};
  return paths.map((path) => ({ role, path, ...(formats.length === 1 ? { format: formats[0]! } : {}), ...counted }));
}
