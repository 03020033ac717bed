/** Everything the configuration names, looked at as the gate would, one after the other instead of stopping at the first. */
import { resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { pairTraces } from "@spoor/core/internal/diff/pair-traces";
import { SpoorError } from "@spoor/core/internal/errors";
import { compareRuns } from "@spoor/core/internal/fingerprint/compare-baseline";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import type { Config } from "../config/config.ts";
import { configPaths, madeRuns, resolveConfigPath } from "../config/config-paths.ts";
import { type LoadedConfig, loadConfig } from "../config/load-config.ts";
import { ENOUGH_RUNS } from "../describe/service/overview.ts";
import { count, list } from "../document/words.ts";
import { loadEvaluators } from "../evals/load-evaluators.ts";
import { howToRecord, requireLens } from "../gate/run-gate.ts";
import { findFiles } from "../load/find-files.ts";
import { loadPolicy } from "../load/load-policy.ts";
import { loadPricing } from "../load/load-pricing.ts";
import { loadTraceFile } from "../load/load-traces.ts";
import type { LoadOptions } from "../load/read-trace-file.ts";
import { separateSides } from "../load/separate-sides.ts";
import { createFileStore } from "../store/baseline-store.ts";
import { version } from "../tool-info.ts";
import type { Area, Finding } from "./finding.ts";
import { findingOfError } from "./finding-of-error.ts";

const LISTED_FILES = 5;

export interface ProjectOptions {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly config: string | undefined;
  readonly load: LoadOptions;
  /** False when the parts of the HTML report are missing. */
  readonly canWriteHtml: boolean;
}

export async function examineProject(options: ProjectOptions): Promise<Finding[]> {
  let loaded: LoadedConfig | undefined;
  const findings: Finding[] = [];
  const look = async (area: Area, examine: () => Promise<readonly Finding[]> | readonly Finding[]) => {
    findings.push(...(await findingOfError(area, examine)));
  };
  await look("configuration", async () => {
    loaded = await loadConfig(options.config, options.cwd);
    requireLens(loaded);
    return [{ area: "configuration", status: "ok", what: describeConfig(loaded) }];
  });
  if (loaded === undefined) return findings;
  const found = loaded;
  const { config } = found;
  let candidate: readonly Trace[] = [];
  await look("traces", async () => {
    const side = await examineRuns("traces", found, options);
    candidate = side.traces;
    return side.findings;
  });
  if (config.diff !== undefined) await look("diff", () => examineDiff(found, config.diff!, candidate, options));
  for (const file of config.policy?.files ?? []) await look("policy", () => examinePolicy(found, file, options));
  if (config.policy?.violations === "new" && config.diff === undefined) findings.push(newNeedsDiff);
  if (config.baseline !== undefined)
    await look("baseline", () => examineBaseline(found, config.baseline!, candidate, options));
  if (config.trajectory !== undefined)
    await look("trajectory", () => examineTrajectory(found, config.trajectory!, options));
  await look("report", () => examineReports(found, options));
  return findings;
}

const newNeedsDiff: Finding = {
  area: "policy",
  status: "problem",
  what: "policy.violations is new, but there is no diff to tell new from old.",
  code: "config.new-needs-diff",
  fix: "Add diff.baseline to the configuration, or use violations: all.",
};

function describeConfig({ file, config }: LoadedConfig): string {
  const asked = (["diff", "policy", "baseline", "trajectory"] as const).filter((lens) => config[lens] !== undefined);
  return `${file}: agent ${config.agent}, mode ${config.mode}, asks for ${list(asked)}`;
}

async function examineRuns(
  area: "traces" | "diff",
  loaded: LoadedConfig,
  options: ProjectOptions,
): Promise<{ traces: Trace[]; findings: Finding[] }> {
  const key = area === "traces" ? "traces" : "diff.baseline";
  const resolved = configPaths(loaded, key, options.cwd);
  const { run, traces: named } = loaded.config;
  // Before the first `spoor gate --run` there are none, and nothing is wrong.
  if (area === "traces" && run !== undefined && named === undefined && madeRuns(loaded) === undefined)
    return { traces: [], findings: [{ area, status: "ok", what: "none yet: spoor gate --run makes them" }] };
  const files = resolved.flatMap((path) => filesAt(path, howToRecord(loaded, key)));
  const traces: Trace[] = [];
  const broken: string[] = [];
  for (const file of files) {
    try {
      traces.push(...(await loadTraceFile(file, options.load)));
    } catch (error) {
      if (!(error instanceof SpoorError)) throw error;
      broken.push(error.message);
    }
  }
  const agents = [...new Set(traces.flatMap((trace) => trace.agent ?? []))];
  const whose = agents.length === 0 ? "" : ` of ${list(agents.slice(0, 3))}`;
  const findings: Finding[] = [];
  if (traces.length > 0)
    findings.push({ area, status: "ok", what: `${resolved.join(", ")}: ${count(traces.length, "run")}${whose}` });
  if (broken.length > 0) {
    findings.push({
      area,
      status: "problem",
      what: `${count(broken.length, "file")} of ${files.length} cannot be read.`,
      details: [
        ...broken.slice(0, LISTED_FILES),
        ...(broken.length > LISTED_FILES ? [`and ${broken.length - LISTED_FILES} more`] : []),
      ],
      fix: "Record them again or take them away; spoor gate --lenient uses the good lines and counts the bad.",
    });
  }
  return { traces, findings };
}

function filesAt(path: string, hint: string): string[] {
  try {
    return findFiles(path);
  } catch (error) {
    if (!(error instanceof SpoorError)) throw error;
    throw new SpoorError(error.code, error.message, { hint });
  }
}

async function examineDiff(
  loaded: LoadedConfig,
  settings: NonNullable<Config["diff"]>,
  candidate: readonly Trace[],
  options: ProjectOptions,
): Promise<readonly Finding[]> {
  if (settings.pricing !== undefined)
    loadPricing(resolveConfigPath(loaded, settings.pricing, options.cwd), options.cwd);
  const { traces: all, findings: read } = await examineRuns("diff", loaded, options);
  const { traces, finding } = apartFrom(candidate, all);
  const findings = finding === undefined ? read : [...read, finding];
  if (candidate.length === 0 || traces.length === 0) return findings;
  const { pairs, onlyBaseline, onlyCandidate } = pairTraces(traces, candidate).matching;
  if (pairs === 0) {
    const fix = "Give runs of the same task the same file name, or record a scenario_id.";
    return [...findings, { area: "diff", status: "problem", what: "No run has a partner on the other side.", fix }];
  }
  const alone = onlyBaseline.length + onlyCandidate.length;
  if (alone === 0) return [...findings, { area: "diff", status: "ok", what: `${count(pairs, "pair")} to compare` }];
  const what = `${count(pairs, "pair")} to compare; ${count(alone, "run")} without a partner: ${[
    ...onlyBaseline,
    ...onlyCandidate,
  ]
    .slice(0, 3)
    .map(({ name }) => name)
    .join(", ")}${alone > 3 ? " and others" : ""}`;
  return [
    ...findings,
    { area: "diff", status: "warning", what, fix: "Record the missing runs, or accept that they are not compared." },
  ];
}

/** What the gate does with runs that stand on both sides, before they are paired. */
function apartFrom(
  candidate: readonly Trace[],
  baseline: readonly Trace[],
): { traces: readonly Trace[]; finding?: Finding } {
  const pathsOf = (traces: readonly Trace[]) => [...new Set(traces.flatMap(({ source }) => source.path ?? []))];
  const [judged, known] = [pathsOf(candidate), pathsOf(baseline)];
  if (judged.length === 0 || known.length === 0) return { traces: baseline };
  const { files, takenOut } = separateSides([
    { paths: ["traces"], files: judged },
    { paths: ["diff.baseline"], files: known },
  ]);
  if (takenOut.length === 0) return { traces: baseline };
  const kept = new Set(files[1]);
  return {
    traces: baseline.filter(({ source }) => source.path === undefined || kept.has(source.path)),
    finding: {
      area: "diff",
      status: "warning",
      what: `${list(takenOut.map(({ from, files: amount }) => `${count(amount, "file")} of ${from}`))} also stand on the other side, and count there alone.`,
      fix: "Keep the two apart: traces/baseline for the runs to compare with, traces/candidate for the runs to judge.",
    },
  };
}

function examinePolicy(loaded: LoadedConfig, file: string, { cwd }: ProjectOptions): Finding[] {
  const path = file.startsWith("spoor:") ? file : resolveConfigPath(loaded, file, cwd);
  const { rules, warnings } = loadPolicy(path, { cwd });
  return [
    rules.length === 0
      ? {
          area: "policy",
          status: "warning",
          what: `${path} has no rules.`,
          fix: "Add one, or take the file out of the configuration.",
        }
      : { area: "policy", status: "ok", what: `${path}: ${count(rules.length, "rule")}` },
    ...warnings.map(
      (warning): Finding => ({
        area: "policy",
        status: "warning",
        what: `${path}: ${warning.message}`,
        fix: "Correct the line, or delete it if it is not needed.",
      }),
    ),
  ];
}

async function examineBaseline(
  loaded: LoadedConfig,
  settings: NonNullable<Config["baseline"]>,
  candidate: readonly Trace[],
  { cwd }: ProjectOptions,
): Promise<Finding[]> {
  const path = resolveConfigPath(loaded, settings.file, cwd);
  const baseline = await createFileStore(resolve(cwd, path), { toolVersion: version }).load(loaded.config.agent);
  if (baseline === undefined) {
    throw new SpoorError("baseline.missing", `The baseline ${path} does not exist.`, {
      hint: `Make one from runs that show the behaviour to keep: spoor baseline build TRACES --baseline ${path}`,
    });
  }
  const facts = `${count(baseline.runCount, "run")}, ${count(baseline.intents.size, "behaviour")}`;
  const findings: Finding[] = [{ area: "baseline", status: "ok", what: `${path}: ${baseline.agent}, ${facts}` }];
  if (baseline.agent !== loaded.config.agent) {
    findings.push({
      area: "baseline",
      status: "warning",
      what: `${path} is the baseline of ${baseline.agent}; the configuration speaks of ${loaded.config.agent}.`,
      fix: `Set agent: ${baseline.agent}, or build a baseline of ${loaded.config.agent}.`,
    });
  }
  if (baseline.runCount < ENOUGH_RUNS && settings.unknownPath === "block" && loaded.config.mode === "block") {
    findings.push({
      area: "baseline",
      status: "warning",
      what: `It blocks unknown paths and knows only ${count(baseline.runCount, "run")}: new paths will be common.`,
      fix: `Record about ${ENOUGH_RUNS} runs of the agent as it should be, apart from the runs that the gate judges, and add them: spoor baseline build RECORDED --update. Until then: unknownPath: warn`,
    });
  }
  const options = { mode: baseline.mode, modelAliases: baseline.modelAliases ?? {}, agent: baseline.agent };
  const runs = candidate.map((trace) => ({ ...runFacts(trace, options), agent: baseline.agent }));
  for (const { what, before, now } of compareRuns(baseline, runs).differences) {
    findings.push({
      area: "baseline",
      status: "warning",
      what: `Recorded with another ${what}: ${list(before) || "none"}; now ${list(now) || "none"}.`,
      fix: "If that is meant, build it anew: spoor baseline build TRACES --replace",
    });
  }
  return findings;
}

function examineTrajectory(
  loaded: LoadedConfig,
  settings: NonNullable<Config["trajectory"]>,
  { cwd, env }: ProjectOptions,
): Finding[] {
  const path = resolveConfigPath(loaded, settings.evaluators, cwd);
  loadEvaluators(path, { cwd, strict: false, env });
  return [{ area: "trajectory", status: "ok", what: `${path}, pass line ${settings.threshold}` }];
}

function examineReports(loaded: LoadedConfig, { cwd, canWriteHtml }: ProjectOptions): Finding[] {
  const { link: _address, ...files } = loaded.config.report;
  const paths = Object.values(files).filter((file): file is string => file !== undefined);
  const written = paths.map((file) => resolveConfigPath(loaded, file, cwd));
  if (files.html !== undefined && !canWriteHtml) {
    const what = `${files.html} cannot be written: the HTML report's script and style are not built.`;
    const fix = "Install Spoor anew, or take report.html out of the configuration.";
    return [{ area: "report", status: "problem", what, code: "html.not-built", fix }];
  }
  return written.length === 0 ? [] : [{ area: "report", status: "ok", what: `will write ${list(written)}` }];
}
