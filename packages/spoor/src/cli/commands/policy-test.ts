import { dirname, resolve } from "node:path";
import type { Trace } from "@spoor/core";
import type { Policy, PolicyExample } from "@spoor/core/internal/policy/policy";
import { type PolicyTestReport, testPolicy } from "@spoor/core/internal/policy/test-policy";
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
import { loadKnownTools } from "../known-tools.ts";
import { loadOptions } from "../load-options.ts";
import { option } from "../option.ts";

export const policyTestCommand = defineCommand({
  description:
    "Each example names rules that must pass or fail on a small trace; a rule without both is listed as untested. " +
    "The rules themselves are looked at too: rules that contradict each other or can never apply, and names that none of the " +
    "agent's tools has, where traces or a list of tools say which it has. Without any, those of the configuration that names the " +
    "policy are taken. What is certain is an error and exits 1; what is likely is a warning, which --strict makes an error.",
  positionals: ["policy", "[traces...]"],
  options: {
    tools: option.texts(
      "a JSON file with the agent's tools: an MCP server's answer to tools/list, or definitions as a model API takes them",
      "FILE",
    ),
  },
  examples: [
    {
      run: "spoor policy test policies/refunds.yaml",
      does: "The file's own examples; exit 1 if one behaves otherwise.",
    },
    {
      run: "spoor policy test policies/refunds.yaml baseline/ --tools tools.json",
      does: "Names in the rules are compared with the tools that the traces offer and the file lists.",
    },
  ],
  async run(args, io) {
    const policy = loadPolicy(args.policy, { cwd: io.cwd });
    const traces = new Map<PolicyExample, Trace>();
    for (const example of policy.examples) traces.set(example, await traceOf(example, policy, args, io));
    const { known, paths } = await loadKnownTools(args, io);
    const report: PolicyTestReport = {
      schema: "spoor.policy-test/1",
      tool: toolInfo,
      inputs: [
        { role: "policy" as const, path: args.policy },
        ...paths.map((path) => ({ role: "trace" as const, path })),
      ],
      ...testPolicy(policy, (example) => traces.get(example)!, known),
    };
    const isWrong = report.failed + report.errors > 0 || (args.strict && report.warnings > 0);
    const code = isWrong ? exitCode.gateTripped : exitCode.ok;
    await emitReport(
      report,
      { terminal: (one, style) => writeTerminal(describePolicyTest(one, code), style), json: writeJson },
      args,
      io,
    );
    return code;
  },
});

async function traceOf(example: PolicyExample, policy: Policy, args: CommonValues, io: Io): Promise<Trace> {
  if (example.records !== undefined) return buildTrace(example.records);
  const folder = dirname(resolve(io.cwd, example.at.file ?? policy.file ?? "."));
  return loadTrace(resolve(folder, example.trace!), loadOptions(args, io));
}
