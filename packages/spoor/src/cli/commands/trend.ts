import { readdirSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { compareCodePoints } from "@spoor/core/internal/canonical/canonical-json";
import { SpoorError } from "@spoor/core/internal/errors";
import { trendReasons } from "@spoor/core/internal/fingerprint/judge-trend";
import { chooseMode, fingerprintModes } from "@spoor/core/internal/fingerprint/mode";
import type { RunFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { buildTrend, type TrendInput, type TrendReport } from "@spoor/core/internal/fingerprint/trend";
import { sumCoverage } from "@spoor/core/internal/report/coverage";
import { trendReduction } from "../../load/reduce-trend.ts";
import { findSide, separateSides, withTakenOut } from "../../load/separate-sides.ts";
import { toolInfo } from "../../tool-info.ts";
import { forEachRun, type LoadedRuns } from "../baseline/load-runs.ts";
import { loadProjectSettings } from "../baseline/settings.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { option } from "../option.ts";
import { trendKind } from "../reports/trend-kind.ts";

export const trendCommand = defineCommand({
  description:
    "Each path is one point of the series, in the order given: a file or a folder of traces. A single folder is taken " +
    "apart: each of its files and folders is a point. What counts as drift is what handing the same runs to the points by " +
    "chance would show in fewer than 1 of 20 series, over all questions together.",
  positionals: ["series..."],
  options: {
    mode: option.choice(
      fingerprintModes,
      undefined,
      "sequence: order counts (default); structural: only the set of steps",
    ),
    agent: option.text("only this agent; runs that name none count as its own", "NAME"),
    failOn: option.choice(
      ["none", "tools", "drift"],
      "none",
      "exit 1 when a tool is new or gone; or on drift: a new tool, or anything beyond chance (exit 2 when the runs cannot tell)",
    ),
  },
  examples: [
    { run: "spoor trend monday/ tuesday/ wednesday/", does: "Three points: what changed, and did it drift?" },
    { run: "spoor trend releases/ -o trend.svg", does: "Each entry of the folder is a point; also draw it." },
  ],
  async run(args, io) {
    const project = await loadProjectSettings(args, io);
    const mode = chooseMode({ flag: args.mode, environment: io.env, config: project.mode });
    const options = { mode, modelAliases: project.modelAliases ?? {}, agent: args.agent };
    const inputs: TrendInput[] = [];
    const loaded: LoadedRuns[] = [];
    const points = pointsOf(args.series);
    const sides = separateSides(points.map(({ path }) => findSide([path])));
    for (const [index, { name }] of points.entries()) {
      const runs: RunFacts[] = [];
      const responses: number[][][] = [];
      const scenarios: (string | undefined)[] = [];
      loaded.push(
        await forEachRun(sides.files[index]!, trendReduction, options, args, io, (run) => {
          runs.push(run.facts);
          responses.push(run.responses);
          scenarios.push(run.scenario);
        }),
      );
      inputs.push({ name, runs, responses, scenarios });
    }
    if (inputs.every((input) => input.runs.length === 0)) {
      throw new SpoorError("trend.no-runs", "No run was found in the series.", {
        consequence: "There is nothing to draw.",
      });
    }
    const trend = buildTrend(inputs, args.seed === undefined ? {} : { seed: args.seed });
    const reasons = trendReasons(trend.judgement, args.failOn);
    const report: TrendReport = {
      schema: "spoor.trend/1",
      tool: toolInfo,
      inputs: loaded.flatMap((one) => one.inputs),
      trend,
      coverage: withTakenOut(sumCoverage(loaded.map((one) => one.coverage)), sides.takenOut),
      gate: { failOn: args.failOn, tripped: reasons.length > 0, reasons },
    };
    const exitCode = trendKind.exitCode(report);
    await emitReport(report, trendKind.renderers(report, { exitCode, verbose: args.verbose }), args, io);
    return exitCode;
  },
});

function pointsOf(series: readonly string[]): { name: string; path: string }[] {
  const [only] = series;
  if (series.length === 1 && only !== undefined && statSync(only, { throwIfNoEntry: false })?.isDirectory()) {
    const names = readdirSync(only).filter(
      (name) => !name.startsWith(".") && !/\.(md|ya?ml|html|svg|txt)$/i.test(name),
    );
    return names.sort(compareCodePoints).map((name) => ({ name: withoutExtension(name), path: join(only, name) }));
  }
  const names = series.map((path) => withoutExtension(basename(path)));
  const unique = new Set(names).size === names.length;
  return series.map((path, index) => ({ name: unique ? names[index]! : path, path }));
}

function withoutExtension(name: string): string {
  return name.replace(/(\.(json|jsonl|agentlog|gz|ndjson))+$/i, "");
}
