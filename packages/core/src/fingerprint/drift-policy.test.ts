import { describe, expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { addRun, createBaseline } from "./baseline.ts";
import { compareRuns } from "./compare-baseline.ts";
import { parseDriftPolicy, rulesFor } from "./drift-policy.ts";
import { runFacts } from "./run-facts.ts";

const facts = (calls: string[], tokens = 100) =>
  runFacts(
    traceOf([{ model: "m", calls, usage: { input_tokens: tokens, output_tokens: 0 } }], { agent: "bot" } as never),
  );

function outcome(yaml: string, calls: string[], tokens?: number) {
  const baseline = createBaseline({
    agent: "bot",
    mode: "sequence",
    producer: { tool: "t", version: "0", runner: "r" },
    now: "",
  });
  for (let index = 0; index < 6; index++) addRun(baseline, { ...facts(["lookup", "reply"]), run: `r${index}` });
  return compareRuns(baseline, [facts(calls, tokens)], { policy: parseDriftPolicy(yaml, "p.yml") }).policy!;
}

const rule = (condition: string) => `rules:\n  - name: r\n    fail_if:\n      ${condition}\n`;

describe("conditions", () => {
  it.each([
    { condition: "new_side_effects: true", calls: ["lookup", "reply", "refund"], holds: true },
    { condition: "new_tools: true", calls: ["lookup", "reply"], holds: false },
    { condition: "tool_usage_change: { threshold_percent: 90 }", calls: ["lookup"], holds: true },
    { condition: "tool_usage_change: { threshold_percent: 100 }", calls: ["lookup"], holds: false },
    { condition: "token_usage_spike: { threshold_percent: 10 }", calls: ["lookup", "reply"], tokens: 111, holds: true },
    {
      condition: "token_usage_spike: { threshold_percent: 10 }",
      calls: ["lookup", "reply"],
      tokens: 110,
      holds: false,
    },
    { condition: "on_variant: true", calls: ["lookup", "lookup", "reply"], holds: true },
    { condition: "on_variant: { min_similarity: 0.9 }", calls: ["lookup", "reply", "reply"], holds: true },
    { condition: "on_variant: { min_similarity: 0.5 }", calls: ["lookup", "reply", "reply"], holds: false },
    {
      condition: "required_tools: { tools: [confirm], message: confirm first }",
      calls: ["lookup", "reply"],
      holds: true,
    },
    { condition: "required_tools: { tools: [lookup] }", calls: ["lookup", "reply"], holds: false },
    { condition: "error_increase: { threshold: 0.2 }", calls: ["lookup", "reply"], holds: false },
  ])("$condition with $calls: $holds", ({ condition, calls, tokens, holds }) => {
    expect(outcome(rule(condition), calls, tokens).violations).toHaveLength(holds ? 1 : 0);
  });

  it("what lacks its data is listed as not evaluated, not passed", () => {
    const { violations, notEvaluated } = outcome(rule("latency_spike: true"), ["lookup", "reply"]);
    expect(violations).toEqual([]);
    expect(notEvaluated).toMatchObject([{ rule: "r", why: "latency_spike: the run has no times" }]);
  });

  it("warn_if warns and never violates; enabled: false switches everything off", () => {
    const warning = outcome("rules:\n  - name: r\n    warn_if: { new_tools: true }\n", ["lookup", "x"]);
    expect([warning.violations.length, warning.warnings.length]).toEqual([0, 1]);
    expect(outcome(`enabled: false\n${rule("new_tools: true")}`, ["lookup", "x"]).violations).toEqual([]);
  });
});

it("profiles: the agent's own, else default, and never the top rules beside them", () => {
  const policy = parseDriftPolicy(
    "rules: [{ name: top, fail_if: { new_tools: true } }]\nprofiles:\n  bot: { rules: [{ name: own, fail_if: { new_tools: true } }] }\n  default: { rules: [] }\n",
    "p.yml",
  );
  expect(rulesFor(policy, "bot")).toMatchObject({ from: "bot", rules: [{ name: "own" }] });
  expect(rulesFor(policy, "other")).toEqual({ from: "default", rules: [] });
});

describe("a file that cannot be understood is an error that lists every problem", () => {
  it.each([
    { name: "a plural", yaml: rule("latency_spikes: true"), says: /latency_spike\b/ },
    { name: "an unknown key", yaml: "rulez: []\n", says: /rules/ },
    { name: "neither fail_if nor warn_if", yaml: "rules: [{ name: r }]\n", says: /neither/ },
    { name: "a threshold that is text", yaml: rule("tool_overuse: { threshold_percent: many }"), says: /number/ },
    {
      name: "an unknown severity",
      yaml: "rules: [{ name: r, severity: huge, fail_if: { new_tools: true } }]\n",
      says: /medium, severe, error, high/,
    },
    { name: "a list instead of a mapping", yaml: "[]\n", says: /mapping/ },
  ])("$name", ({ yaml, says }) => {
    try {
      parseDriftPolicy(yaml, "p.yml");
      expect.unreachable();
    } catch (error) {
      const { code, problems } = error as { code: string; problems: { message: string; at: { line: number } }[] };
      expect(code).toBe("drift-policy.invalid");
      expect(problems.map((problem) => problem.message).join("\n")).toMatch(says);
      expect(problems[0]!.at.line).toBeGreaterThan(0);
    }
  });
});
