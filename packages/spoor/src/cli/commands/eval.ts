/** `spoor eval`: run cases against agents, evaluate what they did, tell broken from flaky, and say so in the exit code. */
import { basename, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { buildEvalReport, type EvalReport, storedRuns } from "@spoor/core/internal/evals/eval-report";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import type { ReportInput } from "@spoor/core/internal/report/report";
import { integer } from "../../document/words.ts";
import { type Budget, createBudget } from "../../evals/budget.ts";
import { TRACES_FOLDER } from "../../evals/dump-traces.ts";
import { createHttpJudge } from "../../evals/evaluators/http-judge.ts";
import { parseJudgeOptions } from "../../evals/evaluators/judge-options.ts";
import { formatDiagnostic } from "../../evals/load-eval-files.ts";
import { planRuns, type RunPlan } from "../../evals/plan-runs.ts";
import { type PreparedEvals, prepareEvals } from "../../evals/prepare-evals.ts";
import { loadComparable } from "../../evals/read-results.ts";
import type { EvalsOutcome } from "../../evals/run-evals.ts";
import { type AnswerCache, openAnswerCache } from "../../evals/servers/answer-cache.ts";
import { createModelServers } from "../../evals/servers/model-servers.ts";
import { isFree, requirePrices } from "../../evals/target-costs.ts";
import { unreachableError } from "../../evals/unreachable-error.ts";
import { version } from "../../tool-info.ts";
import { renderError } from "../../write/terminal/error.ts";
import { choiceOf, sayOnly } from "../choose-cases.ts";
import { command, defineCommand } from "../command.ts";
import { emitReport, requireFormats } from "../emit-report.ts";
import { chooseResults, type ResultsChoice } from "../eval/choose-results.ts";
import { cacheNotes, notEvaluated } from "../eval/eval-notes.ts";
import { evalOptions } from "../eval/eval-options.ts";
import { onlyOutagesError, openError, openNotes } from "../eval/open-runs.ts";
import { planRegrade, type Regrade } from "../eval/plan-regrade.ts";
import { type ResumeArgs, resumeCommand } from "../eval/resume-command.ts";
import { type EvalArgs, runPlan } from "../eval/run-plan.ts";
import { loadStoredResults } from "../eval/stored-results.ts";
import { createPageDetails } from "../eval-page.ts";
import { type ExitCode, exitCode, interruptedCode } from "../exit-code.ts";
import { type Io, styleOf } from "../io.ts";
import { evalKind } from "../reports/eval-kind.ts";

export const evalCommand = defineCommand({
  description:
    "Asks the target of each case, turns what it did into a trace, runs the case's evaluators over it and reports which cases are steady, flaky or broken. Finished runs are on disk at once; a run that was stopped goes on with --resume.",
  positionals: ["files..."],
  options: evalOptions,
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
        : { label: labelOf(args.against), file: args.against, records: loadComparable(args.against) };
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
    // The report says it too; whoever stopped the run gets none.
    if (interrupted) for (const problem of outcome.problems) io.err(`Warning: after_all: ${problem}\n`);
    if (interrupted && regrade !== undefined) {
      io.err(`Stopped: nothing was graded, and ${results.shown} is as it was.\n`);
      return interruptedCode;
    }
    if (interrupted) {
      io.err(
        `Stopped: ${integer(records.length)} of ${integer(plan.runs.length)} runs are done and kept in\n  ${results.shown}. To go on:\n  ${resume}\n`,
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
  const players = new Set(plan.runs.flatMap(({ user }) => user ?? []));
  requirePrices([...targets, ...players], prepared.judgesOf(plan.runs), budgetUsd);
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
