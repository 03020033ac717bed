/** Which judge scores the runs of a target, and whether every case that needs one has one. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { EvaluatorConfig } from "@spoor/core/internal/evaluators/evaluation";
import type { EvalCase } from "./eval-suite.ts";
import type { Judge } from "./evaluators/run-context.ts";
import type { Environment } from "./interpolate.ts";
import { canJudge, judgeOfTarget } from "./judge-of-target.ts";
import type { Target } from "./load-targets.ts";

/** `name` is the target that an evaluator names as its judge. */
export type JudgeFinder = (target: Target, name: string | undefined) => readonly Judge[];

export interface JudgeSources {
  /** Judges of the command line; they come before those of the targets. */
  readonly judges: readonly Judge[];
  readonly targetNamed: (name: string) => Target;
  readonly env: Environment;
  readonly folder: string;
  readonly maxRetries?: number | undefined;
}

/** The judges of a target: those of the command line, its `judge_target`, or the target itself when it is a model. */
export function judgeFinder({ judges, targetNamed, env, folder, maxRetries }: JudgeSources): JudgeFinder {
  const known = new Map<string, Judge>();
  return (target, name) => {
    if (name === undefined && judges.length > 0) return judges;
    const own = target.judgeTargets ?? (canJudge(target) ? [target.name] : []);
    return (name === undefined ? own : [name]).map((judging) => {
      const from = judging === target.name ? target : targetNamed(judging);
      const found = known.get(judging) ?? judgeOfTarget(from, env, folder, { maxRetries });
      known.set(judging, found);
      return found;
    });
  };
}

/** Who will be asked about the runs of a case. */
export function judgesOfCase(evalCase: EvalCase, target: Target, judgeOf: JudgeFinder): readonly Judge[] {
  return judgeEntries(evalCase.evaluators).flatMap(({ names }) => names.flatMap((name) => judgeOf(target, name)));
}

/** Also those inside a composite. */
function judgeEntries(
  evaluators: readonly EvaluatorConfig[],
): readonly { readonly name: string; readonly names: readonly (string | undefined)[] }[] {
  return evaluators.flatMap(({ name, type, params }) => {
    const { target, members } = (params ?? {}) as JudgeParams;
    if (type === "composite") return judgeEntries(members ?? []);
    return type === "llm_judge" ? [{ name, names: target ?? [undefined] }] : [];
  });
}

interface JudgeParams {
  readonly target?: readonly string[];
  readonly members?: readonly EvaluatorConfig[];
}

/** A missing judge is found before the agent is asked and paid for, not after. */
export function requireJudge(evalCase: EvalCase, target: Target, judgeOf: JudgeFinder): void {
  for (const { name, names } of judgeEntries(evalCase.evaluators)) {
    if (names.every((wanted) => judgeOf(target, wanted).length > 0)) continue;
    throw new SpoorError(
      "judge.missing",
      `Evaluator "${name}" of case "${evalCase.id}" needs a judge, and none is configured.`,
      {
        at: evalCase.at,
        consequence: "Nothing was run.",
        hint: `Name a model with --judge provider:model or with "judge_target" of target ${target.name}, or leave judges out with --no-judge.`,
      },
    );
  }
}
