/**
 * Everything the configuration asks for, one verdict. A lens that was asked for and could not answer makes the whole gate
 * "not evaluated"; a configuration that asks for nothing, or finds no trace, does too.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/errors";
import { type GateReport, type GateStatus, type Lens, lenses, type SideName } from "@spoor/core/gate/gate-report";
import { coverageOf } from "@spoor/core/report/coverage";
import type { NotEvaluated, ReportInput } from "@spoor/core/report/report";
import type { Config } from "../config/config.ts";
import { type LoadedConfig, resolveConfigPath } from "../config/load-config.ts";
import { loadTraces } from "../load/load-traces.ts";
import type { LoadOptions } from "../load/read-trace-file.ts";
import { toolInfo } from "../tool-info.ts";
import { runBaselineLens } from "./baseline-lens.ts";
import { runCohortLens } from "./cohort-lens.ts";
import { runDiffLens } from "./diff-lens.ts";
import { digestFile } from "./digest-file.ts";
import type { GateInput } from "./gate-input.ts";
import type { LensOutcome } from "./lens-outcome.ts";
import { loadGatePolicy, newViolations, runPolicyLens } from "./policy-lens.ts";
import { runTrajectoryLens } from "./trajectory-lens.ts";

export interface RunGateOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  readonly load: LoadOptions;
  readonly sides?: { readonly baseline?: SideName; readonly candidate?: SideName };
}

export async function runGate(loaded: LoadedConfig, options: RunGateOptions): Promise<GateReport> {
  const { config } = loaded;
  const candidate = await loadSide(loaded, "traces", config.traces, options);
  const baseline =
    config.diff === undefined ? [] : await loadSide(loaded, "diff.baseline", config.diff.baseline, options);
  const input: GateInput = {
    loaded,
    config,
    cwd: options.cwd,
    env: options.env,
    today: options.now.toISOString().slice(0, 10),
    candidate,
    baseline,
  };
  const outcomes = await runLenses(input);
  return assemble(input, outcomes, [...inputsOf(loaded, candidate, baseline, options.cwd)], options);
}

async function loadSide(
  loaded: LoadedConfig,
  key: "traces" | "diff.baseline",
  paths: string | readonly string[],
  options: RunGateOptions,
): Promise<Trace[]> {
  const resolved = [paths].flat().map((path) => resolveConfigPath(loaded, path, options.cwd));
  try {
    return await loadTraces(resolved, options.load);
  } catch (error) {
    throw error instanceof SpoorError && error.code.startsWith("input.") ? noRuns(loaded, key, resolved, error) : error;
  }
}

/** The first thing people meet after `spoor init`: the configuration is fine, the runs are not there yet. */
function noRuns(
  loaded: LoadedConfig,
  key: "traces" | "diff.baseline",
  paths: readonly string[],
  error: SpoorError,
): SpoorError {
  const whose = key === "traces" ? "runs to judge" : "runs to compare with";
  return new SpoorError(error.code, `There are no ${whose}: ${loaded.file} expects them in ${paths.join(", ")}.`, {
    at: { file: loaded.file, path: key },
    consequence: `${error.message} Nothing was evaluated, and nothing evaluated is no pass.`,
    hint: `Record runs there, in any format of spoor formats, or change "${key}".`,
    cause: error,
  });
}

/** The policy is loaded first: a rule file with a problem must stop everything before anything is judged. */
async function runLenses(input: GateInput): Promise<LensOutcome[]> {
  const { config } = input;
  const policy = loadGatePolicy(input);
  const outcomes: LensOutcome[] = [];
  const diff = config.diff === undefined ? undefined : runDiffLens(input, policy);
  if (policy !== undefined) outcomes.push(runPolicyLens(input, policy, newViolations(config, diff?.report.diff)));
  if (diff !== undefined) outcomes.push(diff);
  const cohort = runCohortLens(input);
  if (cohort !== undefined) outcomes.push(cohort);
  if (config.baseline !== undefined) outcomes.push(await runBaselineLens(input, config.baseline));
  if (config.trajectory !== undefined) outcomes.push(await runTrajectoryLens(input, config.trajectory));
  return outcomes;
}

