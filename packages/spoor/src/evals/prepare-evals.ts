/**
 * Everything a run needs, checked before the first agent is asked: eval files, evaluators, targets, environment, judges.
 * Whatever is wrong is an error now, not after half of the cases.
 */

import { dirname, resolve } from "node:path";
import type { Problem } from "@spoor/core/internal/errors";
import type { EvaluationSubject, EvaluatorConfig, EvaluatorResult } from "@spoor/core/internal/evaluators/evaluation";
import { runEvaluatorsWith } from "@spoor/core/internal/evaluators/run-evaluators";
import type { EvalSuite } from "./eval-suite.ts";
import { evaluators } from "./evaluators/evaluators.ts";
import type { EvaluatorRunContext, Judge, JudgeContext } from "./evaluators/run-context.ts";
import { type Environment, interpolate, type UsedVariable } from "./interpolate.ts";
import { judgesOfCase } from "./judge-finder.ts";
import { requireKnownSuite } from "./known-starts.ts";
import { loadEnvironment } from "./load-environment.ts";
import { loadEvalFiles } from "./load-eval-files.ts";
import type { PlannedRun, PreparedSuite } from "./plan-runs.ts";
import { prepareSuite, type SuiteOptions } from "./prepare-suite.ts";
import { findProjectRoot } from "./project-root.ts";
import { createRedactor, judgeWithoutSecrets, type Redactor } from "./redact.ts";
import { secretsOfSettings } from "./target-secrets.ts";

export interface PrepareOptions extends SuiteOptions {
  readonly env: Environment;
  readonly strict: boolean;
}

export interface PreparedEvals {
  readonly suites: readonly PreparedSuite[];
  readonly diagnostics: readonly Problem[];
  readonly redactor: Redactor;
  /** Everybody who will be asked about these runs. */
  judgesOf(runs: readonly PlannedRun[]): ReadonlySet<Judge>;
  evaluate(
    run: PlannedRun,
    subject: EvaluationSubject,
    folder: string,
    context: JudgeContext,
  ): Promise<readonly EvaluatorResult[]>;
}

export function prepareEvals(paths: readonly string[], given: PrepareOptions): PreparedEvals {
  const options = { ...given, withoutJudge: given.withoutJudge || given.dryRun };
  const used: UsedVariable[] = [];
  const environments = new Map<string, Environment>();
  const environmentOf = (file: string) => {
    const env = environments.get(file) ?? environmentBeside(file, options);
    environments.set(file, env);
    return env;
  };
  const suites = loadEvalFiles(paths, {
    cwd: options.cwd,
    strict: options.strict,
    fill: (file) => (at) => interpolate(at, environmentOf(file), used),
  });
  for (const { file } of suites) requireKnownSuite(file, options.cwd);
  const ready = withDistinctNames(suites).map((suite) => prepareSuite(suite, environmentOf(suite.file), options, used));
  for (const { workspace } of suites.flatMap((suite) => suite.cases))
    if (workspace !== undefined) used.push(...secretsOfSettings(workspace.env));
  const redactor = createRedactor(used, { ...options.env, ...Object.assign({}, ...environments.values()) });
  const judges = new Map(ready.map(({ prepared, judgeOf }) => [prepared.suite.file, judgeOf]));
  return {
    suites: ready.map(({ prepared }) => prepared),
    diagnostics: suites.flatMap((suite) => suite.diagnostics),
    redactor,
    judgesOf: (runs) => {
      const all = runs.flatMap(({ suite, case: evalCase, target }) => {
        const judgeOf = options.withoutJudge ? undefined : judges.get(suite.file);
        return judgeOf === undefined ? [] : judgesOfCase(evalCase, target, judgeOf);
      });
      return new Set(all);
    },
    evaluate: (run, subject, workspace, judging) => {
      const judgesOf = (name: string | undefined) =>
        (judges.get(run.suite.file)?.(run.target, name) ?? []).map((judge) => judgeWithoutSecrets(judge, redactor));
      const context = new RunContext(run, workspace, judging, judgesOf, options);
      return runEvaluatorsWith(run.evaluators, subject, evaluators, context);
    },
  };
}

/** A class for the sake of `env`: only evaluators that start a program ask for it, and copying it takes others longer than their own work. */
class RunContext implements EvaluatorRunContext {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly servers: JudgeContext["servers"];
  readonly sample: string;
  readonly onAnswer: NonNullable<JudgeContext["onAnswer"]>;
  readonly judges: EvaluatorRunContext["judges"];
  readonly withoutJudge: boolean;
  private readonly ofRun: Environment;
  private readonly workspace: string;

  constructor(
    run: PlannedRun,
    workspace: string,
    { signal, servers, sample = "", onAnswer = () => undefined }: JudgeContext,
    judges: EvaluatorRunContext["judges"],
    { cwd, withoutJudge }: PrepareOptions,
  ) {
    this.folder = dirname(resolve(cwd, run.suite.file));
    this.signal = signal;
    this.servers = servers;
    this.sample = sample;
    this.onAnswer = onAnswer;
    this.judges = judges;
    this.withoutJudge = withoutJudge;
    this.ofRun = run.env;
    this.workspace = workspace;
  }

  get env(): EvaluatorRunContext["env"] {
    return { ...this.ofRun, SPOOR_WORKSPACE: this.workspace };
  }

  evaluateAll(members: readonly EvaluatorConfig[], subject: EvaluationSubject): Promise<EvaluatorResult[]> {
    return runEvaluatorsWith(members, subject, evaluators, this as EvaluatorRunContext);
  }
}

function environmentBeside(file: string, { cwd, env }: PrepareOptions): Environment {
  const folder = dirname(resolve(cwd, file));
  return loadEnvironment(env, folder, findProjectRoot(folder));
}

/** Results refer to suites by name; two files of the same name are told apart by their paths. */
function withDistinctNames(suites: readonly EvalSuite[]): EvalSuite[] {
  const counts = new Map<string, number>();
  for (const { name } of suites) counts.set(name, (counts.get(name) ?? 0) + 1);
  return suites.map((suite) =>
    counts.get(suite.name)! > 1 ? { ...suite, name: `${suite.name} (${suite.file})` } : suite,
  );
}
