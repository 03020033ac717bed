/** `spoor baseline compare`: runs of one or many agents against their baselines. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Baseline } from "@spoor/core/internal/fingerprint/baseline";
import type { BaselineReport } from "@spoor/core/internal/fingerprint/baseline-report";
import { baselineVerdict } from "@spoor/core/internal/fingerprint/baseline-verdict";
import { compareRuns } from "@spoor/core/internal/fingerprint/compare-baseline";
import type { AgentComparison } from "@spoor/core/internal/fingerprint/comparison";
import type { RunFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { summariseComparisons } from "@spoor/core/internal/fingerprint/summarise-comparisons";
import { baselineGates, gateComparisons, isBlocking } from "@spoor/core/internal/fingerprint/verdict";
import { createDriftCheck, driftRules } from "@spoor/core/internal/policy/check-drift";
import type { Policy } from "@spoor/core/internal/policy/policy";
import type { Gate } from "@spoor/core/internal/report/report";
import { limitsFromEnvironment } from "../../load/limit-variables.ts";
import { loadPolicy } from "../../load/load-policy.ts";
import { toolInfo } from "../../tool-info.ts";
import { type ArgsOf, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { option } from "../option.ts";
import { tracesOf } from "../project.ts";
import { baselineKind } from "../reports/baseline-kind.ts";
import { otherAgent } from "./build.ts";
import { byAgent, loadRuns } from "./load-runs.ts";
import { baselinePath, modeOf, type RunArgs, runOptions, storeOf, withProject } from "./settings.ts";

const compareOptions = {
  ...runOptions,
  failOn: option.choice(
    baselineGates,
    "tools",
    "what blocks (tools: new or lost tools and fields; new: any unknown path)",
  ),
  policy: option.path("also judge the rules about drift of this policy file"),
  block: option.choice(["yes", "no"], undefined, "whether findings block; beats block_merges of an older drift policy"),
} as const;
type CompareArgs = ArgsOf<readonly ["[traces...]"], typeof compareOptions> & RunArgs;

export const compareCommand = defineCommand({
  positionals: ["[traces...]"],
  options: compareOptions,
  examples: [
    { run: "spoor baseline compare candidate/", does: "Which runs take a path the agent never took before?" },
    {
      run: "spoor baseline compare candidate/ --fail-on new",
      does: "Block on every unknown path, not only on new or lost tools.",
    },
  ],
  run: async (args, io) => {
    const traces = await tracesOf(args.traces, "baseline compare", args, io);
    return compareBaselines({ ...(await withProject(args, io)), traces }, io);
  },
});

async function compareBaselines(args: CompareArgs, io: Io): Promise<ExitCode> {
  const policy = args.policy === undefined ? undefined : loadDriftRules(args.policy, io);
  const { comparisons, loaded } = await compareWithStore(args, args.traces, io, policy);
  const gate = gateOf(comparisons, args, policy);
  const report: BaselineReport = {
    schema: "spoor.baseline/1",
    tool: toolInfo,
    inputs: [
      ...comparisons
        .filter((one) => one.baseline !== null)
        .map((one) => ({ role: "baseline" as const, path: storeOf(args).fileOf(one.agent) })),
      ...loaded.inputs.map((input) => ({ ...input, role: "candidate" as const })),
    ],
    action: "compare",
    verdict: baselineVerdict(comparisons),
    agents: comparisons,
    summary: summariseComparisons(comparisons, gate),
    coverage: loaded.coverage,
    gate,
  };
  const exitCode = baselineKind.exitCode(report);
  const where = args.baseline === undefined ? [] : ["--baseline", args.baseline];
  const view = { paths: [...args.traces, ...where], exitCode, verbose: args.verbose };
  await emitReport(report, baselineKind.renderers(report, view), args, io);
  return exitCode;
}

/** Loads the runs in the mode of their baselines and compares each agent's with its own. */
export async function compareWithStore(args: RunArgs, traces: readonly string[], io: Io, policy?: Policy) {
  const store = storeOf(args);
  const path = baselinePath(args);
  const single = path.endsWith(".json");
  const only = single ? await store.load("") : undefined;
  if (single && only === undefined) throw missingFile(path);
  const known = only ?? (await anyBaseline(args));
  const agent = args.agent ?? only?.agent;
  const options = {
    mode: modeOf(args, io, known),
    modelAliases: known?.modelAliases ?? args.project.modelAliases ?? {},
  };
  const loaded = await loadRuns(traces, single && args.agent === undefined ? options : { ...options, agent }, args, io);
  const runs = single && args.agent === undefined ? loaded.runs.map((run) => adopt(run, only!, path)) : loaded.runs;
  const limits = limitsFromEnvironment(io.env);
  const today = io.now().toISOString().slice(0, 10);
  const rules = policy === undefined ? undefined : createDriftCheck(policy, { today });
  const comparisons: AgentComparison[] = [];
  const baselines = new Map<string, Baseline>();
  for (const [name, own] of byAgent(runs)) {
    const baseline = only ?? (await store.load(name));
    if (baseline !== undefined) baselines.set(name, baseline);
    const compared = compareRuns(baseline, own, { limits, ...(rules === undefined ? {} : { rules }) });
    comparisons.push({ ...compared, agent: name });
  }
  return { comparisons, loaded: { ...loaded, runs }, store, baselines };
}

/** A baseline file named outright takes runs that name no agent; another agent's runs are not mixed in. */
function adopt(run: RunFacts, baseline: Baseline, file: string): RunFacts {
  if (run.agent === baseline.agent) return run;
  if (run.agent !== "default") throw otherAgent(file, baseline.agent, run.agent);
  return { ...run, agent: baseline.agent };
}

/** Fleets share a mode and aliases; the first baseline tells. A mix is refused when the other one is compared. */
async function anyBaseline(args: RunArgs): Promise<Baseline | undefined> {
  const store = storeOf(args);
  const agent = args.agent ?? (await store.agents())[0];
  return agent === undefined ? undefined : store.load(agent);
}

function gateOf(comparisons: readonly AgentComparison[], args: CompareArgs, policy: Policy | undefined): Gate {
  const flag = args.block === undefined ? undefined : args.block === "yes";
  const gate = gateComparisons(comparisons, {
    failOn: args.failOn,
    blocking: isBlocking(flag, policy?.blocking),
    policy: comparisons.flatMap((one) => one.policy ?? []),
  });
  if (comparisons.length > 0) return gate;
  // Nothing analysed is a failure, whatever was asked for.
  return { ...gate, tripped: true, reasons: [{ code: "nothing_analysed", subject: args.traces.join(" ") }] };
}

/** The policy, with what its author should know said on the side: a file that a comparison cannot use must not look like one that passed. */
function loadDriftRules(file: string, io: Io): Policy {
  const policy = loadPolicy(file, { cwd: io.cwd });
  for (const { at, message } of policy.warnings) io.err(`${at.file ?? file}:${at.line ?? 1} ${message}\n`);
  if (driftRules(policy).length === 0)
    io.err(`${file} holds no rule that a comparison can judge (no_drift, known_path).\n`);
  return policy;
}

function missingFile(file: string): SpoorError {
  return new SpoorError("baseline.missing", `${file} does not exist.`, {
    at: { file },
    consequence: "Nothing was compared.",
    hint: `Make it first: spoor baseline build TRACES --baseline ${file}`,
  });
}
