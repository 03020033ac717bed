import { dirname, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import { listOfRules } from "@spoor/core/policy/explain-policy";
import type { Policy, PolicyExample } from "@spoor/core/policy/policy";
import { testPolicy } from "@spoor/core/policy/test-policy";
import { buildTrace } from "@spoor/core/trace/build-trace";
import { loadPolicy } from "../../load/load-policy.ts";
import { loadTrace } from "../../load/load-traces.ts";
import { renderExplanation, renderPolicyTest } from "../../render/check/policy.ts";
import { renderJson } from "../../render/json.ts";
import { defineCommand } from "../command.ts";
import { emitReport } from "../emit-report.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { loadOptions } from "../load-options.ts";
import { usageError } from "../option.ts";
import { toolInfo } from "../version.ts";

export const policyCommand = defineCommand({
  name: "policy",
  summary: "Explain a policy, or run the examples it carries",
  description:
    "explain prints each rule as one English sentence. test runs the examples of the file: each names rules that must pass or " +
    "fail on a small trace; a rule without both is listed as untested.",
  positionals: ["action", "policy"],
  options: {},
  examples: [
    { run: "spoor policy explain policies/refunds.yaml", does: "Each rule in one sentence." },
    {
      run: "spoor policy test policies/refunds.yaml",
      does: "The file's own examples; exit 1 if one behaves otherwise.",
    },
    { run: "spoor policy explain spoor:prompt-injection", does: "A pack that comes with Spoor." },
  ],
  async run(args, io): Promise<ExitCode> {
    if (args.action !== "explain" && args.action !== "test") {
      throw usageError(`policy knows explain and test, not "${args.action}".`, "spoor policy explain FILE");
    }
    const policy = loadPolicy(args.policy, { cwd: io.cwd });
    const header = { tool: toolInfo, inputs: [{ role: "policy" as const, path: args.policy }] };
    if (args.action === "explain") {
      const report = { schema: "spoor.policy/1", ...header, ...listOfRules(policy) };
      await emitReport(report, { terminal: renderExplanation, json: renderJson }, args, io);
      return exitCode.ok;
    }
    const traces = new Map<PolicyExample, Trace>();
    for (const example of policy.examples) traces.set(example, await traceOf(example, policy, args, io));
    const report = {
      schema: "spoor.policy-test/1",
      ...header,
      ...testPolicy(policy, (example) => traces.get(example)!),
    };
    await emitReport(report, { terminal: renderPolicyTest, json: renderJson }, args, io);
    return report.failed > 0 ? exitCode.gateTripped : exitCode.ok;
  },
});

async function traceOf(
  example: PolicyExample,
  policy: Policy,
  args: Parameters<typeof loadOptions>[0],
  io: Parameters<typeof loadOptions>[1],
): Promise<Trace> {
  if (example.records !== undefined) return buildTrace(example.records);
  const folder = dirname(resolve(io.cwd, example.at.file ?? policy.file ?? "."));
  return loadTrace(resolve(folder, example.trace!), loadOptions(args, io));
}
