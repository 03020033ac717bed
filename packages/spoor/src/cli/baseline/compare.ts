/** `spoor baseline compare`: runs of one or many agents against their baselines. */
import { readFile } from "node:fs/promises";
import { SpoorError } from "@spoor/core/errors";
import type { Baseline } from "@spoor/core/fingerprint/baseline";
import type { BaselineReport } from "@spoor/core/fingerprint/baseline-report";
import { baselineVerdict } from "@spoor/core/fingerprint/baseline-verdict";
import { compareRuns } from "@spoor/core/fingerprint/compare-baseline";
import type { AgentComparison } from "@spoor/core/fingerprint/comparison";
import { type DriftPolicy, parseDriftPolicy } from "@spoor/core/fingerprint/drift-policy";
import type { RunFacts } from "@spoor/core/fingerprint/run-facts";
import { summariseComparisons } from "@spoor/core/fingerprint/summarise-comparisons";
import { thresholdsFrom } from "@spoor/core/fingerprint/thresholds";
import { baselineGates, gateComparisons, isBlocking } from "@spoor/core/fingerprint/verdict";
import type { Gate } from "@spoor/core/report/report";
import { toolInfo } from "../../tool-info.ts";
import { type ArgsOf, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import type { ExitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { option } from "../option.ts";
import { baselineKind, compareRenderers } from "../reports/baseline-kind.ts";
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
  policy: option.path("also check this drift policy (YAML)"),
  block: option.choice(["yes", "no"], undefined, "whether findings block; beats block_merges of the policy"),
} as const;
type CompareArgs = ArgsOf<readonly ["traces..."], typeof compareOptions> & RunArgs;

export const compareCommand = defineCommand({
  positionals: ["traces..."],
  options: compareOptions,
  examples: [
    { run: "spoor baseline compare candidate/", does: "Which runs take a path the agent never took before?" },
    {
      run: "spoor baseline compare candidate/ --fail-on new",
      does: "Block on every unknown path, not only on new or lost tools.",
    },
  ],
  run: async (args, io) => compareBaselines(await withProject(args, io), io),
});

async function compareBaselines(args: CompareArgs, io: Io): Promise<ExitCode> {
  const policy = args.policy === undefined ? undefined : await loadDriftPolicy(args.policy);
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
  await emitReport(report, compareRenderers(report, view), args, io);
  return exitCode;
}

/** Loads the runs in the mode of their baselines and compares each agent's with its own. */
export async function compareWithStore(args: RunArgs, traces: readonly string[], io: Io, policy?: DriftPolicy) {
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
  const thresholds = thresholdsFrom(io.env);
  const comparisons: AgentComparison[] = [];
  const baselines = new Map<string, Baseline>();
  for (const [name, own] of byAgent(runs)) {
    const baseline = only ?? (await store.load(name));
    if (baseline !== undefined) baselines.set(name, baseline);
    const compared = compareRuns(baseline, own, { thresholds, ...(policy === undefined ? {} : { policy }) });
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

function gateOf(comparisons: readonly AgentComparison[], args: CompareArgs, policy: DriftPolicy | undefined): Gate {
  const outcomes = comparisons.flatMap((one) => (one.policy === undefined ? [] : [one.policy]));
  const flag = args.block === undefined ? undefined : args.block === "yes";
  const gate = gateComparisons(comparisons, {
    failOn: args.failOn,
    blocking: isBlocking(flag, policy?.blockMerges),
    policy: {
      violations: outcomes.flatMap((outcome) => outcome.violations),
      warnings: outcomes.flatMap((outcome) => outcome.warnings),
      notEvaluated: outcomes.flatMap((outcome) => outcome.notEvaluated),
    },
  });
  if (comparisons.length > 0) return gate;
  // Nothing analysed is a failure, whatever was asked for.
  return { ...gate, tripped: true, reasons: [{ code: "nothing_analysed", subject: args.traces.join(" ") }] };
}

async function loadDriftPolicy(file: string): Promise<DriftPolicy> {
  try {
    return parseDriftPolicy(await readFile(file, "utf8"), file);
  } catch (error) {
    if (error instanceof SpoorError) throw error;
    throw new SpoorError("drift-policy.missing", `${file} cannot be read: ${(error as Error).message}.`, {
      at: { file },
      consequence: "Nothing was compared: a missing policy must not look like one that passed.",
      cause: error,
    });
  }
}

function missingFile(file: string): SpoorError {
  return new SpoorError("baseline.missing", `${file} does not exist.`, {
    at: { file },
    consequence: "Nothing was compared.",
    hint: `Make it first: spoor baseline build TRACES --baseline ${file}`,
  });
}
