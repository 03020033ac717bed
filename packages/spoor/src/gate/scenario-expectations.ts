/**
 * Eval files that give the agent its tasks also say what a good run does: each recording is scored by the case it is a run of. Evaluators that need a
 * judge are left to `spoor eval` and listed as not evaluated.
 */
import type { ScoreReport, TraceScore } from "@spoor/core/internal/evaluators/score-report";
import { sumCoverage } from "@spoor/core/internal/report/coverage";
import type { NotEvaluated } from "@spoor/core/internal/report/report";
import { spokenNames } from "@spoor/core/internal/trace/trace-name";
import type { EvaluatorsFile } from "../evals/load-evaluators.ts";
import { buildScoreReport, needsJudge, scoreTraces } from "../evals/score-traces.ts";
import type { GateInput, ScoringFile } from "./gate-input.ts";
import { overrideFor } from "./threshold.ts";

/** Undefined when no case expects anything. */
export async function scoreScenarios(input: GateInput): Promise<ScoreReport | undefined> {
  const reports: ScoreReport[] = [];
  for (const { file, folder } of input.scenarios) {
    const own = { file: withoutJudges(file), folder };
    const out = leftOut(file);
    if (own.file.cases.length > 0 || out.length > 0) reports.push(await scoreFile(own, out, input));
  }
  return mergeScores(reports);
}

async function scoreFile(
  { file, folder }: ScoringFile,
  out: readonly NotEvaluated[],
  input: GateInput,
): Promise<ScoreReport> {
  const results: TraceScore[] = [];
  const scored = input.candidate.filter((trace) => file.cases.some(({ id }) => spokenNames(trace).includes(id!)));
  for (const trace of scored) {
    const threshold = overrideFor(input.config, trace)?.trajectory?.threshold ?? input.config.trajectory?.threshold;
    const options = { folder, env: input.env, ...(threshold === undefined ? {} : { threshold }) };
    results.push(...(await scoreTraces([trace], file, options)));
  }
  const report = buildScoreReport(scored, file, results);
  return { ...report, coverage: sumCoverage([report.coverage], out) };
}

function withoutJudges(file: EvaluatorsFile): EvaluatorsFile {
  const cases = file.cases.map((one) => ({ ...one, evaluators: one.evaluators.filter((each) => !needsJudge(each)) }));
  return { ...file, cases: cases.filter(({ evaluators }) => evaluators.length > 0) };
}

function leftOut({ cases }: EvaluatorsFile): NotEvaluated[] {
  return cases.flatMap(({ id, evaluators }) =>
    evaluators
      .filter(needsJudge)
      .map(({ name }) => ({ what: `${name} of ${id}`, why: "it needs a model that judges, which spoor eval asks" })),
  );
}

/** Several files' scores as one report; undefined for none. */
export function mergeScores(reports: readonly (ScoreReport | undefined)[]): ScoreReport | undefined {
  const all = reports.filter((report) => report !== undefined);
  const [first, ...others] = all;
  if (first === undefined || others.length === 0) return first;
  const reasons = all.flatMap(({ gate }) => gate.reasons);
  return {
    ...first,
    inputs: [...new Map(all.flatMap(({ inputs }) => inputs).map((one) => [`${one.role} ${one.path}`, one])).values()],
    results: all.flatMap(({ results }) => results),
    diagnostics: all.flatMap(({ diagnostics }) => diagnostics),
    coverage: sumCoverage(all.map(({ coverage }) => coverage)),
    gate: { ...first.gate, tripped: reasons.length > 0, reasons },
  };
}
