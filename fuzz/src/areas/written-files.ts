/** Damaged files that people write: policies, configurations, evaluators, eval files, targets, prices. */

import { defineCommandArea } from "../command-area.ts";
import { readSeed, type Seed } from "../mutate/mutate.ts";
import { seedOf, seedsBelow } from "../repository-files.ts";

export const policiesArea = defineCommandArea({
  name: "policies",
  about: "policy files through reading, explaining, their own examples, check and hook",
  share: 3,
  seeds: policies,
  place: "policies/input.yaml",
  forms: [
    "policy explain FILE",
    "policy test FILE --format FORMAT",
    "check @/candidate/ticket-1042.agentlog --policy FILE --format FORMAT",
    "check @/candidate/ticket-1042.agentlog --policy FILE --format FORMAT --lenient",
    "diff @/baseline/ticket-1042.agentlog @/candidate/ticket-1042.agentlog --policy FILE --format FORMAT",
  ],
});

export const configurationsArea = defineCommandArea({
  name: "configurations",
  about: "configurations through gate and doctor",
  share: 2,
  seeds: configurations,
  place: "input.config.yaml",
  forms: ["gate --config FILE --format FORMAT", "doctor --config FILE", "gate --config FILE --mode warn"],
});

export const evaluatorsArea = defineCommandArea({
  name: "evaluators",
  about: "evaluator files and eval files as score reads them",
  share: 2,
  seeds: evalFiles,
  place: "input.yaml",
  forms: [
    "score @/candidate/ticket-1042.agentlog --evaluators FILE --format FORMAT --no-judge",
    "score @/candidate --evaluators FILE --format FORMAT --no-judge",
  ],
});

export const evalsArea = defineCommandArea({
  name: "evals",
  about: "eval files and targets through spoor eval, with answers that are given",
  share: 2,
  seeds: evalFiles,
  place: "evals/input.yaml",
  forms: [
    "eval FILE --dry-run --no-judge --results FRESH/r.jsonl --format FORMAT --timeout 1 --max-retries 0",
    "eval FILE --target mock_agent --no-judge --results FRESH/r.jsonl --format FORMAT --timeout 1 --max-retries 0",
    "eval @/evals/data-pipeline.yaml --targets FILE --target mock_agent --results FRESH/r.jsonl --timeout 1 --max-retries 0",
  ],
});

export function policies(): Seed[] {
  return [...seedsBelow("examples", /polic(y|ies\/\w+)\.yaml$/), ...seedsBelow("packages/spoor/policies", /\.yaml$/)];
}

export function configurations(): Seed[] {
  return [
    seedOf("examples/refund/spoor.config.yaml"),
    seedOf("packages/spoor/test/fixtures/same.config.yaml"),
    json("all.config.yaml", {
      agent: "support_agent",
      noun: "ticket",
      mode: "warn",
      traces: ["candidate/*.agentlog", "!candidate/none*"],
      diff: { baseline: "baseline/*.agentlog", failOn: "severe" },
      policy: { files: ["policies/refunds.yaml"], failOn: "moderate" },
      trajectory: { evaluators: "path.yaml", threshold: 0.8 },
      baseline: { file: "baselines/support_agent.json", unknownPath: "block" },
      cohort: { relabellings: 99 },
      report: { link: "https://example.com" },
    }),
  ];
}

export function evalFiles(): Seed[] {
  return [
    ...seedsBelow("examples/evals", /\.yaml$/),
    ...seedsBelow("examples/conversation", /\.(yaml|json)$/),
    seedOf("examples/refund/evaluators.yaml"),
    json("evaluators.yaml", [
      { name: "path", type: "tool_trajectory", mode: "any_order", minimums: { lookup_order: 1 } },
      { type: "tool_trajectory", mode: "exact", expected: ["lookup_order", { tool: "issue_refund", args: { n: 1 } }] },
      { type: "contains", value: "refund", weight: 2, required: true },
      { type: "regex", value: "re.*nd" },
      { type: "composite", evaluators: [{ type: "latency", threshold: 5 }], aggregator: { type: "threshold" } },
      { type: "field_accuracy", fields: [{ path: "total", match: "numeric_tolerance", tolerance: 0.1 }] },
      { type: "execution_metrics", max_tool_calls: 3, max_tokens: 100 },
      { type: "llm_judge", rubrics: ["polite", { id: "short", outcome: "is short", weight: 2 }] },
      "names the order",
    ]),
  ];
}

/** JSON is YAML too. */
function json(name: string, value: unknown): Seed {
  return readSeed(name, Buffer.from(JSON.stringify(value, undefined, 1)));
}
