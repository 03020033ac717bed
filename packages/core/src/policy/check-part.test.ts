import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { offering, policyOf, rule, traceOfRecords, turn } from "../../test/policy.ts";
import type { JsonObject } from "../trace/json.ts";
import type { Trace } from "../trace/trace.ts";
import { nameTraces } from "../trace/trace-name.ts";
import { type CheckPart, checkTrace, joinChecks, judgesApart } from "./check-part.ts";
import { checkTraces, reportChecks } from "./check-report.ts";

const OPTIONS = { tool: { name: "spoor", version: "0" }, inputs: [], failOn: "minor", today: "2026-03-01" } as const;

/** Rules that break, hold, see nothing, see too little, lack evidence, are excused, doubt names, and need a baseline. */
const RULES: JsonObject[] = [
  rule("no_call", { tool: "pay" }),
  rule("must_call_before", { first: "ask", second: "pay" }, { id: "order", severity: "warning" }),
  rule("max_calls", { tool: "pya", limit: 3 }, { id: "slip" }),
  rule("max_turns", { n: 9 }, { id: "many", min_seen: 100 }),
  rule("max_total_tokens", { n: 10 }, { id: "tokens" }),
  rule("max_turns", { n: 0 }, { id: "gated", when: { path: "request.modle", op: "==", value: "z" } }),
  rule("forbidden_text", { text: "hello" }, { id: "excused", exceptions: [{ until: "2026-12-31", reason: "known" }] }),
  rule("known_path", {}, { id: "drift" }),
];

const KINDS: readonly (() => Trace)[] = [
  () => traceOfRecords(turn({ text: "x", calls: [{ name: "pay", input: { amount: 5 } }] })),
  () => traceOfRecords(turn({ text: "hello" })),
  () => traceOfRecords(turn({ text: "x", calls: [{ name: "ask" }] }), turn({ calls: [{ name: "pay" }] })),
  () => traceOfRecords(turn({ text: "hello", request: offering("pay", "ask") })),
  () => traceOfRecords({ kind: "metadata", payload: {} }),
];

describe("joined checks", () => {
  const policy = policyOf(RULES);

  it("give the report of all traces at once, however they are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(KINDS.length - 1), fc.boolean()), { minLength: 1, maxLength: 12 }),
        (chosen) => {
          const traces = nameTraces(chosen.map(([kind]) => KINDS[kind]!()));
          const parts: CheckPart[][] = [[]];
          for (const [index, trace] of traces.entries()) {
            if (chosen[index]![1] && parts.at(-1)!.length > 0) parts.push([]);
            parts.at(-1)!.push(checkTrace(trace, policy, OPTIONS));
          }
          const joined = parts.map(joinChecks);
          expect(JSON.stringify(reportChecks(joined, policy, OPTIONS))).toBe(
            JSON.stringify(checkTraces(traces, policy, OPTIONS)),
          );
        },
      ),
    );
  });

  it("count on: a violation names its own trace", () => {
    const [pay, chat] = [KINDS[0]!(), KINDS[1]!()];
    const parts = [chat, pay, chat, pay].map((trace) => checkTrace(trace, policy, OPTIONS));
    const halves = [joinChecks(parts.slice(0, 2)), joinChecks(parts.slice(2))];
    expect(joinChecks(halves).rules[0]!.violations.map(({ trace }) => trace)).toEqual([1, 3]);
  });

  it("have no traces where there were none", () => {
    expect(reportChecks([], policy, OPTIONS)).toEqual(checkTraces([], policy, OPTIONS));
  });
});

describe("judgesApart", () => {
  it.each<[string, JsonObject, boolean]>([
    ["a rule", rule("no_call", { tool: "pay" }), true],
    [
      "an exception for all",
      rule("no_call", { tool: "pay" }, { exceptions: [{ until: "2026-12-31", reason: "r" }] }),
      true,
    ],
    [
      "an exception for a trace, which is told by its name among all",
      rule("no_call", { tool: "pay" }, { exceptions: [{ trace: "t", until: "2026-12-31", reason: "r" }] }),
      false,
    ],
  ])("%s", (_name, one, apart) => {
    expect(judgesApart(policyOf([one]))).toBe(apart);
  });
});
