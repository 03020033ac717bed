import { expect, it } from "vitest";
import { policyOf, rule, traceOfRecords, turn } from "../../test/policy.ts";
import type { JsonObject } from "../trace/json.ts";
import { diffTraces } from "./diff-traces.ts";
import { createPolicyHook } from "./policy-hook.ts";

const trace = traceOfRecords(turn({ calls: ["pay"] }), turn({ text: "Done." }));
const unjudged = (...rules: JsonObject[]) =>
  diffTraces(trace, trace, { policy: createPolicyHook(policyOf(rules)) }).policy!.notEvaluated.map(({ why }) => why);
const idle = rule("must_call_before", { first: "a", second: "b" }, { id: "idle" });

it("no rule saw anything: there is no verdict", () => {
  expect(unjudged(idle)).toEqual(["it found nothing to look at in any trace"]);
});
it("beside a rule that saw something an idle one weighs nothing", () => {
  expect(unjudged(idle, rule("no_call", { tool: "delete" }))).toEqual([]);
});
it("a rule that both sides break was judged, whatever it saw", () => {
  expect(unjudged(rule("must_call_once", { tool: "confirm" }))).toEqual([]);
});
it("min_seen counts the candidate", () => {
  expect(unjudged(rule("max_calls", { tool: "pay", limit: 3 }, { min_seen: 2 }))).toEqual([
    "it saw 1 pay call, and min_seen asks for 2",
  ]);
});