function assemble(
  input: GateInput,
  outcomes: readonly LensOutcome[],
  inputs: ReportInput[],
  options: RunGateOptions,
): GateReport {
  const { config } = input;
  const reasons = outcomes.flatMap((outcome) => outcome.reasons);
  const notEvaluated: NotEvaluated[] = outcomes.flatMap((outcome) => outcome.notEvaluated);
  const status = statusOf(config, outcomes);
  const ordered = [...outcomes].sort(
    (left, right) => lenses.indexOf(left.result.lens) - lenses.indexOf(right.result.lens),
  );
  return {
    schema: "spoor.gate/1",
    tool: toolInfo,
    inputs: [...inputs, ...outcomes.flatMap((outcome) => outcome.inputs)],
    agent: config.agent,
    noun: config.noun,
    mode: config.mode,
    status,
    lead: leadOf(ordered),
    lenses: ordered.map((outcome) => outcome.result),
    checks: ordered.flatMap((outcome) => outcome.checks),
    seed: config.seed,
    ...(options.sides === undefined ? {} : { sides: options.sides }),
    reports: Object.assign({}, ...ordered.map((outcome) => outcome.report)) as GateReport["reports"],
    coverage: coverageOf([...input.baseline, ...input.candidate], notEvaluated),
    gate: {
      failOn: config.mode === "warn" ? "nothing (mode: warn)" : "per lens",
      tripped: status === "blocked",
      reasons,
    },
  };
}

function statusOf(config: Config, outcomes: readonly LensOutcome[]): GateStatus {
  if (outcomes.length === 0 || outcomes.some(({ result }) => result.status === "not_evaluated")) return "not_evaluated";
  if (outcomes.some(({ reasons }) => reasons.length > 0)) return config.mode === "warn" ? "warned" : "blocked";
  return outcomes.some(({ result }) => result.status === "warned") ? "warned" : "passed";
}

/** What could not be evaluated first, then what failed, then what warns; among equals the order of the lenses. */
function leadOf(outcomes: readonly LensOutcome[]): Lens | null {
  for (const status of ["not_evaluated", "failed", "warned", "passed"] as const) {
    const found = outcomes.find(({ result }) => result.status === status);
    // On a pass the diff says most: how many turns do the same.
    if (found !== undefined && status === "passed")
      return outcomes.find(({ result }) => result.lens === "diff")?.result.lens ?? found.result.lens;
    if (found !== undefined) return found.result.lens;
  }
  return null;
}

/** Every file that went in, with its digest, so that a statement about this gate can name what it judged. */
function* inputsOf(
  loaded: LoadedConfig,
  candidate: readonly Trace[],
  baseline: readonly Trace[],
  cwd: string,
): Generator<ReportInput> {
  yield { role: "config", path: loaded.file, contentId: digestFile(resolve(cwd, loaded.file)) };
  for (const [role, traces] of [
    ["baseline", baseline],
    ["candidate", candidate],
  ] as const) {
    for (const path of new Set(traces.map((trace) => trace.source.path ?? "-"))) {
      const full = resolve(cwd, path);
      yield { role, path, ...(existsSync(full) ? { contentId: digestFile(full) } : {}) };
    }
  }
}

/** A configuration without any lens evaluates nothing, and nothing evaluated is no pass. */
export function requireLens(loaded: LoadedConfig): void {
  const { diff, policy, baseline, trajectory } = loaded.config;
  if (diff !== undefined || policy !== undefined || baseline !== undefined || trajectory !== undefined) return;
  throw new SpoorError(
    "config.no-lens",
    `${loaded.file} asks for nothing: it has neither diff, policy, baseline nor trajectory.`,
    {
      at: { file: loaded.file },
      consequence: "Nothing was evaluated, and nothing evaluated is no pass.",
      hint: "Add a lens; spoor schema config lists every key.",
    },
  );
}
