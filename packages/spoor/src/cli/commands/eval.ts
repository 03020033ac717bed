/** `spoor eval`: run cases against agents, evaluate what they did, tell broken from flaky, and say so in the exit code. */
import { basename, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { statusOfVerdict } from "@spoor/core/internal/evals/agentv-verdict";
import { buildEvalReport, type EvalReport, storedRuns } from "@spoor/core/internal/evals/eval-report";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import type { ReportInput } from "@spoor/core/internal/report/report";
import { shellWord } from "../../document/shell-word.ts";
import { count, dollars } from "../../document/words.ts";
import { type Budget, createBudget } from "../../evals/budget.ts";
import { dumpTrace, TRACES_FOLDER, traceFile } from "../../evals/dump-traces.ts";
import { MAX_REPEAT, MAX_WORKERS } from "../../evals/eval-file.ts";
import { createHttpJudge } from "../../evals/evaluators/http-judge.ts";
import { parseJudgeOptions } from "../../evals/evaluators/judge-options.ts";
import { formatDiagnostic } from "../../evals/load-eval-files.ts";
import { type PlannedRun, planRuns, type RunPlan } from "../../evals/plan-runs.ts";
import { type PreparedEvals, prepareEvals } from "../../evals/prepare-evals.ts";
import { createProgressView, type ProgressView } from "../../evals/progress-view.ts";
import { loadRecords, slim } from "../../evals/read-results.ts";
import { errorWithoutSecrets } from "../../evals/redact.ts";
import { type EvalsOutcome, runEvals } from "../../evals/run-evals.ts";
import type { RunOutcome } from "../../evals/run-once.ts";
import { type AnswerCache, CACHE_FOLDER, openAnswerCache } from "../../evals/servers/answer-cache.ts";
import { createModelServers, type ModelServers } from "../../evals/servers/model-servers.ts";
import { isFree, requirePrices } from "../../evals/target-costs.ts";
import { unreachableError } from "../../evals/unreachable-error.ts";
import { version } from "../../tool-info.ts";
import { renderError } from "../../write/terminal/error.ts";
import { type ChoiceArgs, choiceOf, choiceWords, sayOnly } from "../choose-cases.ts";
import { type CommonValues, command, defineCommand } from "../command.ts";
import { emitReport, requireFormats } from "../emit-report.ts";
import { maxErrorsOption } from "../error-tolerance.ts";
import { chooseResults, placeOfRun, type ResultsChoice, shownPath } from "../eval/choose-results.ts";
import { onlyOutagesError, openError, openNotes } from "../eval/open-runs.ts";
import { planRegrade, type Regrade } from "../eval/plan-regrade.ts";
import { loadStoredResults } from "../eval/stored-results.ts";
import { createPageDetails, type PageDetails } from "../eval-page.ts";
import { type ExitCode, exitCode, interruptedCode } from "../exit-code.ts";
import { type Io, styleOf } from "../io.ts";
import { option } from "../option.ts";
import { evalKind } from "../reports/eval-kind.ts";
import { onStopSignals } from "../stop-signals.ts";

export const evalCommand = defineCommand({
  description:
    "Asks the target of each case, turns what it did into a trace, runs the case's evaluators over it and reports which cases are steady, flaky or broken. Finished runs are on disk at once; a run that was stopped goes on with --resume.",
  positionals: ["files..."],
  options: {
    target: option.texts("ask this target instead of the one in the file; repeat for several", "NAME"),
    targets: option.path("targets file (default: the nearest targets.yaml)"),
    filter: option.text("only cases whose id fits; * and ? are wildcards, commas separate several", "GLOB"),
    tag: option.texts("only cases with this tag, repeat for several; with ! before it, only cases without", "TAG"),
    sample: option.optionalInteger("run so many of the cases, chosen by --seed and their names", { min: 1 }),
    seed: option.integer(0, "which sample is drawn"),
    shard: option.text("run part I of N, for several machines: 2/5", "I/N"),
    workers: option.optionalInteger(`runs at the same time, 1 to ${MAX_WORKERS} (default 4)`, {
      min: 1,
      max: MAX_WORKERS,
    }),
    repeat: option.optionalInteger("run every case N times", { min: 1, max: MAX_REPEAT }),
    resume: option.flag("go on with the latest run of these files, or with --results FILE"),
    rerun: option.choice(
      ["failed", "errors"],
      undefined,
      "like --resume, and make failed runs again, or only those that an outage took",
    ),
    regrade: option.optionalPath(
      "evaluate stored runs again and ask no agent: the latest of these files, or FILE; --results names another place",
      "",
    ),
    overwrite: option.flag("begin anew although --results FILE holds results"),
    results: option.path("append one line per run here (default .spoor/runs/<time>.jsonl)"),
    threshold: option.optionalNumber("score a run must reach to pass (default 0.8)", { min: 0, max: 1 }),
    passRate: option.number(0.8, "share of a case's runs that must pass", { min: 0, max: 1 }),
    maxErrors: maxErrorsOption,
    against: option.path("compare with an earlier results file"),
    timeout: option.optionalNumber("seconds one attempt may take (default 300)", { min: 0.001 }),
    maxRetries: option.integer(2, "further attempts after a rate limit, a lost connection or a silent timeout", {
      min: 0,
    }),
    budgetUsd: option.optionalNumber("start no run that could spend more than this, judges and earlier runs included", {
      min: 0,
    }),
    cache: option.optionalPath("keep answers of models and judges, and ask for none twice", CACHE_FOLDER, "FOLDER"),
    dumpTraces: option.flag("write every run's trace to .spoor/traces"),
    traces: option.path("folder of dumped traces instead of .spoor/traces", "FOLDER"),
    includeTrace: option.flag("put the whole trace into the results file"),
    keepWorkspaces: option.flag("leave the temporary folders of runs for a look"),
    judge: option.texts("model that judges, for evaluators that need one: provider:model; several vote", "MODEL"),
    judgeUrl: option.text("address of the judge's server", "URL"),
    noJudge: option.flag("leave out evaluators that need a judge, and say so"),
    dryRun: option.flag("answer every case with a fixed text instead of asking the target"),
    noFail: option.flag("report only: exit 0 even when cases fail"),
  },
  examples: [
    { run: "spoor eval evals/support.eval.yaml", does: "run every case once" },
    {
      run: "spoor eval evals/*.yaml --repeat 5 --against .spoor/runs/main.jsonl",
      does: "five runs each, compared with a stored run",
    },
    { run: "spoor eval evals/support.eval.yaml --resume", does: "go on where a run was stopped" },
    { run: "spoor eval evals/support.eval.yaml --regrade", does: "changed evaluators, the same runs" },
  ],
  subcommands: [
    command(
      "add",
      "Make a case of a recorded run: it must do so again, or never again",
      async () => (await import("./eval-add.ts")).evalAddCommand,
    ),
    command(
      "compare",
      "Compare two stored runs: passes, score, cost, tokens and time",
      async () => (await import("./eval-compare.ts")).evalCompareCommand,
    ),
    command(
      "judge-check",
      "How far a judge agrees with people who labelled the same cases",
      async () => (await import("./judge-check.ts")).judgeCheckCommand,
    ),
  ],
  async run(args, io) {
    const startedAt = performance.now();
    const { workers } = args;
    requireFormats(evalKind, args);
    const against =
      args.against === undefined
        ? undefined
        : { label: labelOf(args.against), file: args.against, records: loadRecords(args.against).records };
    const prepared = prepareEvals(args.files, {
      cwd: io.cwd,
      env: io.env,
      strict: args.strict,
      targets: args.target,
      ...(args.targets === undefined ? {} : { targetsFile: args.targets }),
      dryRun: args.dryRun,
      judges: parseJudgeOptions(args.judge, args.judgeUrl, io.env).map(createHttpJudge),
      maxRetries: args.maxRetries,
      withoutJudge: args.noJudge,
    });
    if (!args.quiet) for (const problem of prepared.diagnostics) io.err(`Warning: ${formatDiagnostic(problem)}\n`);
    const files = prepared.suites.map(({ suite }) => suite.file);
    const stored = args.regrade === undefined ? undefined : loadStoredResults(args, files, io);
    const repeat = stored?.repeat ?? args.repeat;
    const planned = planRuns(prepared.suites, {
      ...choiceOf(args),
      ...(repeat === undefined ? {} : { repeat }),
      ...(args.threshold === undefined ? {} : { threshold: args.threshold }),
      ...(args.timeout === undefined ? {} : { timeoutMs: args.timeout * 1000 }),
    });
    const regrade = stored && planRegrade(planned, stored, io);
    const plan = regrade?.plan ?? planned;

    sayOnly(plan, args, io);
    if (against !== undefined) requireBaseline(against, plan);
    const results = regrade?.results ?? chooseResults(args, plan, io);
    const named = args.results ?? (args.regrade || undefined);
    const again = stored === undefined || stored.repeat === 1 ? args.repeat : stored.repeat;
    const resume = resumeCommand({ ...args, results: named, repeat: again }, results.shown);
    if (regrade !== undefined) requireStored(regrade, resume);
    const atOnce = Math.min(
      workers ?? prepared.suites.find(({ suite }) => suite.workers !== undefined)?.suite.workers ?? 4,
      plan.runs.length,
    );
    const page = createPageDetails(args);
    const budget = budgetOf(args, prepared, plan, results);
    const servers = createModelServers({ cache: await cacheOf(args, prepared, io) });
    const session = await runPlan(
      regrade?.judged ?? plan,
      prepared,
      results,
      atOnce,
      { budget, servers },
      { ...args, page },
      io,
    );

    const { outcome, records, interrupted } = session;
    if (interrupted && regrade !== undefined) {
      io.err(`Stopped: nothing was graded, and ${results.shown} is as it was.\n`);
      return interruptedCode;
    }
    if (interrupted) {
      io.err(
        `Stopped: ${records.length} of ${plan.runs.length} runs are done and kept in\n  ${results.shown}. To go on:\n  ${resume}\n`,
      );
      return interruptedCode;
    }
    const report = buildEvalReport(plan.cases, records, {
      tool: { name: "spoor", version },
      inputs: inputsOf(plan, args.against),
      notEvaluated: [
        ...notEvaluated(records, outcome, budget),
        ...cacheNotes(servers),
        ...(regrade ? openNotes(regrade) : []),
      ],
      passRate: args.passRate,
      ...(args.maxErrors === undefined ? {} : { maxErrors: args.maxErrors }),
      durationMs: Math.round(performance.now() - startedAt),
      resultsFile: results.shown,
      ...(plan.selection === undefined ? {} : { selection: plan.selection }),
      ...(page === undefined ? {} : { detailsOf: page.of }),
      ...(args.dumpTraces ? { tracesFolder: args.traces ?? TRACES_FOLDER } : {}),
      targetOptions: [
        ...(args.targets === undefined ? [] : ["--targets", args.targets]),
        ...args.target.flatMap((name) => ["--target", name]),
      ],
      ...(against === undefined ? {} : { against }),
      stopped: outcome.stopped,
      gate: !args.noFail,
    });
    const open = regrade !== undefined && regrade.open.length > 0 ? openError(regrade, resume) : undefined;
    const code = open === undefined ? evalKind.exitCode(report) : exitCode.couldNotRun;
    await conclude(report, code, outcome, plan, args, io);
    if (open !== undefined) throw open;
    return code;
  },
});

/** Before anything is judged: there must be something to judge. */
function requireStored(regrade: Regrade, resume: string): void {
  if (regrade.results.unjudged.size > 0) return;
  throw regrade.open.length > 0 ? openError(regrade, resume) : onlyOutagesError(regrade, resume);
}

/** A renamed file or another suite: nothing would be compared, and silence would look like "no change". */
function requireBaseline({ file, records }: { file: string; records: readonly RunRecord[] }, plan: RunPlan): void {
  const stored = storedRuns(records);
  if (plan.cases.some((entry) => stored.of(entry) !== undefined)) return;
  const suites = [...new Set(records.map((record) => record.dataset))].slice(0, 5);
  throw new SpoorError("eval.no-baseline", `${file} holds none of these cases, so there is nothing to compare.`, {
    at: { file },
    consequence: "Nothing was run.",
    hint:
      records.length === 0
        ? "It holds no results at all."
        : `It holds runs of ${suites.join(", ")}; cases are found by the name of their suite and their id.`,
  });
}

interface Session {
  readonly outcome: EvalsOutcome;
  /** In the order of the plan. */
  readonly records: readonly RunRecord[];
  readonly interrupted: boolean;
}

type EvalArgs = CommonValues & {
  readonly files: readonly string[];
  readonly maxRetries: number;
  readonly includeTrace: boolean;
  readonly dumpTraces: boolean;
  readonly traces: string | undefined;
  readonly overwrite: boolean;
  readonly keepWorkspaces: boolean;
  readonly budgetUsd: number | undefined;
  readonly page?: PageDetails | undefined;
  readonly cache: string | undefined;
};

interface Means {
  readonly budget: Budget | undefined;
  readonly servers: ModelServers;
}

async function runPlan(
  plan: RunPlan,
  prepared: PreparedEvals,
  results: ResultsChoice,
  workers: number,
  { budget, servers }: Means,
  args: EvalArgs,
  io: Io,
): Promise<Session> {
  const stop = new AbortController();
  const letGo = onStopSignals(() => stop.abort(new Error("stopped")));
  const kept = [...results.kept.values()];
  const file = await results.open();
  const view = openView(plan, workers, args, io);
  for (const run of plan.runs) {
    const record = results.kept.get(run.key);
    if (record !== undefined) view?.resumed(run, record);
  }
  if (kept.length > 0 && !args.quiet && view === undefined) io.err(`${kept.length} runs are already done.\n`);
  const byKey = new Map(results.kept);
  const apart = prepared.suites.length > 1 || new Set(plan.cases.map((entry) => entry.target)).size > 1;
  const now = clockOf(io);
  let unwritable: Error | undefined;
  try {
    const outcome = await runEvals(
      plan.runs.filter((run) => !results.kept.has(run.key)),
      {
        cwd: io.cwd,
        signal: stop.signal,
        maxRetries: args.maxRetries,
        includeTrace: args.includeTrace,
        keepWorkspaces: args.keepWorkspaces,
        workers,
        now,
        clock: () => performance.timeOrigin + performance.now(),
        ...(budget === undefined ? {} : { budget }),
        servers,
        stored: results.storedOf,
        evaluate: (run, subject, folder, onAnswer) =>
          prepared.evaluate(run, subject, folder, { signal: stop.signal, servers, sample: `run ${run.run}`, onAnswer }),
        onStart: (run) => view?.started(run),
        onActivity: (run, text) => view?.activity(run, prepared.redactor.text(text)),
        async onFinish(run, finished) {
          const record = {
            ...prepared.redactor.json(finished.record),
            ...(await dump(run, finished)),
            ...results.paidFor(run),
            ...results.partOfAgent(run),
          };
          keep(record);
          byKey.set(run.key, slim(record));
          args.page?.keep(record, finished, prepared.redactor);
          view?.finished(run, record);
        },
      },
    );
    if (unwritable !== undefined) throw unwritable;
    const records = plan.runs.flatMap((run) => byKey.get(run.key) ?? []);
    if (!outcome.interrupted) await file.finish(plan.runs.map(placeOfRun));
    const stopped = outcome.stopped.map((target) => ({ ...target, message: prepared.redactor.text(target.message) }));
    return { outcome: { ...outcome, stopped }, records, interrupted: outcome.interrupted };
  } catch (error) {
    throw errorWithoutSecrets(error, prepared.redactor);
  } finally {
    view?.close();
    await file.close();
    letGo();
  }

  /** A result that cannot be kept ends everything: what is paid for and lost helps nobody. */
  function keep(record: RunRecord): void {
    try {
      file.append(record);
    } catch (error) {
      unwritable ??= error as Error;
      stop.abort(error);
      throw error;
    }
  }

  async function dump(run: PlannedRun, finished: RunOutcome): Promise<Pick<RunRecord, "trace_file" | "trace_digest">> {
    if (!args.dumpTraces) return {};
    const path = traceFile(resolve(io.cwd, args.traces ?? TRACES_FOLDER), run, apart);
    return {
      trace_file: shownPath(path, io.cwd),
      trace_digest: await dumpTrace(path, run, finished, prepared.redactor),
    };
  }
}

/** What was spent in earlier parts of the same run counts as well. */
function budgetOf(
  args: EvalArgs,
  prepared: PreparedEvals,
  plan: RunPlan,
  { earlier, unjudged }: ResultsChoice,
): Budget | undefined {
  const budgets = prepared.suites.flatMap(({ suite }) => suite.budgetUsd ?? []);
  const budgetUsd = args.budgetUsd ?? (budgets.length === 0 ? undefined : Math.min(...budgets));
  if (budgetUsd === undefined) return undefined;
  const targets = [...new Set(plan.runs.map(({ target }) => target))];
  requirePrices(targets, prepared.judgesOf(plan.runs), budgetUsd);
  return createBudget(budgetUsd, {
    // A run that is only judged again will be counted whole when it is done.
    earlier: earlier.filter((record) => !unjudged.has(record)),
    free: new Set(targets.filter(isFree).map(({ name }) => name)),
  });
}

async function cacheOf(args: EvalArgs, { redactor }: PreparedEvals, io: Io): Promise<AnswerCache | undefined> {
  if (args.cache === undefined) return undefined;
  return openAnswerCache(resolve(io.cwd, args.cache), { holdsSecret: (text) => redactor.text(text) !== text });
}

/** What of a cache could not be used is said; nothing of it was believed. */
function cacheNotes({ cache }: ModelServers) {
  if (cache === undefined) return [];
  const { damaged, unwritten, withheld } = cache.facts;
  const notes = [
    [damaged, "damaged and asked for again"],
    [unwritten, "could not be written"],
    [withheld, "not kept, because a secret stands in them"],
  ] as const;
  return notes.flatMap(([amount, why]) =>
    amount === 0 ? [] : [{ what: "the cache", why: `${count(amount, "answer")} ${why}` }],
  );
}

function openView(plan: RunPlan, workers: number, args: EvalArgs, io: Io): ProgressView | undefined {
  if (args.quiet) return undefined;
  const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined }, "stderr");
  const live = io.stderrIsTerminal && !io.env["CI"] && io.env["TERM"] !== "dumb";
  return createProgressView(plan, {
    write: io.err,
    style,
    live,
    rows: process.stderr.rows ?? 24,
    workers,
    clock: () => performance.now(),
  });
}

