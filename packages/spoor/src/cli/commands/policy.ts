import { command, defineGroup } from "../command.ts";

export const policyCommand = defineGroup({
  examples: [
    { run: "spoor policy explain policies/refunds.yaml", does: "Each rule in one sentence." },
    {
      run: "spoor policy test policies/refunds.yaml",
      does: "The file's own examples; exit 1 if one behaves otherwise.",
    },
  ],
<<<<<<< HEAD
  subcommands: [
    command(
      "explain",
      "Print each rule as one English sentence",
      async () => (await import("./policy-explain.ts")).policyExplainCommand,
    ),
    command(
      "test",
      "Run the examples that the policy carries",
      async () => (await import("./policy-test.ts")).policyTestCommand,
    ),
  ],
=======
  async run(args, io): Promise<ExitCode> {
    if (args.action !== "explain" && args.action !== "test") {
      throw usageError(`policy knows explain and test, not "${args.action}".`, "spoor policy explain FILE");
    }
    const policy = loadPolicy(args.policy, { cwd: io.cwd });
    const header = { tool: toolInfo, inputs: [{ role: "policy" as const, path: args.policy }] };
    if (args.action === "explain") {
      const report = { schema: "spoor.policy/1", ...header, ...listOfRules(policy) };
      await emitReport(report, { terminal: renderExplanation, json: writeJson }, args, io);
      return exitCode.ok;
    }
    const traces = new Map<PolicyExample, Trace>();
    for (const example of policy.examples) traces.set(example, await traceOf(example, policy, args, io));
    const report = {
      schema: "spoor.policy-test/1",
      ...header,
      ...testPolicy(policy, (example) => traces.get(example)!),
    };
    await emitReport(report, { terminal: renderPolicyTest, json: writeJson }, args, io);
    return report.failed > 0 ? exitCode.gateTripped : exitCode.ok;
  },
>>>>>>> 729a39c (A check is described once: terminal, Markdown, HTML, plain text, JUnit, SARIF, CTRF and annotations follow)
});
