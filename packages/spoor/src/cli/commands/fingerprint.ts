import {
  agentFamilies,
  type FingerprintReport,
  type TraceFingerprint,
} from "@spoor/core/internal/fingerprint/fingerprint-report";
import { chooseMode, FINGERPRINT_VERSION, fingerprintModes } from "@spoor/core/internal/fingerprint/mode";
import type { RunFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { fingerprintReduction } from "../../load/reduce-runs.ts";
import { toolInfo } from "../../tool-info.ts";
import { forEachRun } from "../baseline/load-runs.ts";
import { loadProjectSettings } from "../baseline/settings.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { option } from "../option.ts";
import { tracesOf } from "../project.ts";
import { fingerprintKind } from "../reports/fingerprint-kind.ts";

export const fingerprintCommand = defineCommand({
  description:
    "The hash covers the order of model calls, tools and endpoints and nothing anyone said. Runs that differ only in texts, " +
    "arguments, results or times share it. With many traces, also how many distinct behaviours and families each agent has.",
  positionals: ["[traces...]"],
  options: {
    mode: option.choice(
      fingerprintModes,
      undefined,
      "sequence: order counts (default); structural: only the set of steps",
    ),
    agent: option.text("only this agent; runs that name none count as its own", "NAME"),
  },
  examples: [
    { run: "spoor fingerprint run.agentlog", does: "The hash, the string behind it and the path." },
    { run: "spoor fingerprint traces/ --mode structural", does: "Ignore order and repetitions." },
    { run: "spoor fingerprint traces/ --format json", does: "Every string and shape, for scripts." },
  ],
  async run(args, io) {
    const project = await loadProjectSettings(args, io);
    const mode = chooseMode({ flag: args.mode, environment: io.env, config: project.mode });
    const options = { mode, modelAliases: project.modelAliases ?? {}, agent: args.agent };
    const traces: TraceFingerprint[] = [];
    const runs: RunFacts[] = [];
    const loaded = await forEachRun(
      await tracesOf(args.traces, "fingerprint", args, io),
      fingerprintReduction,
      options,
      args,
      io,
      ({ facts, fingerprint }) => {
        traces.push(fingerprint);
        runs.push(facts);
      },
    );
    const report: FingerprintReport = {
      schema: "spoor.fingerprint/1",
      tool: toolInfo,
      inputs: loaded.inputs,
      mode,
      hashVersion: FINGERPRINT_VERSION,
      traces,
      agents: agentFamilies(runs),
      coverage: loaded.coverage,
      gate: { failOn: "none", tripped: false, reasons: [] },
    };
    const exitCode = fingerprintKind.exitCode(report);
    await emitReport(report, fingerprintKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
    return exitCode;
  },
});