/** `SOURCE_DATE_EPOCH` (reproducible-builds.org) fixes the clock of results, so that two runs can be compared byte by byte. */
function clockOf(io: Io): () => Date {
  const epoch = Number(io.env["SOURCE_DATE_EPOCH"]);
  return io.env["SOURCE_DATE_EPOCH"] && Number.isFinite(epoch) ? () => new Date(epoch * 1000) : () => io.now();
}

async function conclude(
  report: EvalReport,
  code: ExitCode,
  outcome: EvalsOutcome,
  plan: RunPlan,
  args: EvalArgs & ResumeArgs,
  io: Io,
): Promise<void> {
  const [stopped] = outcome.stopped;
  const renderers = evalKind.renderers(report, { exitCode: code, verbose: args.verbose });
  const silent =
    stopped !== undefined &&
    !report.gate.tripped &&
    (args.format ?? "terminal") === "terminal" &&
    args.output.length === 0;
  if (!silent) await emitReport(report, renderers, args, io);
  if (stopped === undefined) return;
  const done = plan.runs.length - report.totals.notRun;
  const error = unreachableError(stopped, done, plan.runs.length, resumeCommand(args, report.resultsFile ?? ""));
  if (!report.gate.tripped) throw error;
  // What is known to fail fails the run; what could not be asked is told beside it.
  const style = styleOf(io, { ascii: args.ascii || undefined, color: args.noColor ? false : undefined }, "stderr");
  io.err(renderError(error, code, style));
}

