/** The trajectory lens inside the gate: recorded traces under the evaluators of a file. */
import { dirname, resolve } from "node:path";
import type { ScoreReport, TraceScore } from "@spoor/core/evaluators/score-report";
import type { CheckPlace, CheckStatus, GateCheck } from "@spoor/core/gate/gate-report";
import type { NotEvaluated } from "@spoor/core/report/report";
import type { Config } from "../config/config.ts";
import { resolveConfigPath } from "../config/load-config.ts";
import { count } from "../document/words.ts";
import { createHttpJudge } from "../evals/evaluators/http-judge.ts";
import { loadEvaluators } from "../evals/load-evaluators.ts";
import { buildScoreReport, scoreTraces, tracesWithCase } from "../evals/score-traces.ts";
import type { GateInput } from "./gate-input.ts";
import type { LensOutcome } from "./lens-outcome.ts";
import { overrideFor } from "./threshold.ts";

export async function runTrajectoryLens(
  input: GateInput,
  settings: NonNullable<Config["trajectory"]>,
): Promise<LensOutcome> {
  const path = resolveConfigPath(input.loaded, settings.evaluators, input.cwd);
  const file = loadEvaluators(path, { cwd: input.cwd, strict: false, env: input.env });
  const results: TraceScore[] = [];
  const scored = tracesWithCase(input.candidate, file);
  for (const trace of scored) {
    const threshold = overrideFor(input.config, trace)?.trajectory?.threshold ?? settings.threshold;
    results.push(
      ...(await scoreTraces([trace], file, {
        folder: dirname(resolve(input.cwd, path)),
        env: input.env,
        threshold,
        ...(file.judge === undefined ? {} : { judge: createHttpJudge(file.judge) }),
      })),
    );
  }
  const report = buildScoreReport(scored, file, results);
  const checks = checksOf(report);
  const skipped = results.flatMap((result) =>
    result.evaluators
      .filter((evaluator) => evaluator.verdict === "skip")
      .map((evaluator) => ({ what: `${evaluator.name} (${result.trace})`, why: "skipped" })),
  );
  const without = input.candidate.length - scored.length;
  const notEvaluated: NotEvaluated[] =
    without === 0
      ? skipped
      : [...skipped, { what: "trajectory", why: `no case names ${count(without, "other trace")}` }];
  const worst = [...results].sort((left, right) => left.score - right.score)[0];
  const status: CheckStatus = results.length === 0 ? "not_evaluated" : report.gate.tripped ? "failed" : "passed";
  return {
    result: {
      lens: "trajectory",
      status,
      summary: summaryOf(worst, results.length),
      ...(worst === undefined || status !== "failed" ? {} : { begins: placeOf(worst) }),
    },
    checks,
    reasons: report.gate.reasons,
    notEvaluated,
    inputs: [{ role: "evaluators", path }],
    report: { trajectory: report },
  };
}

function summaryOf(worst: TraceScore | undefined, amount: number): string {
  if (worst === undefined) return "no trace was scored";
  if (worst.verdict === "pass") return `${amount} of ${amount} pass`;
  const evaluator = [...worst.evaluators]
    .filter(({ verdict }) => verdict !== "skip")
    .sort((left, right) => left.score - right.score)[0];
  const name = evaluator === undefined ? "score" : evaluator.name;
  return `${name} ${(evaluator?.score ?? worst.score).toFixed(2)}, pass line ${worst.passLine.toFixed(2)}`;
}

function placeOf(result: TraceScore): CheckPlace {
  return {
    trace: result.trace,
    key: result.key,
    ...(result.path === undefined ? {} : { path: result.path }),
    ...(result.entry === undefined ? {} : { entry: result.entry }),
  };
}

/** One check per trace and evaluator. */
function checksOf(report: ScoreReport): GateCheck[] {
  return report.results.flatMap((result) =>
    result.evaluators.map((evaluator): GateCheck => {
      const below = result.verdict !== "pass" && evaluator.verdict !== "pass" && evaluator.verdict !== "skip";
      return {
        lens: "trajectory",
        name: `${evaluator.name} (${result.trace})`,
        status:
          evaluator.error !== undefined
            ? "not_evaluated"
            : below
              ? "failed"
              : evaluator.verdict === "pass" || evaluator.verdict === "skip"
                ? "passed"
                : "warned",
        message: `${evaluator.name} scores ${evaluator.score.toFixed(2)}; the trace ${result.score.toFixed(2)} with a pass line of ${result.passLine.toFixed(2)}.`,
        places: below ? [placeOf(result)] : [],
      };
    }),
  );
}
