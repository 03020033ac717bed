import { expect, it } from "vitest";
import { judgedLive, policyOf, problemsOf, type Reply, rule, traceOfRecords, turnsOf } from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";

it.each<JsonObject>([{ n: 4 }])("loads with %j", (params) => {
  expect(policyOf([rule("max_turns", params)]).rules).toHaveLength(1);
});

it.each<[string, JsonObject, string]>([
  ["a limit with a fraction", { limit: 5.5 }, "limit must be a whole number, found 5.5"],
  ["a boolean limit", { limit: true }, "limit must be a whole number, found true"],
])("does not load with %s", (_name, params, words) => {
  expect(problemsOf([rule("max_turns", params)]).join("\n")).toContain(words);
});

it("a payload that is no object is an empty response", () => {
  const trace = traceOfRecords(
    { kind: "chat_response", payload: "hello" },
    { kind: "chat_request", payload: [1] },
    { kind: "chat_response", payload: null },
  );
  expect(turnsOf(rule("max_turns", { limit: 1 }), trace)).toEqual([null]);
});

it.each<[string, JsonObject, Reply[], string[]]>([
  ["a count over its limit, at once", rule("max_turns", { limit: 1 }), [{ text: "a" }, { text: "b" }], ["provisional"]],
  [
    "and again while it is exceeded",
    rule("max_turns", { limit: 1 }),
    [{ text: "a" }, { text: "b" }, { text: "c" }],
    ["provisional"],
  ],
])("tells the guard %s", (_name, one, replies, expected) => {
  expect(judgedLive(one, ...replies)).toEqual(expected);
});