function notEvaluated(records: readonly RunRecord[], outcome: EvalsOutcome, budget: Budget | undefined) {
  const skipped = new Map<string, number>();
  for (const record of records) {
    for (const result of record.evaluator_results ?? [])
      if (statusOfVerdict(result.verdict) === "not_evaluated")
        skipped.set(result.name, (skipped.get(result.name) ?? 0) + 1);
  }
  return [
    ...[...skipped].map(([name, runs]) => ({
      what: name,
      why: `left out in ${runs} of ${records.length} runs, no judge is configured`,
    })),
    ...[...(budget?.blind ?? [])].map((target) => ({
      what: `further runs on ${target}`,
      why: "it does not say what a run costs, so the budget could not be kept; pricing of the target says it",
    })),
    ...(outcome.overBudget && budget !== undefined && budget.spentUsd > 0
      ? [{ what: "the remaining runs", why: spentWords(budget) }]
      : []),
  ];
}

/** A run is put off when one as dear as the dearest so far would not fit any more. */
function spentWords({ spentUsd, limitUsd, guessed }: Budget): string {
  const unsure = guessed === 0 ? "" : `; ${count(guessed, "run")} without a price counted as the dearest`;
  return `the budget is spent: ${dollars(spentUsd)} of ${dollars(limitUsd)}, and another run as dear as the dearest would not fit${unsure}`;
}

