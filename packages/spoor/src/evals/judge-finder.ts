/** Which judge scores the runs of a target, and whether every case that needs one has one. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { EvalCase } from "./eval-suite.ts";
import type { Judge } from "./evaluators/run-context.ts";
import type { Environment } from "./interpolate.ts";
import { canJudge, judgeOfTarget } from "./judge-of-target.ts";
import type { Target } from "./load-targets.ts";

/** `name` is the target that an evaluator names as its judge. */
export type JudgeFinder = (target: Target, name: string | undefined) => Judge | undefined;

export interface JudgeSources {
  /** A judge of the command line; it comes before those of the targets. */
  readonly judge?: Judge | undefined;
  readonly targetNamed: (name: string) => Target;
  readonly env: Environment;
  readonly folder: string;
}

/** The judge of a target: the one of the command line, its `judge_target`, or the target itself when it is a model. */
export function judgeFinder({ judge, targetNamed, env, folder }: JudgeSources): JudgeFinder {
  const known = new Map<string, Judge>();
  return (target, name) => {
    if (name === undefined && judge !== undefined) return judge;
    const judging = name ?? target.judgeTarget ?? (canJudge(target) ? target.name : undefined);
    if (judging === undefined) return undefined;
    const found =
      known.get(judging) ?? judgeOfTarget(judging === target.name ? target : targetNamed(judging), env, folder);
    known.set(judging, found);
    return found;
  };
}

/** A missing judge is found before the agent is asked and paid for, not after. */
export function requireJudge(evalCase: EvalCase, target: Target, judgeOf: JudgeFinder): void {
  for (const { name, type, params } of evalCase.evaluators) {
    const wanted = (params as { readonly target?: string } | undefined)?.target;
    if (type !== "llm_judge" || judgeOf(target, wanted) !== undefined) continue;
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
