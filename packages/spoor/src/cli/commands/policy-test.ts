import { dirname, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import type { Policy, PolicyExample } from "@spoor/core/internal/policy/policy";
import { testPolicy } from "@spoor/core/internal/policy/test-policy";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { describePolicyTest } from "../../describe/policy.ts";
import { loadPolicy } from "../../load/load-policy.ts";
import { loadTrace } from "../../load/load-traces.ts";
import { toolInfo } from "../../tool-info.ts";
import { writeJson } from "../../write/json.ts";
import { writeTerminal } from "../../write/terminal/write-terminal.ts";
import { type CommonValues, defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { exitCode } from "../exit-code.ts";
import type { Io } from "../io.ts";
import { loadOptions } from "../load-options.ts";

export const policyTestCommand = defineCommand({
  description:
    "Each example names rules that must pass or fail on a small trace; a rule without both is listed as untested.",
  positionals: ["policy"],
  options: {},
  examples: [
    {
      run: "spoor policy test policies/refunds.yaml",
      does: "The file's own examples; exit 1 if one behaves otherwise.",
    },
  ],
  async run(args, io) {
    const policy = loadPolicy(args.policy, { cwd: io.cwd });
    const traces = new Map<PolicyExample, Trace>();
    for (const example of policy.examples) traces.set(example, await traceOf(example, policy, args, io));
    const report = {
      schema: "spoor.policy-test/1",
      tool: toolInfo,
      inputs: [{ role: "policy" as const, path: args.policy }],
      ...testPolicy(policy, (example) => traces.get(example)!),
    };
    await emitReport(
      report,
      { terminal: (one, style) => writeTerminal(describePolicyTest(one), style), json: writeJson },
      args,
      io,
    );
    return report.failed > 0 ? exitCode.gateTripped : exitCode.ok;
  },
});

async function traceOf(example: PolicyExample, policy: Policy, args: CommonValues, io: Io): Promise<Trace> {
  if (example.records !== undefined) return buildTrace(example.records);
  const folder = dirname(resolve(io.cwd, example.at.file ?? policy.file ?? "."));
  return loadTrace(resolve(folder, example.trace!), loadOptions(args, io));
}
