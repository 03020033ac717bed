import { checkTraces } from "@spoor/core/internal/policy/check-report";
import { loadPolicy } from "../../load/load-policy.ts";
import { loadTraces } from "../../load/load-traces.ts";
import { toolInfo } from "../../tool-info.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import { loadOptions } from "../load-options.ts";
import { option, usageError } from "../option.ts";
import { checkExitCode, checkKind } from "../reports/check-kind.ts";

const FAIL_ON = ["none", "never", "minor", "moderate", "severe"] as const;

export const checkCommand = defineCommand({
  description:
    "Every rule of the policy on every trace. Info counts as minor, warning as moderate, error and critical as severe. " +
    "A policy with a problem checks nothing and exits 2; a rule that lacks its evidence is listed as not evaluated and exits 2 too, unless --lenient accepts that. " +
    "A rule that found nothing to look at is marked ? and counts as neither kept nor broken; where none found anything the exit code is 2.",
  positionals: ["traces..."],
  options: {
    policy: option.path("the policy: a YAML or JSON file, or a pack such as spoor:refunds"),
    failOn: option.choice(FAIL_ON, "severe", "exit 1 at violations of this severity or worse"),
    noun: option.text("what one trace is called in the report (default trace)", "WORD"),
  },
  examples: [
    { run: "spoor check candidate/ --policy policies/refunds.yaml", does: "Every trace of a folder." },
    {
      run: "spoor check run.jsonl --policy spoor:coding-agent --fail-on moderate",
      does: "A pack that comes with Spoor; warnings block.",
    },
  ],
  async run(args, io) {
    if (args.policy === undefined) throw usageError("check needs a policy.", "spoor check TRACE --policy FILE");
    const policy = loadPolicy(args.policy, { cwd: io.cwd });
    const traces = await loadTraces(args.traces, loadOptions(args, io));
    const report = checkTraces(traces, policy, {
      tool: toolInfo,
      inputs: [
        { role: "policy" as const, path: args.policy },
        ...[...new Set(traces.map((trace) => trace.source.path ?? "-"))].map((path) => ({
          role: "trace" as const,
          path,
        })),
      ],
      failOn: args.failOn === "never" ? "none" : args.failOn,
      today: io.now().toISOString().slice(0, 10),
    });
    const isDoubtful = report.rules.some((rule) => rule.doubts.some((doubt) => doubt.nearest !== undefined));
    const strictlyWrong = args.strict && (policy.warnings.length > 0 || isDoubtful);
    const code = strictlyWrong ? exitCode.couldNotRun : checkExitCode(report, { acceptUnjudged: args.lenient });
    const view = { noun: args.noun, exitCode: code, verbose: args.verbose };
    await emitReport(report, checkKind.renderers(report, view), args, io);
    return code;
  },
});
