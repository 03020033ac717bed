/** The runs that the project's configuration asks for, made and recorded: what `spoor gate --run` judges and `spoor record` keeps. */
import { basename, join } from "node:path";
import { judgeDefaults } from "@spoor/core/internal/cohort/judge-cohort";
import type { PriceList } from "@spoor/core/internal/pricing/price";
import { listPrices } from "@spoor/core/internal/pricing/prices";
import { DEFAULT_SEED } from "@spoor/core/internal/stats/random";
import { type Config, diffAgainst } from "../config/config.ts";
import { configPaths, resolveConfigPath } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { newestRuns, RECORDINGS } from "../config/recordings-folder.ts";
import { baseRunsOf, type RunNote, writeRunNote } from "../config/run-note.ts";
import { shellWord } from "../document/shell-word.ts";
import { createRunReader } from "../load/load-cohort.ts";
import { loadPricing } from "../load/load-pricing.ts";
import { loadTraceFile, loadTraces } from "../load/load-traces.ts";
import { openRecordingFolder } from "../record/recording-folder.ts";
import { type Budget, createBudget, type Limits } from "../runs/budget.ts";
import { type ChangeWatch, watchForChange } from "../runs/early-stop.ts";
import { loadScenarios } from "../runs/load-scenarios.ts";
import { type PlannedRun, planScenarioRuns } from "../runs/plan-scenario-runs.ts";
import { budgetSpent, interrupted, runsFailed } from "../runs/run-errors.ts";
import type { AgentSettings } from "../runs/run-scenario.ts";
import { type AgentSides, isRecorded, recordingOf, runScenarios } from "../runs/run-scenarios.ts";
import { createRunsProgress, type RunsProgress } from "../runs/runs-progress.ts";
import type { Scenario } from "../runs/scenario.ts";
import { spendingOf } from "../runs/spending.ts";
import { appendSpending, readSpending } from "../runs/spending-log.ts";
import { spentLines } from "../runs/spent-lines.ts";
import { agentsOf } from "./agent-settings.ts";
import type { CommonValues } from "./command.ts";
import { type Io, styleOf } from "./io.ts";
import { option, usageError } from "./option.ts";
import { recordedWorld } from "./recorded-world.ts";
import { onStopSignals } from "./stop-signals.ts";

export const agentRunOptions = {
  repeat: option.optionalInteger("how often each scenario is run (default: run.repeat of the configuration)", {
    min: 1,
    max: 1000,
  }),
  resume: option.flag("go on with the newest runs: make only those that did not happen"),
  budget: option.optionalNumber("start no run that would cost more than this in all, in US dollars (run.budget)", {
    min: 0,
  }),
  maxTokens: option.optionalInteger("the same, in tokens", { min: 1 }),
} as const;

export interface AgentRunArgs extends Pick<CommonValues, "quiet" | "ascii" | "noColor"> {
  readonly repeat: number | undefined;
  readonly resume: boolean;
  readonly budget: number | undefined;
  readonly maxTokens: number | undefined;
  /** A checkout whose agent is run beside this one. */
  readonly base?: string | undefined;
  readonly stopEarly?: boolean;
}

/** Folders of recordings. */
export interface MadeRuns {
  readonly folder: string;
  /** The base's, when both were run. */
  readonly base?: string;
}

export interface MakeOptions {
  /** What makes the runs, as it would be typed without what goes on after a failure. */
  readonly command: string;
  /** Where the recordings go; by default a new folder, or the newest with --resume. What is there is not made again. */
  readonly folder?: string | undefined;
  /** Fewer than the configuration has. */
  readonly scenarios?: readonly Scenario[];
  /** Gives the runs up from outside. */
  readonly signal?: AbortSignal;
  /** Who answers for the tools, where it is not as the configuration says. */
  readonly tools?: "live";
  /** How often each scenario is run, whatever the command line says of others. */
  readonly repeat?: number;
}

