import { describe, expect, it } from "vitest";
import { traceOf } from "../../test/build.ts";
import { addRun, createBaseline } from "../fingerprint/baseline.ts";
import { compareRuns } from "../fingerprint/compare-baseline.ts";
import { runFacts } from "../fingerprint/run-facts.ts";
import { createDriftCheck } from "./check-drift.ts";
import { parsePolicy } from "./parse-policy.ts";

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
  const rules = createDriftCheck(parsePolicy(yaml, { file: "p.yml" }));
  return compareRuns(baseline, [facts(calls, tokens)], { rules }).policy!;
}

const rule = (condition: string) => `rules:\n  - name: r\n    fail_if:\n      ${condition}\n`;

it("a severity that is no word is a problem of the file, also one that cannot become text", () => {
  const yaml = `${rule("new_tools: true")}    severity: { toString: 2 }\n`;
  expect(() => parsePolicy(yaml, { file: "p.yml" })).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ message: "severity must be high, medium or low." })],
    }),
  );
});

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
    expect(notEvaluated).toMatchObject([{ ruleId: "r", why: "the run has no times" }]);
  });

  it("fail_if is severe, warn_if moderate; enabled: false switches everything off", () => {
    const warning = outcome("rules:\n  - name: r\n    warn_if: { new_tools: true }\n", ["lookup", "x"]);
    expect(warning.violations.map(({ severity }) => severity)).toEqual(["moderate"]);
    expect(outcome(`enabled: false\n${rule("new_tools: true")}`, ["lookup", "x"]).violations).toEqual([]);
  });
});

it("profiles: the agent's own, else default, and never the top rules beside them", () => {
  const policy = parsePolicy(
    "rules: [{ name: top, fail_if: { new_tools: true } }]\nprofiles:\n  bot: { rules: [{ name: own, fail_if: { new_tools: true } }] }\n  default: { rules: [{ name: rest, fail_if: { new_tools: true } }] }\n",
    { file: "p.yml" },
  );
  expect(policy.rules).toMatchObject([
    { id: "own", kind: "no_drift", agents: ["bot"] },
    { id: "rest", notAgents: ["bot"] },
  ]);
});

it("says once that the form is an older one", () => {
  expect(parsePolicy(rule("new_tools: true"), { file: "p.yml" }).warnings).toMatchObject([
    { message: expect.stringContaining("read as no_drift") },
  ]);
});

describe("a file that cannot be understood is an error that lists every problem", () => {
  it.each([
    { name: "a plural", yaml: rule("latency_spikes: true"), says: /latency_spike\b/ },
    { name: "an unknown key", yaml: "enabled: true\nrulez: []\n", says: /rules/ },
    { name: "neither fail_if nor warn_if", yaml: "enabled: true\nrules: [{ name: r }]\n", says: /neither/ },
    { name: "a threshold that is text", yaml: rule("tool_overuse: { threshold_percent: many }"), says: /number/ },
    {
      name: "an unknown severity",
      yaml: "rules: [{ name: r, severity: huge, fail_if: { new_tools: true } }]\n",
      says: /high, medium or low/,
    },
  ])("$name", ({ yaml, says }) => {
    try {
      parsePolicy(yaml, { file: "p.yml" });
      expect.unreachable();
    } catch (error) {
      const { code, problems } = error as { code: string; problems: { message: string; at: { line: number } }[] };
      expect(code).toBe("policy.invalid");
      expect(problems.map((problem) => problem.message).join("\n")).toMatch(says);
      expect(problems[0]!.at.line).toBeGreaterThan(0);
    }
  });
});
