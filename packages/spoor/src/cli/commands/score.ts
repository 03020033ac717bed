import { dirname, resolve } from "node:path";
import { SpoorError, type Trace } from "@spoor/core";
import { traceName } from "@spoor/core/diff/pair-traces";
import { scoreCase } from "@spoor/core/evaluators/case-score";
import { type EvaluatorConfig, PASS_LINE } from "@spoor/core/evaluators/evaluation";
import type { ScoreReport, TraceScore } from "@spoor/core/evaluators/score-report";
import { subjectOfTrace } from "@spoor/core/evaluators/subject";
import { coverageOf } from "@spoor/core/report/coverage";
import { nearest } from "@spoor/core/text/nearest";
import { createHttpJudge } from "../../evals/evaluators/http-judge.ts";
import { parseJudgeOption } from "../../evals/evaluators/judge-options.ts";
import { type EvaluatorCase, type EvaluatorsFile, loadEvaluators } from "../../evals/load-evaluators.ts";
import { type RunEvaluatorsOptions, runEvaluators } from "../../evals/run-evaluators.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { renderJson } from "../../render/json.ts";
import { renderScoreMarkdown } from "../../render/score/markdown.ts";
import { renderScore } from "../../render/score/terminal.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";
import { toolInfo } from "../version.ts";

export const scoreCommand = defineCommand({
  name: "score",
  summary: "Score recorded traces with trajectory and other evaluators",
  description:
    "Runs evaluators over traces of any format; no agent is started. The file may be a list of evaluator entries, an eval " +
    "file in any dialect, promptfoo assertions or an ADK eval set. In a file with cases, each trace is scored by the case " +
    "that has its name; a single trace that no case names is scored by all of them.",
  positionals: ["traces..."],
  options: {
    evaluators: option.path("the file with the evaluators (required)"),
    case: option.text("score with this case of the file only", "ID"),
    threshold: option.optionalNumber(`pass line of a trace's score (default ${PASS_LINE})`, { min: 0, max: 1 }),
    judge: option.text("the model that judges: openai:MODEL or anthropic:MODEL", "PROVIDER:MODEL"),
    judgeUrl: option.text("address of the judge, for servers that speak the same interface", "URL"),
    noJudge: option.flag("leave out evaluators that need a judge; they are listed as not checked"),
  },
  examples: [
    {
      run: "spoor score candidate/ticket-1042.agentlog --evaluators refund-path.yaml",
      does: "One trace, every step explained.",
    },
    { run: "spoor score runs/ --evaluators support.eval.yaml", does: "Each trace by the case of its name." },
    { run: "spoor score runs/ --evaluators weather.evalset.json", does: "The tool uses of an ADK eval set." },
  ],
  async run(args, io) {
    if (args.evaluators === undefined) throw usageError("--evaluators is needed: the file that says what to expect.");
    const file = loadEvaluators(args.evaluators, { cwd: io.cwd, strict: args.strict, env: io.env });
    const traces = await loadTraces(args.traces, loadOptions(args, io));
    const plan = planScores(traces, file, args.case);
    const judge = args.judge === undefined ? file.judge : parseJudgeOption(args.judge, args.judgeUrl, io.env);
    if (judge === undefined && !args.noJudge) refuseWithoutJudge(plan);
    const results: TraceScore[] = [];
    for (const { trace, evalCase } of plan) {
      const passLine = args.threshold ?? evalCase.passLine ?? PASS_LINE;
      const options: RunEvaluatorsOptions = {
        folder: dirname(resolve(io.cwd, args.evaluators)),
        env: io.env,
        withoutJudge: args.noJudge,
        ...(judge === undefined || args.noJudge ? {} : { judge: createHttpJudge(judge) }),
      };
      results.push(await scoreTrace(trace, evalCase, passLine, options));
    }
    const report = buildReport(traces, file, results, args.evaluators);
    const code = exitCodeOf(report);
    await emitReport(
      report,
      {
        terminal: (scores, style) => renderScore(scores, style, { verbose: args.verbose, exitCode: code }),
        json: renderJson,
        markdown: renderScoreMarkdown,
      },
      args,
      io,
    );
    return code;
  },
});

interface PlannedScore {
  readonly trace: Trace;
  readonly evalCase: EvaluatorCase;
}

