import { command, defineGroup } from "../command.ts";

export const policyCommand = defineGroup({
  examples: [
    { run: "spoor policy explain policies/refunds.yaml", does: "Each rule in one sentence." },
    {
      run: "spoor policy test policies/refunds.yaml",
      does: "The file's own examples; exit 1 if one behaves otherwise.",
    },
  ],
  subcommands: [
    command(
      "explain",
      "Print each rule as one English sentence",
      async () => (await import("./policy-explain.ts")).policyExplainCommand,
    ),
    command(
      "test",
      "Run the examples that the policy carries, and look for rules that cannot work",
      async () => (await import("./policy-test.ts")).policyTestCommand,
    ),
  ],
});
