/** One eval file made ready: its targets are opened once each, and every judge it needs is there. */
import { dirname, resolve } from "node:path";
import { requireConversation } from "./conversation/require-conversation.ts";
import { dryRunTarget } from "./dry-run-target.ts";
import type { EvalCase, EvalSuite } from "./eval-suite.ts";
import type { Judge } from "./evaluators/run-context.ts";
import type { Environment, UsedVariable } from "./interpolate.ts";
import { type JudgeFinder, judgeFinder, requireJudge } from "./judge-finder.ts";
import { loadTargets, type Target } from "./load-targets.ts";
import type { PreparedSuite } from "./plan-runs.ts";
import { findProjectRoot } from "./project-root.ts";

export interface SuiteOptions {
  readonly cwd: string;
  /** From `--target`; empty: what the files say. */
  readonly targets: readonly string[];
  readonly targetsFile?: string;
  readonly dryRun: boolean;
  /** Judges of the command line; they come before those of the targets. */
  readonly judges?: readonly Judge[];
  /** Further attempts at a judge that does not say how many. */
  readonly maxRetries?: number;
  readonly withoutJudge: boolean;
}

export interface SuiteWithJudges {
  readonly prepared: PreparedSuite;
  readonly judgeOf: JudgeFinder;
}

/** Variables that opening a target looks up are added to `used`. */
export function prepareSuite(
  suite: EvalSuite,
  env: Environment,
  options: SuiteOptions,
  used: UsedVariable[],
): SuiteWithJudges {
  const folder = dirname(resolve(options.cwd, suite.file));
  const targetNamed = onceEach(targetOpener(folder, env, options, used));
  const targetsOf = (evalCase: EvalCase) => targetNames(suite, evalCase, options.targets).map(targetNamed);
  const judgeOf = judgeFinder({
    judges: options.judges ?? [],
    targetNamed,
    env,
    folder,
    maxRetries: options.maxRetries,
  });
  const userOf = ({ conversation }: EvalCase) => {
    const by = conversation?.user?.by;
    return by !== undefined && "target" in by ? targetNamed(by.target) : undefined;
  };
  for (const evalCase of suite.cases) {
    userOf(evalCase);
    for (const target of targetsOf(evalCase)) requireConversation(evalCase, target);
  }
  if (!options.withoutJudge) {
    for (const evalCase of suite.cases) {
      if (evalCase.skip !== undefined) continue;
      for (const name of targetNames(suite, evalCase, options.targets))
        requireJudge(evalCase, targetNamed(name), judgeOf);
    }
  }
  return { prepared: { suite, env, targetsOf, userOf, folder }, judgeOf };
}

/** The command line's targets, else the case's own, else the file's, else `default`. */
function targetNames(suite: EvalSuite, evalCase: EvalCase, asked: readonly string[]): readonly string[] {
  if (asked.length > 0) return asked;
  return evalCase.targets ?? (suite.targets.length > 0 ? suite.targets : ["default"]);
}

function targetOpener(
  folder: string,
  env: Environment,
  { dryRun, targetsFile, cwd }: SuiteOptions,
  used: UsedVariable[],
): (name: string) => Target {
  if (dryRun) return () => dryRunTarget;
  const file = loadTargets(targetsFile, folder, findProjectRoot(folder), cwd);
  return (name) => file.open(name, env, used);
}

function onceEach(open: (name: string) => Target): (name: string) => Target {
  const opened = new Map<string, Target>();
  return (name) => {
    const target = opened.get(name) ?? open(name);
    opened.set(name, target);
    return target;
  };
}