export async function makeRuns(
  loaded: LoadedConfig,
  args: AgentRunArgs,
  io: Io,
  { command, scenarios = loadScenarios(loaded, io.cwd), signal, folder, tools, repeat }: MakeOptions,
): Promise<MadeRuns> {
  const run = loaded.config.run!;
  const stop = new AbortController();
  const early = new AbortController();
  const given = AbortSignal.any([stop.signal, ...(signal === undefined ? [] : [signal])]);
  const replay = (tools ?? run.tools) === "recorded" ? await recordedWorld(loaded, io) : undefined;
  const until = AbortSignal.any([given, early.signal]);
  const { made, sides } = await openSides(loaded, { ...args, folder }, io, { signal: until, replay });
  const planned = planScenarioRuns(scenarios, {
    repeat: repeat ?? args.repeat ?? run.repeat,
    seed: loaded.config.seed ?? DEFAULT_SEED,
    withBase: made.base !== undefined,
  });
  const note = noteOf(planned, made);
  await writeRunNote(made.folder, note);
  const again = `${againCommand(command, args)} --resume`;
  const prices = pricesOf(loaded, io);
  const budget = createBudget(limitsOf(args, run), readSpending(made.folder));
  const done = planned.filter((one) => isRecorded(one, sides));
  const watch = args.stopEarly ? await openWatch(loaded, planned, done, sides, io) : undefined;
  const progress = args.quiet ? undefined : openProgress(loaded, planned, done, args, io);
  const letGo = onStopSignals(() => stop.abort());
  try {
    if (watch?.stop() !== undefined) early.abort();
    const { failed, notStarted } = await runScenarios(planned, sides, {
      workers: run.workers,
      signal: AbortSignal.any([given, early.signal]),
      mayStart: (underWay) => budget.mayStart(underWay),
      onStart: (one) => progress?.started(one),
      onEnd(one, end) {
        const spent = spendingOf(end.traces, prices);
        budget.add(spent);
        appendSpending(made.folder, one, spent);
        progress?.ended(one, end, spent);
        if (end.outcome !== "recorded") return;
        watch?.recorded(one, end.traces.map(createRunReader(one.side, {})));
        if (watch?.stop() !== undefined) early.abort();
      },
    });
    progress?.close();
    const earlyStop = watch?.stop();
    const recorded = planned.filter((one) => isRecorded(one, sides)).length;
    if (!args.quiet) for (const line of spentLines(budget, recorded, planned.length, earlyStop)) io.err(`${line}\n`);
    if (given.aborted) throw interrupted(recorded, planned.length, again);
    if (earlyStop !== undefined) await writeRunNote(made.folder, { ...note, earlyStop });
    else if (notStarted > 0)
      throw budgetSpent(budget, { recorded, total: planned.length, failed }, againWithMore(again, budget));
    else if (failed.length > 0) throw runsFailed(failed, planned.length, again);
  } finally {
    progress?.close();
    letGo();
  }
  return made;
}

function noteOf(planned: readonly PlannedRun[], { base }: MadeRuns): RunNote {
  const runs = planned.filter(({ side }) => side === "candidate").map(({ scenario, run }) => ({ scenario, run }));
  return { runs, ...(base === undefined ? {} : { base: basename(base) }) };
}

/** Without the limits: whoever goes on after one was reached names another. */
function againCommand(command: string, { repeat, base, stopEarly }: AgentRunArgs): string {
  const words = [
    ...(repeat === undefined ? [] : ["--repeat", String(repeat)]),
    ...(base === undefined ? [] : ["--base", base]),
    ...(stopEarly ? ["--stop-early"] : []),
  ];
  return [command, ...words.map(shellWord)].join(" ");
}

function againWithMore(again: string, { limits }: Budget): string {
  return limits.usd === undefined ? `${again} --max-tokens N` : `${again} --budget USD`;
}

/** What is typed comes before the configuration. */
function limitsOf({ budget, maxTokens }: AgentRunArgs, run: NonNullable<Config["run"]>): Limits {
  const written = typeof run.budget === "number" ? { usd: run.budget } : (run.budget ?? {});
  const [usd, tokens] = [budget ?? written.usd, maxTokens ?? written.tokens];
  return { ...(usd === undefined ? {} : { usd }), ...(tokens === undefined ? {} : { tokens }) };
}

