/** Suites × targets × repetitions → the runs to make, in the order in which results are written. */
import { digestJson } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import type { PlannedCase } from "@spoor/core/internal/evals/eval-report";
import type { EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import { globMatcher } from "@spoor/core/internal/text/glob";
import type { EvalCase, EvalSuite } from "./eval-suite.ts";
import type { Environment } from "./interpolate.ts";
import type { Target } from "./load-targets.ts";

export interface PlannedRun {
  readonly suite: EvalSuite;
  readonly case: EvalCase;
  readonly evaluators: readonly EvaluatorConfig[];
  readonly target: Target;
  readonly env: Environment;
  readonly run: number;
  readonly threshold: number;
  readonly timeoutMs: number;
  /** Position in the whole plan. */
  readonly index: number;
  readonly key: string;
}

export interface RunPlan {
  readonly runs: readonly PlannedRun[];
  readonly cases: readonly PlannedCase[];
}

/** A suite with everything that was looked up for it. */
export interface PreparedSuite {
  readonly suite: EvalSuite;
  readonly targetsOf: (evalCase: EvalCase) => readonly Target[];
  readonly env: Environment;
}

export interface PlanOptions {
  /** Glob on case ids. */
  readonly filter?: string;
  readonly repeat?: number;
  readonly threshold?: number;
  readonly timeoutMs?: number;
}

export const DEFAULT_THRESHOLD = 0.8;
export const DEFAULT_TIMEOUT_MS = 300_000;

export function planRuns(prepared: readonly PreparedSuite[], options: PlanOptions): RunPlan {
  const runs: PlannedRun[] = [];
  const cases: PlannedCase[] = [];
  const matches = options.filter === undefined ? () => true : filterMatcher(options.filter);
  for (const { suite, targetsOf, env } of prepared) {
    for (const evalCase of suite.cases) {
      if (!matches(evalCase.id)) continue;
      for (const target of targetsOf(evalCase)) {
        const repeat = options.repeat ?? evalCase.repeat ?? 1;
        const threshold = options.threshold ?? evalCase.threshold ?? DEFAULT_THRESHOLD;
        const timeoutMs = options.timeoutMs ?? evalCase.timeoutMs ?? target.timeoutMs ?? DEFAULT_TIMEOUT_MS;
        cases.push({ id: evalCase.id, suite: suite.name, file: suite.file, target: target.name, repeat, threshold });
        for (let run = 1; run <= repeat; run++) {
          const key = digestJson(
            [suite.file, evalCase.id, evalCase.digest, target.name, target.digest, threshold, run],
            16,
          );
          runs.push({
            suite,
            case: evalCase,
            evaluators: evalCase.evaluators,
            target,
            env,
            run,
            threshold,
            timeoutMs,
            index: runs.length,
            key,
          });
        }
      }
    }
  }
  if (runs.length === 0) throw nothingMatched(prepared, options.filter);
  return { runs, cases };
}

function nothingMatched(prepared: readonly PreparedSuite[], filter: string | undefined): SpoorError {
  const ids = prepared.flatMap(({ suite }) => suite.cases.map((evalCase) => evalCase.id));
  const shown = ids.slice(0, 10).join(", ");
  return new SpoorError("eval.no-cases", "No case is left to run.", {
    consequence: "Nothing was run.",
    ...(filter === undefined
      ? {}
      : { hint: `--filter ${filter} fits none of ${ids.length}: ${shown}${ids.length > 10 ? ", …" : ""}.` }),
  });
}

/** `*` and `?`; several patterns are separated by commas. */
export function filterMatcher(filter: string): (id: string) => boolean {
  const matchers = filter.split(",").map((part) => globMatcher(part.trim()));
  return (id) => matchers.some((fits) => fits(id));
}
