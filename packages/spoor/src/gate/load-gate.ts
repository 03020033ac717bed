/** What the configuration names beside the runs, read from files: policies, baseline, prices, evaluators. */
import { dirname, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import type { ReportInput } from "@spoor/core/internal/report/report";
import { present } from "@spoor/core/internal/trace/present";
import type { Config } from "../config/config.ts";
import { resolveConfigPath, scenarioFiles } from "../config/config-paths.ts";
import { loadConfiguredPolicy, policyPaths } from "../config/configured-policy.ts";
import { requireKnownJudge } from "../config/known-run.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { createHttpJudge } from "../evals/evaluators/http-judge.ts";
import { judgeSettings } from "../evals/evaluators/judge-options.ts";
import { loadEvalFiles } from "../evals/load-eval-files.ts";
import { loadEvaluators } from "../evals/load-evaluators.ts";
import { judgeInEnvironment } from "../evals/redact.ts";
import { loadPricing } from "../load/load-pricing.ts";
import { createFileStore } from "../store/baseline-store.ts";
import { version } from "../tool-info.ts";
import { contentIdOf } from "./digest-file.ts";
import type { GateInput, ScoringFile } from "./gate-input.ts";

export interface GatePlace {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

type NamedFiles = Pick<GateInput, "policy" | "known" | "prices" | "judge" | "evaluators" | "scenarios">;

/** The policy first: a rule file with a problem must stop everything before anything is judged. */
export async function loadGateFiles(loaded: LoadedConfig, place: GatePlace): Promise<NamedFiles> {
  const { diff, baseline, trajectory } = loaded.config;
  return present({
    policy: namedPolicy(loaded, place),
    judge: diff?.judge === undefined ? undefined : namedJudge(loaded, diff.judge, place),
    prices:
      diff?.pricing === undefined
        ? undefined
        : loadPricing(resolveConfigPath(loaded, diff.pricing, place.cwd), place.cwd),
    known: baseline === undefined ? undefined : await namedBaseline(loaded, baseline.file, place),
    evaluators:
      trajectory === undefined
        ? undefined
        : scoringFile(resolveConfigPath(loaded, trajectory.evaluators, place.cwd), place),
    scenarios: namedScenarios(loaded, place),
  });
}

function namedPolicy(loaded: LoadedConfig, { cwd }: GatePlace): NamedFiles["policy"] {
  const policy = loadConfiguredPolicy(loaded, cwd);
  if (policy === undefined) return undefined;
  const inputs = policyPaths(loaded, cwd).map((path): ReportInput => {
    if (path.startsWith("spoor:")) return { role: "policy", path };
    return { role: "policy", path, ...contentIdOf(resolve(cwd, path)) };
  });
  return { policy, inputs };
}

function namedJudge(
  loaded: LoadedConfig,
  judge: NonNullable<NonNullable<Config["diff"]>["judge"]>,
  { env }: GatePlace,
): NamedFiles["judge"] {
  requireKnownJudge(loaded);
  return judgeInEnvironment(createHttpJudge(judgeSettings(judge, env)), env);
}

async function namedBaseline(loaded: LoadedConfig, file: string, { cwd }: GatePlace): Promise<NamedFiles["known"]> {
  const path = resolveConfigPath(loaded, file, cwd);
  const baseline = await createFileStore(resolve(cwd, path), { toolVersion: version }).load(loaded.config.agent);
  if (baseline === undefined) {
    throw new SpoorError("baseline.missing", `The baseline ${path} does not exist.`, {
      at: { file: path },
      consequence: "Nothing was evaluated: without a baseline every run would look new.",
      hint: `Make one from runs that show the behaviour to keep: spoor baseline build TRACES --baseline ${path}`,
    });
  }
  return { baseline, input: { role: "baseline", path, ...contentIdOf(resolve(cwd, path)) } };
}

function namedScenarios(loaded: LoadedConfig, place: GatePlace): ScoringFile[] {
  const paths = scenarioFiles(loaded, place.cwd);
  if (paths.length === 0) return [];
  return loadEvalFiles(paths, { cwd: place.cwd, strict: false }).map(({ file }) => scoringFile(file, place));
}

function scoringFile(path: string, { cwd, env }: GatePlace): ScoringFile {
  const file = loadEvaluators(path, { cwd, strict: false, env });
  return { file, folder: dirname(resolve(cwd, file.file)) };
}
