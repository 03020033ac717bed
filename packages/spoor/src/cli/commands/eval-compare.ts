/** `spoor eval compare`: two stored runs side by side, without running anything. */
import { basename } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { compareRuns, type StoredRun } from "@spoor/core/internal/evals/compare-runs";
import { loadComparable } from "../../evals/read-results.ts";
import { toolInfo } from "../../tool-info.ts";
import { defineCommand } from "../command.ts";
import { emitReport, requireFormats } from "../emit-report.ts";
import { option } from "../option.ts";
import { evalCompareKind } from "../reports/eval-compare-kind.ts";

export const evalCompareCommand = defineCommand({
  description:
    "Compares two results files of spoor eval: passes, score, cost, tokens and time, per case and in total, corrected for the number of cases. Nothing is run.",
  positionals: ["baseline", "candidate"],
  options: { noFail: option.flag("report only: exit 0 even when something got worse") },
  examples: [
    {
      run: "spoor eval compare .spoor/runs/main.jsonl .spoor/runs/branch.jsonl",
      does: "what the branch does worse or better",
    },
  ],
  async run(args, io) {
    requireFormats(evalCompareKind, args);
    const [baseline, candidate] = [args.baseline, args.candidate].map(stored);
    const report = compareRuns(baseline!, candidate!, {
      tool: toolInfo,
      inputs: [
        { role: "results", path: args.baseline },
        { role: "results", path: args.candidate },
      ],
      gate: !args.noFail,
    });
    if (report.cases.length === 0)
      throw new SpoorError("eval.no-baseline", `${args.baseline} and ${args.candidate} have no case in common.`, {
        consequence: "Nothing was compared.",
        hint: "Cases are found by the name of their suite and their id, and by their target where a file has several.",
      });
    const code = evalCompareKind.exitCode(report);
    await emitReport(report, evalCompareKind.renderers(report, { exitCode: code, verbose: args.verbose }), args, io);
    return code;
  },
});

function stored(file: string): StoredRun {
  return { label: basename(file).replace(/\.jsonl$/i, ""), file, records: loadComparable(file) };
}