function inputsOf(plan: RunPlan, against: string | undefined): ReportInput[] {
  const files = [...new Set(plan.cases.map((entry) => entry.file))];
  return [
    ...files.map((path): ReportInput => ({ role: "evals", path })),
    ...(against === undefined ? [] : [{ role: "results" as const, path: against }]),
  ];
}

/** `.spoor/runs/main.jsonl` → `main` */
function labelOf(file: string): string {
  return basename(file).replace(/\.jsonl$/i, "");
}

/** Everything that decides which runs there are is repeated; the rest is a matter of taste. */
function resumeCommand(args: ResumeArgs, results: string): string {
  const words = [
    ...args.files,
    ...(args.targets === undefined ? [] : ["--targets", args.targets]),
    ...args.target.flatMap((name) => ["--target", name]),
    ...choiceWords(args),
    ...(args.repeat === undefined ? [] : ["--repeat", String(args.repeat)]),
    ...(args.threshold === undefined ? [] : ["--threshold", String(args.threshold)]),
    ...(args.results === undefined ? [] : ["--results", results]),
  ];
  return `spoor eval ${words.map(shellWord).join(" ")} --resume`;
}

interface ResumeArgs extends ChoiceArgs {
  readonly files: readonly string[];
  readonly targets: string | undefined;
  readonly target: readonly string[];
  readonly repeat: number | undefined;
  readonly threshold: number | undefined;
  readonly results: string | undefined;
}
