/**
 * `spoor baseline review`: the same review, reached from the baseline. In a project whose configuration names a baseline it is
 * `spoor review`; without one, or where a baseline, an agent or a mode is named, only paths are looked at.
 */
import type { BaselineReport } from "@spoor/core/internal/fingerprint/baseline-report";
import { baselineVerdict } from "@spoor/core/internal/fingerprint/baseline-verdict";
import { summariseComparisons } from "@spoor/core/internal/fingerprint/summarise-comparisons";
import { gateComparisons } from "@spoor/core/internal/fingerprint/verdict";
import { buildGateReport } from "@spoor/core/internal/gate/build-gate-report";
import { DEFAULT_SEED } from "@spoor/core/internal/stats/random";
import type { Config } from "../../config/config.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import { cohortSettings } from "../../gate/cohort-lens.ts";
import type { GateRun } from "../../gate/run-gate.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { toolInfo } from "../../tool-info.ts";
import { defineCommand } from "../command.ts";
import { review } from "../commands/review.ts";
import { decideOptions, type OpenedCards, openCards } from "../decisions.ts";
import type { Io } from "../io.ts";
import { loadOptions } from "../load-options.ts";
import { findProject, tracesOf } from "../project.ts";
import { compareWithStore } from "./compare.ts";
import { baselinePath, type RunArgs, runOptions, withProject } from "./settings.ts";

export const reviewCommand = defineCommand({
  description:
    "The review of spoor review. Without a configuration that names a baseline, or with --baseline, --agent or --mode, it shows the " +
    "runs whose paths the baselines do not know, and nothing else is compared.",
  positionals: ["[traces...]"],
  options: { ...runOptions, ...decideOptions },
  examples: [
    { run: "spoor baseline review candidate/", does: "Look at the unknown paths, and accept or reject each." },
  ],
  run: async (args, io) => {
    const project = await findProject(args, io);
    const isProject = project?.config.baseline !== undefined;
    if (isProject && args.baseline === undefined && args.agent === undefined && args.mode === undefined)
      return review(await openCards(args, io, args.traces), args, io);
    const traces = await tracesOf(args.traces, "baseline review", args, io);
    return review(await openPaths({ ...(await withProject(args, io)) }, traces, io), args, io);
  },
});

/** Cards of unknown paths, of one agent or many. What a person turned down before is not shown again. */
async function openPaths(args: RunArgs, traces: readonly string[], io: Io): Promise<OpenedCards> {
  const loaded = standIn(args, io);
  const compare = async (): Promise<GateRun> => {
    const { comparisons, loaded: read } = await compareWithStore(args, traces, io);
    const gate = gateComparisons(comparisons, { failOn: "new", blocking: true, policy: [] });
    const baseline: BaselineReport = {
      schema: "spoor.baseline/1",
      tool: toolInfo,
      inputs: read.inputs,
      action: "compare",
      verdict: baselineVerdict(comparisons),
      agents: comparisons,
      summary: summariseComparisons(comparisons, gate),
      coverage: read.coverage,
      gate,
    };
    const candidate = await loadTraces(traces, loadOptions(args, io));
    const { config } = loaded;
    const agent = comparisons.length === 1 ? comparisons[0]!.agent : config.agent;
    const settings = {
      agent,
      noun: config.noun,
      mode: config.mode,
      seed: config.seed ?? DEFAULT_SEED,
      policy: { failOn: () => "severe" as const, violations: "all" as const },
      baseline: config.baseline!,
      cohort: cohortSettings(config),
    };
    const report = buildGateReport({ baseline }, settings, {
      tool: toolInfo,
      inputs: read.inputs,
      coverage: read.coverage,
      paths: new Map(candidate.flatMap(({ key, source }) => (source.path === undefined ? [] : [[key, source.path]]))),
    });
    const cards = report.cards.filter(({ behaviours }) => behaviours.some(({ rejected }) => !rejected));
    return { report: { ...report, cards }, candidate, baseline: [] };
  };
  return { loaded, run: await compare(), again: async () => (await compare()).report };
}

/** What a configuration would say, for a folder without one. */
function standIn(args: RunArgs, io: Io): LoadedConfig {
  const config: Config = {
    agent: args.agent ?? "agent",
    noun: "run",
    mode: "block",
    ...(args.seed === undefined ? {} : { seed: args.seed }),
    baseline: { file: baselinePath(args), unknownPath: "block", variant: "warn" },
    overrides: [],
    report: {},
  };
  return { file: baselinePath(args), folder: io.cwd, config };
}
