/** `spoor baseline build`: traces → one baseline file per agent, new, updated or replaced. */
import { SpoorError } from "@spoor/core/internal/errors";
import {
  addRun,
  applyAdmissionGates,
  type Baseline,
  createBaseline,
  type LeftOut,
  type RunAdded,
} from "@spoor/core/internal/fingerprint/baseline";
import type { BaselineBuildReport, BuiltAgent } from "@spoor/core/internal/fingerprint/baseline-report";
import { behaviourPath } from "@spoor/core/internal/fingerprint/behaviour-path";
import { familiesOf } from "@spoor/core/internal/fingerprint/compare-baseline";
import type { RunFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { shellWord } from "../../document/shell-word.ts";
import { count } from "../../document/words.ts";
import { runReduction } from "../../load/reduce-runs.ts";
import { findSide, placeOf } from "../../load/separate-sides.ts";
import { toolInfo } from "../../tool-info.ts";
import { type ArgsOf, type CommonValues, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";
import { baselineRunsOf } from "../project.ts";
import { baselineKind } from "../reports/baseline-kind.ts";
import { forEachRun, type LoadedRuns, refuseToWriteInCi } from "./load-runs.ts";
import {
  baselinePath,
  decisionOf,
  decisionOptions,
  modeOf,
  producerOf,
  type RunArgs,
  runOptions,
  storeOf,
  withProject,
} from "./settings.ts";

const buildOptions = {
  ...runOptions,
  update: option.flag("add the runs to an existing baseline"),
  replace: option.flag("start anew, keeping the old one in the history"),
  accept: option.flag("also learn from runs that the gate judges: what they do is meant from now on"),
  window: option.optionalInteger("runs kept per behaviour (default 10)", { min: 1, max: 100 }),
  minRuns: option.integer(0, "leave out behaviours seen in fewer runs", { min: 0 }),
  maxErrorRate: option.number(1, "leave out behaviours with more failed steps (share)", { min: 0, max: 1 }),
  maxLatencyVariation: option.optionalNumber("leave out behaviours whose times vary more (deviation over mean)", {
    min: 0,
  }),
  ...decisionOptions,
} as const;
type BuildArgs = ArgsOf<readonly ["[traces...]"], typeof buildOptions> & RunArgs;

export const buildCommand = defineCommand({
  positionals: ["[traces...]"],
  options: buildOptions,
  examples: [
    { run: "spoor baseline build traces/", does: "Learn every agent in the folder into baselines/." },
    { run: "spoor baseline build more/ --update", does: "Add runs to what was learned." },
  ],
  run: async (args, io) => {
    const traces = await baselineRunsOf(args.traces, "baseline build", args, io);
    return buildBaselines({ ...(await withProject(args, io)), traces }, io);
  },
});

async function buildBaselines(args: BuildArgs, io: Io): Promise<ExitCode> {
  const { loaded, agents } = await learnBaselines(args, io);
  const report: BaselineBuildReport = {
    schema: "spoor.baseline/1",
    tool: toolInfo,
    inputs: loaded.inputs,
    action: args.update ? "update" : "build",
    agents,
    coverage: loaded.coverage,
    gate: { failOn: "none", tripped: false, reasons: [] },
  };
  await emitReport(report, baselineKind.renderers(report, { exitCode: exitCode.ok, verbose: args.verbose }), args, io);
  return exitCode.ok;
}

/** The runs that were just recorded as the baseline's: what they do is known from now on, beside what was known already. */
export async function learnRecorded(folder: string, args: CommonValues, io: Io): Promise<readonly BuiltAgent[]> {
  const project = await withProject(args, io);
  if (project.project.baseline === undefined) return [];
  const { agents } = await learnBaselines({ ...project, ...asRecorded, traces: [folder] }, io);
  return agents;
}

const asRecorded = {
  baseline: undefined,
  agent: undefined,
  mode: undefined,
  update: true,
  replace: false,
  accept: true,
  window: undefined,
  minRuns: 0,
  maxErrorRate: 1,
  maxLatencyVariation: undefined,
  by: undefined,
  why: "recorded as the baseline",
} as const;

async function learnBaselines(
  args: BuildArgs,
  io: Io,
): Promise<{ readonly loaded: LoadedRuns; readonly agents: readonly BuiltAgent[] }> {
  refuseToWriteInCi(io);
  if (args.update && args.replace) {
    throw usageError("--update and --replace exclude each other.", "Add runs to the baseline, or start anew.");
  }
  if ((args.update || args.replace) && !args.accept) refuseJudgedRuns(args);
  const store = storeOf(args);
  const single = baselinePath(args).endsWith(".json") ? await store.load("") : undefined;
  const mode = modeOf(args, io, args.update ? single : undefined);
  const agent = args.agent ?? single?.agent;
  const modelAliases = (args.update ? single?.modelAliases : undefined) ?? args.project.modelAliases ?? {};
  const collected = new Map<string, Collected>();
  const loaded = await forEachRun(args.traces, runReduction, { mode, modelAliases, agent }, args, io, ({ facts }) => {
    let own = collected.get(facts.agent);
    if (own === undefined) {
      own = new Collected(newBaseline(facts.agent, args, io, { mode, modelAliases }), args.update);
      collected.set(facts.agent, own);
    }
    own.add(facts);
  });
  if (collected.size === 0) throw nothingToLearn(args);
  const agents: BuiltAgent[] = [];
  for (const [agent, own] of collected) agents.push(await write(agent, own, args, io, store));
  return { loaded, agents };
}

/** The runs of one agent: learned at once into a fresh baseline, or kept until the existing one is locked. */
class Collected {
  readonly counts: Record<RunAdded, number> = {
    recorded: 0,
    new_intent: 0,
    failed_run: 0,
    empty_run: 0,
    already_recorded: 0,
  };
  readonly baseline: Baseline;
  readonly pending: RunFacts[] = [];
  /** Runs by the new path they taught. */
  readonly learned = new Map<string, { path: string; runs: string[] }>();
  private readonly postpone: boolean;

  constructor(baseline: Baseline, postpone: boolean) {
    this.baseline = baseline;
    this.postpone = postpone;
  }

  add(facts: RunFacts): void {
    if (this.postpone) this.pending.push(facts);
    else this.learn(this.baseline, facts);
  }

  learn(baseline: Baseline, facts: RunFacts): void {
    const added = addRun(baseline, facts);
    this.counts[added]++;
    const { hash } = facts.fingerprint;
    if (added === "new_intent") this.learned.set(hash, { path: behaviourPath(facts.segments), runs: [] });
    if (added === "new_intent" || added === "recorded") this.learned.get(hash)?.runs.push(facts.run);
  }
}

async function write(
  agent: string,
  own: Collected,
  args: BuildArgs,
  io: Io,
  store: ReturnType<typeof storeOf>,
): Promise<BuiltAgent> {
  let result: Baseline = own.baseline;
  let leftOut: LeftOut[] = [];
  await store.update(agent, (current) => {
    if (current !== undefined && !args.update && !args.replace) throw alreadyThere(agent, store.fileOf(agent));
    const baseline = args.update && current !== undefined ? current : own.baseline;
    if (current !== undefined && current.agent !== agent) throw otherAgent(store.fileOf(agent), current.agent, agent);
    if (current !== undefined && baseline !== current) keepDecisions(current, baseline);
    if (args.window !== undefined) baseline.windowSize = args.window;
    for (const facts of own.pending) own.learn(baseline, facts);
    leftOut = applyAdmissionGates(baseline, {
      minRuns: args.minRuns,
      maxErrorRate: args.maxErrorRate,
      ...(args.maxLatencyVariation === undefined ? {} : { maxLatencyVariation: args.maxLatencyVariation }),
    });
    baseline.updatedAt = io.now().toISOString();
    baseline.producer = producerOf();
    const action = args.update && current !== undefined ? "update" : "build";
    const runs = own.counts.recorded + own.counts["new_intent"];
    baseline.history.push({
      ...decisionOf(args, io, action === "build" ? "first recording" : "more runs"),
      generation: (current?.generation ?? 0) + 1,
      action,
      change: `${count(runs, "run")}, ${count(own.counts["new_intent"], "new behaviour")}`,
    });
    result = baseline;
    return baseline;
  });
  return {
    agent,
    file: store.fileOf(agent),
    generation: result.generation,
    recorded: own.counts.recorded + own.counts["new_intent"],
    alreadyRecorded: own.counts["already_recorded"],
    failedRuns: own.counts["failed_run"],
    emptyRuns: own.counts["empty_run"],
    leftOut,
    learned: [...own.learned.values()],
    runs: result.runCount,
    intents: result.intents.size,
    seenOnce: [...result.intents.values()].filter((intent) => intent.runs === 1).length,
    families: familiesOf(result).length,
  };
}

/** A baseline that learns from the runs it is to judge passes whatever they do. */
function refuseJudgedRuns({ traces, project }: BuildArgs): void {
  if (project.judged === undefined) return;
  const { paths, config } = project.judged;
  const places = new Set(judgedFiles(paths).map(placeOf));
  const judged = findSide(traces).files.filter((file) => places.has(placeOf(file)));
  const [first] = judged;
  if (first === undefined) return;
  const more = judged.length === 1 ? "" : ` and ${count(judged.length - 1, "more run file")}`;
  throw new SpoorError("baseline.judged-run", `${first}${more}: the gate judges these (traces in ${config}).`, {
    at: { file: first },
    consequence:
      "Nothing was learned: a baseline made of the runs it judges would know every path they take, and pass them.",
    hint: `If what they do is meant: --accept. To decide path by path: spoor baseline review ${paths.map(shellWord).join(" ")}. Otherwise name only runs that show the behaviour to keep.`,
  });
}

/** Nothing recorded yet is nothing to refuse. */
function judgedFiles(paths: readonly string[]): readonly string[] {
  try {
    return findSide(paths).files;
  } catch (error) {
    if (error instanceof SpoorError) return [];
    throw error;
  }
}

/** Replacing the runs does not undo what people named, accepted or rejected. */
function keepDecisions(from: Baseline, to: Baseline): void {
  to.history.push(...from.history);
  for (const [hash, decision] of from.rejected) if (!to.owners.has(hash)) to.rejected.set(hash, decision);
  for (const intent of from.intents.values()) {
    const again = to.intents.get(intent.hash);
    if (again === undefined) continue;
    if (intent.name !== undefined) again.name = intent.name;
    if (intent.note !== undefined) again.note = intent.note;
    Object.assign(again.extra, intent.extra);
    for (const [hash, decision] of intent.accepted) {
      if (to.owners.has(hash)) continue;
      again.accepted.set(hash, decision);
      to.owners.set(hash, again.hash);
    }
  }
  Object.assign(to.extra, from.extra);
}

function newBaseline(
  agent: string,
  args: BuildArgs,
  io: Io,
  options: Pick<Baseline, "mode" | "modelAliases">,
): Baseline {
  return createBaseline({
    agent,
    ...options,
    producer: producerOf(),
    now: io.now().toISOString(),
    ...(args.window === undefined ? {} : { windowSize: args.window }),
  });
}

function nothingToLearn(args: BuildArgs): SpoorError {
  const whose = args.agent === undefined ? "" : ` of ${args.agent}`;
  return new SpoorError("baseline.no-runs", `No run${whose} was found, so there is nothing to learn.`, {
    consequence: "Nothing was written.",
  });
}

function alreadyThere(agent: string, file: string): SpoorError {
  return new SpoorError("baseline.exists", `${agent} already has a baseline: ${file}.`, {
    at: { file },
    consequence: "Nothing was written.",
    hint: "Add these runs to it with --update, or start anew with --replace (the old one stays in the history).",
  });
}

export function otherAgent(file: string, owner: string, agent: string): SpoorError {
  return new SpoorError("baseline.other-agent", `${file} is the baseline of ${owner}; these runs are of ${agent}.`, {
    at: { file },
    consequence: "They were not mixed.",
    hint: `If it is the same agent under another name: --agent ${owner}`,
  });
}
