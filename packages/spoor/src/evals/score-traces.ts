/** Recorded traces under the evaluators of a file: which case scores which trace, and the scores. */
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { scoreCase } from "@spoor/core/internal/evaluators/case-score";
import { type EvaluatorConfig, PASS_LINE } from "@spoor/core/internal/evaluators/evaluation";
import type { ScoreReport, TraceScore } from "@spoor/core/internal/evaluators/score-report";
import { subjectOfTrace } from "@spoor/core/internal/evaluators/subject";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import type { NotEvaluated } from "@spoor/core/internal/report/report";
import { nearest } from "@spoor/core/internal/text/nearest";
import { spokenNames } from "@spoor/core/internal/trace/trace-name";
import { toolInfo } from "../tool-info.ts";
import type { EvaluatorCase, EvaluatorsFile } from "./load-evaluators.ts";
import { type RunEvaluatorsOptions, runEvaluators } from "./run-evaluators.ts";

export interface ScoreTracesOptions extends RunEvaluatorsOptions {
  /** Score with this case of the file only. */
  readonly caseId?: string;
  /** Pass line of a trace's score; by default the case's own. */
  readonly threshold?: number;
}

export async function scoreTraces(
  traces: readonly Trace[],
  file: EvaluatorsFile,
  options: ScoreTracesOptions,
): Promise<TraceScore[]> {
  const plan = planScores(traces, file, options.caseId);
  if ((options.judges ?? []).length === 0 && !options.withoutJudge) refuseWithoutJudge(plan);
  const results: TraceScore[] = [];
  for (const { trace, evalCase } of plan) {
    const passLine = options.threshold ?? evalCase.passLine ?? PASS_LINE;
    results.push(await scoreTrace(trace, evalCase, passLine, options));
  }
  return results;
}

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
      throw new SpoorError("score.unknown-case", `${file.file} has no case "${wanted}".`, {
        hint: close === undefined ? `It has ${ids.join(", ") || "none"}.` : `Did you mean ${close}?`,
      });
    }
    return traces.map((trace) => ({ trace, evalCase }));
  }
  const [only] = cases;
  // A single case is for every trace, unless it names one of them: then it is for that one.
  const isForAll =
    cases.length === 1 && !traces.some((trace) => only!.id !== undefined && spokenNames(trace).includes(only!.id));
  const forAll = isForAll ? only : cases.find(({ id }) => id === undefined);
  if (forAll !== undefined) return traces.map((trace) => ({ trace, evalCase: forAll }));
  const plan = traces.map((trace) => ({ trace, named: cases.filter(({ id }) => spokenNames(trace).includes(id!)) }));
  const unnamed = plan.filter(({ named }) => named.length === 0);
  if (unnamed.length === 0) return plan.flatMap(({ trace, named }) => named.map((evalCase) => ({ trace, evalCase })));
  if (traces.length === 1) return cases.map((evalCase) => ({ trace: traces[0]!, evalCase }));
  throw new SpoorError(
    "score.no-case",
    `${file.file} has no case for ${unnamed
      .map(({ trace }) => trace.name)
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

export function needsJudge(config: EvaluatorConfig): boolean {
  const members = (config.params as { members?: readonly EvaluatorConfig[] }).members;
  return config.type === "llm_judge" || (config.type === "composite" && (members ?? []).some(needsJudge));
}

/** Traces that a case of the file names; all of them when its evaluators are for every trace, or when no case fits any. */
export function tracesWithCase(traces: readonly Trace[], { cases }: EvaluatorsFile): readonly Trace[] {
  if (cases.some(({ id }) => id === undefined)) return traces;
  const named = traces.filter((trace) => cases.some(({ id }) => spokenNames(trace).includes(id!)));
  return named.length === 0 ? traces : named;
}

async function scoreTrace(
  trace: Trace,
  { id, evaluators, task }: EvaluatorCase,
  passLine: number,
  options: RunEvaluatorsOptions,
): Promise<TraceScore> {
  const results = await runEvaluators(evaluators, subjectOfTrace(trace, task), options);
  return {
    trace: trace.name,
    key: trace.key,
    ...(trace.source.path === undefined ? {} : { path: trace.source.path }),
    ...(trace.source.entry === undefined ? {} : { entry: trace.source.entry }),
    ...(id === undefined ? {} : { caseId: id }),
    ...(id !== undefined && spokenNames(trace).includes(id) ? { ofCase: true } : {}),
    ...scoreCase(results, passLine),
    evaluators: results,
  };
}

/** The scores as a report; the gate trips below the pass line. */
export function buildScoreReport(
  traces: readonly Trace[],
  file: EvaluatorsFile,
  results: readonly TraceScore[],
): ScoreReport {
  const failed = results.filter((result) => result.status !== "passed");
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
      { role: "evaluators", path: file.file },
    ],
    results,
    diagnostics: file.diagnostics,
    coverage: coverageOf(traces, casesWithoutTrace(file, results)),
    gate: {
      failOn: "below pass line",
      tripped: failed.length > 0,
      reasons: failed.map((result) => ({
        code: result.reason === "ruled_out" ? "ruled_out" : "below_pass_line",
        subject: result.caseId ?? result.trace,
      })),
    },
  };
}

/** Cases of the file that no trace was scored by: unless one case was chosen, their silence would look like a pass. */
function casesWithoutTrace(file: EvaluatorsFile, results: readonly TraceScore[]): NotEvaluated[] {
  const scored = new Set(results.map((result) => result.caseId));
  return file.cases.flatMap(({ id }) =>
    id === undefined || scored.has(id) ? [] : [{ what: `case ${id}`, why: "no trace was scored by it" }],
  );
}
