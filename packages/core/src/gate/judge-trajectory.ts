/** The trajectory's row: one check per trace and evaluator. */
import type { ScoreReport, TraceScore } from "../evaluators/score-report.ts";
import type { NotEvaluated } from "../report/report.ts";
import { present } from "../trace/present.ts";
import type { CheckPlace, CheckStatus, GateCheck, LensFacts } from "./gate-report.ts";
import type { LensJudgement } from "./lens-judgement.ts";

export function judgeTrajectory(report: ScoreReport): LensJudgement {
  const { results } = report;
  const worst = [...results].sort(failedThenLowest)[0];
  const status: CheckStatus = results.length === 0 ? "not_evaluated" : report.gate.tripped ? "failed" : "passed";
  return {
    result: {
      lens: "trajectory",
      status,
      facts: factsOf(results, worst),
      ...(worst === undefined || status !== "failed" ? {} : { begins: placeOf(worst) }),
    },
    checks: results.flatMap(checksOf),
    reasons: report.gate.reasons,
    notEvaluated: [...results.flatMap(skipped), ...report.coverage.notEvaluated],
  };
}

function factsOf(results: readonly TraceScore[], worst: TraceScore | undefined): LensFacts {
  const facts = {
    code: "trajectory",
    scores: results.length,
    passed: results.filter((result) => result.status === "passed").length,
  } as const;
  if (worst === undefined || worst.status === "passed") return facts;
  const isRuledOut = worst.reason === "ruled_out";
  const lowest = worst.evaluators
    .filter(({ status, ruledOut }) => (isRuledOut ? ruledOut : status !== "not_evaluated"))
    .sort(failedThenLowest)[0];
  const { passLine } = worst;
  return {
    ...facts,
    worst: present({
      evaluator: lowest?.name,
      score: lowest?.score ?? worst.score,
      passLine,
      ruledOut: isRuledOut || undefined,
    }),
  };
}

/** What is ruled out fails with any score, so failing comes before scoring low. */
function failedThenLowest(left: Scored, right: Scored): number {
  return Number(right.status === "failed") - Number(left.status === "failed") || left.score - right.score;
}

type Scored = Pick<TraceScore, "status" | "score">;

function placeOf({ trace, key, path, entry }: TraceScore): CheckPlace {
  return present({ trace, key, path, entry });
}

function checksOf(result: TraceScore): GateCheck[] {
  return result.evaluators.map(({ name, score, status, error, ruledOut }) => {
    const isFine = status !== "failed";
    const below = result.status !== "passed" && !isFine;
    return {
      lens: "trajectory",
      name: `${name} (${result.trace})`,
      status: error !== undefined ? "not_evaluated" : below ? "failed" : isFine ? "passed" : "warned",
      fact: {
        code: "score",
        evaluator: name,
        score,
        traceScore: result.score,
        passLine: result.passLine,
        ...(ruledOut && result.reason === "ruled_out" ? { ruledOut } : {}),
      },
      places: below ? [placeOf(result)] : [],
    };
  });
}

function skipped({ evaluators, trace }: TraceScore): NotEvaluated[] {
  return evaluators
    .filter(({ status }) => status === "not_evaluated")
    .map(({ name }) => ({ what: `${name} (${trace})`, why: "skipped" }));
}