/** Which case scores which trace. A trace that no case names is never passed over in silence. */
function planScores(traces: readonly Trace[], file: EvaluatorsFile, wanted: string | undefined): PlannedScore[] {
  const { cases } = file;
  if (wanted !== undefined) {
    const ids = cases.flatMap(({ id }) => id ?? []);
    const evalCase = cases.find(({ id }) => id === wanted);
    if (evalCase === undefined) {
      const close = nearest(wanted, ids);
      throw usageError(
        `${file.file} has no case "${wanted}".`,
        close === undefined ? `It has ${ids.join(", ") || "none"}.` : `Did you mean ${close}?`,
      );
    }
    return traces.map((trace) => ({ trace, evalCase }));
  }
  const forAll = cases.length === 1 ? cases[0] : cases.find(({ id }) => id === undefined);
  if (forAll !== undefined) return traces.map((trace) => ({ trace, evalCase: forAll }));
  const plan = traces.map((trace) => ({ trace, named: cases.filter(({ id }) => namesOf(trace).includes(id!)) }));
  const unnamed = plan.filter(({ named }) => named.length === 0);
  if (unnamed.length === 0) return plan.flatMap(({ trace, named }) => named.map((evalCase) => ({ trace, evalCase })));
  if (traces.length === 1) return cases.map((evalCase) => ({ trace: traces[0]!, evalCase }));
  throw new SpoorError(
    "score.no-case",
    `${file.file} has no case for ${unnamed
      .map(({ trace }) => traceName(trace))
      .slice(0, 5)
      .join(", ")}.`,
    {
      consequence: "Nothing was scored.",
      hint: `Name traces like their case (${cases
        .slice(0, 5)
        .map(({ id }) => id)
        .join(", ")}), or choose one with --case.`,
    },
  );
}

/** Asked before anything runs: a verdict without its judge would be half a verdict. */
function refuseWithoutJudge(plan: readonly PlannedScore[]): void {
  const needing = new Set(
    plan.flatMap(({ evalCase }) => evalCase.evaluators.filter(needsJudge).map(({ name }) => name)),
  );
  if (needing.size === 0) return;
  throw new SpoorError(
    "judge.missing",
    `${[...needing].slice(0, 5).join(", ")} ${needing.size === 1 ? "needs" : "need"} a model that judges, and none is named.`,
    {
      consequence: "Nothing was scored.",
      hint: "Name one with --judge openai:MODEL (and --judge-url), or leave judges out with --no-judge.",
    },
  );
}

function needsJudge(config: EvaluatorConfig): boolean {
  const members = (config.params as { members?: readonly EvaluatorConfig[] }).members;
  return config.type === "llm_judge" || (config.type === "composite" && (members ?? []).some(needsJudge));
}

function namesOf(trace: Trace): (string | undefined)[] {
  return [trace.scenario, trace.id, trace.source.entry, traceName(trace)];
}

async function scoreTrace(
  trace: Trace,
  { id, evaluators, task }: EvaluatorCase,
  passLine: number,
  options: RunEvaluatorsOptions,
): Promise<TraceScore> {
  const results = await runEvaluators(evaluators, subjectOfTrace(trace, task), options);
  return {
    trace: traceName(trace),
    ...(trace.source.path === undefined ? {} : { path: trace.source.path }),
    ...(id === undefined ? {} : { caseId: id }),
    ...scoreCase(results, passLine),
    evaluators: results,
  };
}

function buildReport(
  traces: readonly Trace[],
  file: EvaluatorsFile,
  results: readonly TraceScore[],
  evaluators: string,
): ScoreReport {
  const failed = results.filter((result) => result.verdict !== "pass");
  return {
    schema: "spoor.score/1",
    tool: toolInfo,
    inputs: [
      ...new Map(
        traces.map((trace) => [
          trace.source.path ?? "-",
          { role: "trace" as const, path: trace.source.path ?? "-", format: trace.source.format },
        ]),
      ).values(),
      { role: "evaluators", path: evaluators },
    ],
    results,
    diagnostics: file.diagnostics,
    coverage: coverageOf(traces),
    gate: {
      failOn: "below pass line",
      tripped: failed.length > 0,
      reasons: failed.map((result) => ({ code: "below_pass_line", subject: result.caseId ?? result.trace })),
    },
  };
}

/** Without a working judge there is no verdict: 2 when none is configured, 3 when it cannot be reached. */
function exitCodeOf(report: ScoreReport) {
  const codes = report.results.flatMap((result) =>
    result.evaluators.flatMap((evaluator) => evaluator.error?.code ?? []),
  );
  if (codes.some((code) => !code.startsWith("judge.") || code === "judge.missing" || code === "judge.no-prompt"))
    return exitCode.couldNotRun;
  if (codes.length > 0) return exitCode.internal;
  return report.gate.tripped ? exitCode.gateTripped : exitCode.ok;
}
