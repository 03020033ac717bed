/** Runs the trajectory lens for the gate: recorded traces under the evaluators of a file. */
import { dirname, resolve } from "node:path";
import type { ScoreReport, TraceScore } from "@spoor/core/internal/evaluators/score-report";
import type { NotEvaluated } from "@spoor/core/internal/report/report";
import type { Config } from "../config/config.ts";
import { resolveConfigPath } from "../config/config-paths.ts";
import { count } from "../document/words.ts";
import { createHttpJudge } from "../evals/evaluators/http-judge.ts";
import { loadEvaluators } from "../evals/load-evaluators.ts";
import { judgeInEnvironment } from "../evals/redact.ts";
import { buildScoreReport, scoreTraces, tracesWithCase } from "../evals/score-traces.ts";
import { createModelServers } from "../evals/servers/model-servers.ts";
import type { GateInput } from "./gate-input.ts";
import { overrideFor } from "./threshold.ts";

export async function runTrajectoryLens(
  input: GateInput,
  settings: NonNullable<Config["trajectory"]>,
): Promise<ScoreReport> {
  const path = resolveConfigPath(input.loaded, settings.evaluators, input.cwd);
  const file = loadEvaluators(path, { cwd: input.cwd, strict: false, env: input.env });
  const results: TraceScore[] = [];
  const judges = (file.judges ?? []).map((judge) => judgeInEnvironment(createHttpJudge(judge), input.env));
  const servers = createModelServers();
  const scored = tracesWithCase(input.candidate, file);
  for (const trace of scored) {
    const threshold = overrideFor(input.config, trace)?.trajectory?.threshold ?? settings.threshold;
    results.push(
      ...(await scoreTraces([trace], file, {
        folder: dirname(resolve(input.cwd, path)),
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
