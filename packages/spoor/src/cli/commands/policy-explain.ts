import { listOfRules } from "@spoor/core/internal/policy/explain-policy";
import { describeExplanation } from "../../describe/policy.ts";
import { loadPolicy } from "../../load/load-policy.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";

export const policyExplainCommand = defineCommand({
  positionals: ["policy"],
  options: {},
  examples: [
    { run: "spoor policy explain policies/refunds.yaml", does: "Each rule in one sentence." },
    { run: "spoor policy explain spoor:prompt-injection", does: "A pack that comes with Spoor." },
  ],
  async run(args, io) {
    const report = {
      schema: "spoor.policy/1",
      tool: toolInfo,
      inputs: [{ role: "policy" as const, path: args.policy }],
      ...listOfRules(loadPolicy(args.policy, { cwd: io.cwd })),
    };
    await emitReport(
      report,
      { terminal: (one, style) => writeTerminal(describeExplanation(one), style), json: writeJson },
      args,
      io,
    );
    return exitCode.ok;
  },
});
