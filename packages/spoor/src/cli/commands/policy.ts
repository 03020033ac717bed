import { command, defineGroup } from "../command.ts";

export const policyCommand = defineGroup({
  examples: [
    { run: "spoor policy suggest baseline/", does: "Rules that hold in every run of a folder, as a policy file." },
    { run: "spoor policy explain policies/refunds.yaml", does: "Each rule in one sentence." },
    {
      run: "spoor policy test policies/refunds.yaml",
      does: "The file's own examples; exit 1 if one behaves otherwise.",
    },
  ],
  subcommands: [
    command(
      "suggest",
      "Rules that already hold in every one of some traces, as a policy to read and keep",
      async () => (await import("./policy-suggest.ts")).policySuggestCommand,
    ),
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
