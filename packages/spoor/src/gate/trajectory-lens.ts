/** Runs the trajectory lens for the gate: recorded traces under the evaluators of a file. */
import type { ScoreReport, TraceScore } from "@spoor/core/internal/evaluators/score-report";
import type { NotEvaluated } from "@spoor/core/internal/report/report";
import { count } from "../document/words.ts";
import { createHttpJudge } from "../evals/evaluators/http-judge.ts";
import { judgeInEnvironment } from "../evals/redact.ts";
import { buildScoreReport, scoreTraces, tracesWithCase } from "../evals/score-traces.ts";
import { createModelServers } from "../evals/servers/model-servers.ts";
import type { GateInput } from "./gate-input.ts";
import { overrideFor } from "./threshold.ts";

/** Undefined when no evaluators were asked for. */
export async function runTrajectoryLens(input: GateInput): Promise<ScoreReport | undefined> {
  const settings = input.config.trajectory;
  if (settings === undefined || input.evaluators === undefined) return undefined;
  const { file, folder } = input.evaluators;
  const results: TraceScore[] = [];
  const judges = (file.judges ?? []).map((judge) => judgeInEnvironment(createHttpJudge(judge), input.env));
  const servers = createModelServers();
  const scored = tracesWithCase(input.candidate, file);
  for (const trace of scored) {
    const threshold = overrideFor(input.config, trace)?.trajectory?.threshold ?? settings.threshold;
    results.push(
      ...(await scoreTraces([trace], file, {
        folder,
        env: input.env,
        threshold,
        judges,
        servers,
      })),
    );
  }
  const report = buildScoreReport(scored, file, results);
  const notEvaluated = [...report.coverage.notEvaluated, ...unnamed(input.candidate.length - scored.length)];
  return { ...report, coverage: { ...report.coverage, notEvaluated } };
}

function unnamed(traces: number): NotEvaluated[] {
  return traces === 0 ? [] : [{ what: "trajectory", why: `no case names ${count(traces, "other trace")}` }];
}
