/** `spoor baseline show | history`: what a baseline holds and how it came to be. */

import { SpoorError } from "@spoor/core/internal/errors";
import type { Baseline } from "@spoor/core/internal/fingerprint/baseline";
import type { BaselineShowReport, ShownAgent } from "@spoor/core/internal/fingerprint/baseline-report";
import { behaviourPath } from "@spoor/core/internal/fingerprint/behaviour-path";
import { familiesOf } from "@spoor/core/internal/fingerprint/compare-baseline";
import { summariseFamily } from "@spoor/core/internal/fingerprint/fingerprint-report";
import { summariseRuns } from "@spoor/core/internal/fingerprint/statistics";
import { coverageOf } from "@spoor/core/internal/report/coverage";
import type { BaselineStore } from "../../store/baseline-store.ts";
import { toolInfo } from "../../tool-info.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { baselineKind } from "../reports/baseline-kind.ts";
import { baselinePath, type StoreArgs, storeOf, storeOptions, withProject } from "./settings.ts";

export const showCommand = defineCommand({
  positionals: ["[agents...]"],
  options: storeOptions,
  examples: [
    { run: "spoor baseline show", does: "Every agent: its behaviours, tools and families." },
    { run: "spoor baseline show support_agent", does: "One agent." },
  ],
  run: async (args, io) => showBaselines(await withProject(args, io), io, "show"),
});

export const historyCommand = defineCommand({
  positionals: ["[agents...]"],
  options: storeOptions,
  examples: [{ run: "spoor baseline history support_agent", does: "Every generation, and which can be put back." }],
  run: async (args, io) => showBaselines(await withProject(args, io), io, "history"),
});

async function showBaselines(
  args: StoreArgs & { readonly agents: readonly string[] },
  io: Io,
  action: "show" | "history",
): Promise<ExitCode> {
  const store = storeOf(args);
  const wanted = args.agent === undefined ? args.agents : [args.agent, ...args.agents];
  const agents = wanted.length > 0 ? wanted : await store.agents();
  if (agents.length === 0) throw noBaselines(args);
  const shown: ShownAgent[] = [];
  for (const agent of agents) {
    const baseline = await store.load(agent);
    if (baseline === undefined) throw noBaselines(args, agent);
    shown.push(await describe(baseline, store));
  }
  const report: BaselineShowReport = {
    schema: "spoor.baseline/1",
    tool: toolInfo,
    inputs: shown.map((agent) => ({ role: "baseline", path: agent.file })),
    action,
    agents: shown,
    coverage: coverageOf([]),
    gate: { failOn: "none", tripped: false, reasons: [] },
  };
  await emitReport(report, baselineKind.renderers(report, { exitCode: exitCode.ok, verbose: args.verbose }), args, io);
  return exitCode.ok;
}

async function describe(baseline: Baseline, store: BaselineStore): Promise<ShownAgent> {
  const intents = [...baseline.intents.values()].sort(
    (left, right) => right.runs - left.runs || (left.hash < right.hash ? -1 : 1),
  );
  return {
    agent: baseline.agent,
    file: store.fileOf(baseline.agent),
    updatedAt: baseline.updatedAt,
    generation: baseline.generation,
    mode: baseline.mode,
    hashVersion: baseline.hashVersion,
    runs: baseline.runCount,
    windowSize: baseline.windowSize,
    models: [...baseline.models.keys()].sort(),
    tools: [...baseline.tools.keys()].sort(),
    families: familiesOf(baseline).map((family) => summariseFamily(family, intents)),
    intents: intents.map((intent) => {
      const statistics = summariseRuns(intent.window);
      return {
        hash: intent.hash,
        name: intent.name ?? null,
        path: behaviourPath(intent.segments),
        runs: intent.runs,
        sampleCount: statistics.sampleCount,
        accepted: intent.accepted.size - 1,
        avgTokens: statistics.avgTokens ?? null,
        avgLatencyMs: statistics.latency?.avgMs ?? null,
        errorRate: statistics.errorRate,
      };
    }),
    rejected: [...baseline.rejected.keys()].sort(),
    history: baseline.history,
    archived: await store.archived(baseline.agent),
  };
}

function noBaselines(args: StoreArgs, agent?: string): SpoorError {
  const where = baselinePath(args);
  return new SpoorError(
    "baseline.missing",
    agent === undefined ? `There is no baseline in ${where}.` : `${agent} has no baseline in ${where}.`,
    {
      hint: "Make one first: spoor baseline build TRACES",
    },
  );
}