function pricesOf(loaded: LoadedConfig, io: Io): PriceList {
  const file = loaded.config.diff?.pricing;
  return file === undefined ? listPrices : loadPricing(resolveConfigPath(loaded, file, io.cwd), io.cwd);
}

/** What is recorded already is looked at first. */
async function openWatch(
  loaded: LoadedConfig,
  planned: readonly PlannedRun[],
  done: readonly PlannedRun[],
  sides: AgentSides,
  io: Io,
): Promise<ChangeWatch> {
  const paths = sides.baseline === undefined ? configPaths(loaded, "diff.baseline", io.cwd) : [];
  const known = paths.length === 0 ? [] : await loadTraces(paths, {});
  const watch = watchForChange(planned, known.map(createRunReader("baseline", {})), judgeDefaults);
  for (const run of done) {
    const traces = await loadTraceFile(recordingOf(run, sides));
    watch.recorded(run, traces.map(createRunReader(run.side, {})));
  }
  return watch;
}

function openProgress(
  { config }: LoadedConfig,
  planned: readonly PlannedRun[],
  done: readonly PlannedRun[],
  args: AgentRunArgs,
  io: Io,
): RunsProgress {
  return createRunsProgress(config.agent, planned, done, {
    write: io.err,
    style: styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined }, "stderr"),
    live: io.stderrIsTerminal && !io.env["CI"] && io.env["TERM"] !== "dumb",
    rows: process.stderr.rows ?? 24,
    workers: config.run!.workers,
    clock: () => performance.now(),
  });
}

async function openSides(
  loaded: LoadedConfig,
  args: AgentRunArgs & Pick<MakeOptions, "folder">,
  io: Io,
  { signal, replay }: Pick<AgentSettings, "signal" | "replay">,
): Promise<{ readonly made: MadeRuns; readonly sides: AgentSides }> {
  const { candidate, base } = await agentsOf(loaded, args.base, io, { signal, replay });
  const made =
    args.folder !== undefined
      ? { folder: args.folder }
      : args.resume
        ? resumed(loaded, args)
        : await fresh(loaded, args, io);
  if (base === undefined || made.base === undefined)
    return { made, sides: { candidate: { folder: made.folder, settings: candidate } } };
  const sides: AgentSides = {
    candidate: { folder: made.folder, settings: candidate },
    baseline: { folder: made.base, settings: base },
  };
  return { made, sides };
}

async function fresh(loaded: LoadedConfig, { base }: AgentRunArgs, io: Io): Promise<MadeRuns> {
  const open = async () => (await openRecordingFolder(undefined, { cwd: loaded.folder, now: io.now() })).path;
  return { folder: await open(), ...(base === undefined ? {} : { base: await open() }) };
}

function resumed(loaded: LoadedConfig, args: AgentRunArgs): MadeRuns {
  const newest = newestRuns(join(loaded.folder, RECORDINGS));
  if (newest === undefined) throw usageError("There are no runs to go on with.", "Leave --resume out to begin.");
  const base = baseRunsOf(newest);
  if (base === undefined && args.base !== undefined)
    throw usageError("The newest runs were made without --base.", "Leave --base or --resume out.");
  if (base !== undefined && args.base === undefined)
    throw usageError("The newest runs were made with --base.", "Name the base again, or leave --resume out.");
  return { folder: newest, ...(base === undefined ? {} : { base }) };
}

/** The configuration with these runs as the ones to judge, and the base's, where there are any, as those to compare with. */
export function judging(loaded: LoadedConfig, { folder, base }: MadeRuns): LoadedConfig {
  const { config } = loaded;
  // Both sides ran side by side, so how long they took can be compared as well.
  const beside = { baseline: [base ?? folder], toldOnly: config.diff?.toldOnly ?? [] };
  const diff = base === undefined ? config.diff : { ...(config.diff ?? diffAgainst(base)), ...beside };
  return { ...loaded, config: { ...config, traces: [folder], ...(diff === undefined ? {} : { diff }) } };
}
