/**
 * Everything a run needs, checked before the first agent is asked: eval files, evaluators, targets, environment, judges.
 * Whatever is wrong is an error now, not after half of the cases.
 */

import { dirname, resolve } from "node:path";
import { type Problem, SpoorError } from "@spoor/core/internal/errors";
import type { EvaluationSubject, EvaluatorResult } from "@spoor/core/internal/evaluators/evaluation";
import { runEvaluatorsWith } from "@spoor/core/internal/evaluators/run-evaluators";
import { Problems } from "@spoor/core/internal/read/located";
import { valueSource } from "@spoor/core/internal/read/source";
import type { EvalCase, EvalSuite } from "./eval-suite.ts";
import { evaluators } from "./evaluators/evaluators.ts";
import type { EvaluatorRunContext, Judge } from "./evaluators/run-context.ts";
import { type Environment, interpolate, type UsedVariable } from "./interpolate.ts";
import { canJudge, judgeOfTarget } from "./judge-of-target.ts";
import { loadEnvironment } from "./load-environment.ts";
import { loadEvalFiles } from "./load-eval-files.ts";
import { loadTargets, type Target } from "./load-targets.ts";
import type { PlannedRun, PreparedSuite } from "./plan-runs.ts";
import { findProjectRoot } from "./project-root.ts";
import { mockProvider } from "./providers/mock.ts";
import { createRedactor, type Redactor } from "./redact.ts";
import { TargetReader } from "./target-reader.ts";

export interface PrepareOptions {
  readonly cwd: string;
  readonly env: Environment;
  readonly strict: boolean;
  /** From `--target`; empty: what the files say. */
  readonly targets: readonly string[];
  readonly targetsFile?: string;
  readonly dryRun: boolean;
  /** A judge of the command line; it comes before those of the targets. */
  readonly judge?: Judge;
  readonly withoutJudge: boolean;
}

export interface PreparedEvals {
  readonly suites: readonly PreparedSuite[];
  readonly diagnostics: readonly Problem[];
  readonly redactor: Redactor;
  evaluate(
    run: PlannedRun,
    subject: EvaluationSubject,
    folder: string,
    signal: AbortSignal,
  ): Promise<readonly EvaluatorResult[]>;
}

export function prepareEvals(paths: readonly string[], options: PrepareOptions): PreparedEvals {
  const used: UsedVariable[] = [];
  const environments = new Map<string, Environment>();
  const judges = new Map<string, JudgeFinder>();
  const withoutJudge = options.withoutJudge || options.dryRun;
  const suites = loadEvalFiles(paths, {
    cwd: options.cwd,
    strict: options.strict,
    fill: (file) => (at) => interpolate(at, environmentOf(file), used),
  });
  const named = withDistinctNames(suites);
  const prepared = named.map(prepareSuite);
  return {
    suites: prepared,
    diagnostics: suites.flatMap((suite) => suite.diagnostics),
    redactor: createRedactor(used, { ...options.env, ...Object.assign({}, ...environments.values()) }),
    evaluate,
  };

  function environmentOf(file: string): Environment {
    const folder = dirname(resolve(options.cwd, file));
    let env = environments.get(file);
    if (env === undefined) {
      env = loadEnvironment(options.env, folder, findProjectRoot(folder));
      environments.set(file, env);
    }
    return env;
  }

  function prepareSuite(suite: EvalSuite): PreparedSuite {
    const folder = dirname(resolve(options.cwd, suite.file));
    const env = environmentOf(suite.file);
    const open = targetOpener(folder, env);
    const fallback =
      options.targets.length > 0 ? options.targets : suite.targets.length > 0 ? suite.targets : ["default"];
    const opened = new Map<string, Target>();
    const targetNamed = (name: string) => {
      const known = opened.get(name) ?? open(name);
      opened.set(name, known);
      return known;
    };
    const judgeOf = judgeFinder(targetNamed, env, folder);
    judges.set(suite.file, judgeOf);
    if (!withoutJudge) {
      for (const evalCase of suite.cases) {
        for (const name of namesFor(evalCase)) requireJudge(evalCase, targetNamed(name), judgeOf);
      }
    }
    return {
      suite,
      env,
      targetsOf: (evalCase) => namesFor(evalCase).map(targetNamed),
    };

    function namesFor(evalCase: EvalCase): readonly string[] {
      return options.targets.length > 0 ? options.targets : (evalCase.targets ?? fallback);
    }
  }

  function targetOpener(folder: string, env: Environment): (name: string) => Target {
    if (options.dryRun) return () => DRY_RUN;
    const file = loadTargets(options.targetsFile, folder, findProjectRoot(folder), options.cwd);
    return (name) => file.open(name, env, used);
  }

  /** The judge of a target: the one of the command line, its `judge_target`, or the target itself when it is a model. */
  function judgeFinder(targetNamed: (name: string) => Target, env: Environment, folder: string): JudgeFinder {
    const known = new Map<string, Judge>();
    return (target, name) => {
      if (name === undefined && options.judge !== undefined) return options.judge;
      const judging = name ?? target.judgeTarget ?? (canJudge(target) ? target.name : undefined);
      if (judging === undefined) return undefined;
      const judge =
        known.get(judging) ?? judgeOfTarget(judging === target.name ? target : targetNamed(judging), env, folder);
      known.set(judging, judge);
      return judge;
    };
  }

  /** A missing judge is found before the agent is asked and paid for, not after. */
  function requireJudge(evalCase: EvalCase, target: Target, judgeOf: JudgeFinder): void {
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

  function evaluate(
    run: PlannedRun,
    subject: EvaluationSubject,
    workspace: string,
    signal: AbortSignal,
  ): Promise<EvaluatorResult[]> {
    const context: EvaluatorRunContext = {
      folder: dirname(resolve(options.cwd, run.suite.file)),
      env: { ...run.env, SPOOR_WORKSPACE: workspace },
      signal,
      judge: (name) => judges.get(run.suite.file)?.(run.target, name),
      withoutJudge,
      evaluateAll: (members, inner) => runEvaluatorsWith(members, inner, evaluators, context),
    };
    return runEvaluatorsWith(run.evaluators, subject, evaluators, context);
  }
}

type JudgeFinder = (target: Target, name: string | undefined) => Judge | undefined;

/** Results refer to suites by name; two files of the same name are told apart by their paths. */
function withDistinctNames(suites: readonly EvalSuite[]): EvalSuite[] {
  const counts = new Map<string, number>();
  for (const { name } of suites) counts.set(name, (counts.get(name) ?? 0) + 1);
  return suites.map((suite) =>
    counts.get(suite.name)! > 1 ? { ...suite, name: `${suite.name} (${suite.file})` } : suite,
  );
}

const MOCK = { response: { text: '{"answer":"Mock dry-run response"}' } };

const DRY_RUN: Target = {
  name: "dry-run",
  providerName: "mock",
  provider: mockProvider.open(new TargetReader("dry-run", new Problems(valueSource(MOCK, "dry-run")).root(), "")),
  retry: { maxRetries: 0, initialDelayMs: 0, maxDelayMs: 0, backoffFactor: 1 },
  digest: "dry-run",
  settings: {},
};
