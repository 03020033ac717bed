/** Finds and loads the runs that the configuration names, and what else it names, and has them judged. */
import { join, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { GateReport, SideName } from "@spoor/core/internal/gate/gate-report";
import type { ReportInput } from "@spoor/core/internal/report/report";
import { configPaths, scenarioFiles } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";
import { readRunNote } from "../config/run-note.ts";
import { loadTraces } from "../load/load-traces.ts";
import type { LoadOptions } from "../load/read-trace-file.ts";
import { findSide, type SideFiles, separateSides, withTakenOut } from "../load/separate-sides.ts";
import { DECISIONS_JOURNAL, isUnfinished } from "../store/write-together.ts";
import { contentIdOf } from "./digest-file.ts";
import type { GateInput } from "./gate-input.ts";
import { judgeGate } from "./judge-gate.ts";
import { loadGateFiles } from "./load-gate.ts";

export interface RunGateOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  readonly load: LoadOptions;
  readonly sides?: { readonly baseline?: SideName; readonly candidate?: SideName };
}

/** The verdict, and the runs it is about. */
export interface GateRun {
  readonly report: GateReport;
  readonly candidate: readonly Trace[];
  readonly baseline: readonly Trace[];
}

export async function runGate(loaded: LoadedConfig, options: RunGateOptions): Promise<GateReport> {
  return (await runGateWithTraces(loaded, options)).report;
}

export async function runGateWithTraces(loaded: LoadedConfig, options: RunGateOptions): Promise<GateRun> {
  const { config } = loaded;
  refuseUnfinished(loaded);
  const judged = findRuns(loaded, "traces", options);
  const known = config.diff === undefined ? undefined : findRuns(loaded, "diff.baseline", options);
  const sides = separateSides(known === undefined ? [judged] : [judged, known]);
  const candidate = await loadTraces(sides.files[0]!, options.load);
  const baseline = known === undefined ? [] : await loadTraces(sides.files[1]!, options.load);
  const input: GateInput = {
    config,
    env: options.env,
    today: options.now.toISOString().slice(0, 10),
    candidate,
    baseline,
    ...earlyStopOf(loaded, options),
    ...(await loadGateFiles(loaded, options)),
  };
  const report = await judgeGate(input, {
    ...(options.sides === undefined ? {} : { sides: options.sides }),
    inputs: [...inputsOf(loaded, candidate, baseline, options.cwd)],
    coverage: (read) => withTakenOut(read, sides.takenOut),
  });
  return { report, candidate, baseline };
}

/** Half of what was decided is neither the old baseline nor the new one. */
function refuseUnfinished({ folder }: LoadedConfig): void {
  const journal = join(folder, DECISIONS_JOURNAL);
  if (!isUnfinished(journal)) return;
  throw new SpoorError("accept.unfinished", "Writing what was decided was interrupted, and is not finished.", {
    at: { file: journal },
    consequence: "Nothing was evaluated: the baseline is partly old and partly new.",
    hint: "spoor accept finishes it.",
  });
}

/** Runs that lie in the folder of an early stop are not all that were planned. */
function earlyStopOf(loaded: LoadedConfig, { cwd }: RunGateOptions): Pick<GateInput, "earlyStop"> {
  const [folder, ...others] = configPaths(loaded, "traces", cwd);
  const earlyStop =
    folder === undefined || others.length > 0 ? undefined : readRunNote(resolve(cwd, folder))?.earlyStop;
  return earlyStop === undefined ? {} : { earlyStop };
}

function findRuns(loaded: LoadedConfig, key: "traces" | "diff.baseline", options: RunGateOptions): SideFiles {
  const resolved = configPaths(loaded, key, options.cwd);
  try {
    return findSide(resolved);
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
    hint: howToRecord(loaded, key),
    cause: error,
  });
}

/** Where the configuration says how to run the agent, Spoor makes the runs. */
export function howToRecord({ config }: LoadedConfig, key: "traces" | "diff.baseline"): string {
  if (config.run === undefined) return `Record runs there, in any format of spoor formats, or change "${key}".`;
  return key === "traces"
    ? "Make them: spoor gate --run"
    : "Make them, with the agent as it should be: spoor record --baseline";
}

/** Every file that went in, with its digest, so that a statement about this gate can name what it judged. */
function* inputsOf(
  loaded: LoadedConfig,
  candidate: readonly Trace[],
  baseline: readonly Trace[],
  cwd: string,
): Generator<ReportInput> {
  yield { role: "config", path: loaded.file, ...contentIdOf(resolve(cwd, loaded.file)) };
  for (const [role, traces] of [
    ["baseline", baseline],
    ["candidate", candidate],
  ] as const) {
    for (const path of new Set(traces.map((trace) => trace.source.path ?? "-"))) {
      const full = resolve(cwd, path);
      yield { role, path, ...contentIdOf(full) };
    }
  }
}

/** A configuration without any lens evaluates nothing, and nothing evaluated is no pass. */
export function requireLens(loaded: LoadedConfig): void {
  const { diff, policy, baseline, trajectory } = loaded.config;
  if (diff !== undefined || policy !== undefined || baseline !== undefined || trajectory !== undefined) return;
  // Eval files that give the tasks also say what is expected.
  if (scenarioFiles(loaded, ".").length > 0) return;
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
