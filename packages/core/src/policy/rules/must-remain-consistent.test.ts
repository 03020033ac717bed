import { expect, it } from "vitest";
import { problemsOf, rule, traceOfRecords, turn, turnsOf, twoConversations } from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";

it("true after 1 is a change", () => {
  const changed = traceOfRecords(turn({ text: "x", request: { v: 1 } }), turn({ text: "x", request: { v: true } }));
  expect(turnsOf(rule("must_remain_consistent", { path: "request.v" }), changed)).toEqual([1]);
});

it.each<[string, JsonObject, string]>([["an empty path", { path: "" }, "path must be a text that is not empty"]])(
  "does not load with %s",
  (_name, params, words) => {
    expect(problemsOf([rule("must_remain_consistent", params)]).join("\n")).toContain(words);
  },
);

it("takes its anchor from matching turns", () => {
  const trace = traceOfRecords(
    turn({ text: "a", request: { model: "small", params: { amount: 1 } } }),
    turn({ text: "b", request: { model: "big", params: { amount: 2 } } }),
    turn({ text: "c", request: { model: "small", params: { amount: 3 } } }),
    turn({ text: "d", request: { model: "big", params: { amount: 4 } } }),
  );
  expect(
    turnsOf(
      rule(
        "must_remain_consistent",
        { path: "request.params.amount" },
        { when: [{ path: "model", op: "==", value: "big" }] },
      ),
      trace,
    ),
  ).toEqual([3]);
});

it("anchors anew in each session", () => {
  expect(
    turnsOf(rule("must_remain_consistent", { path: "request.params.a" }, { scope: "session" }), twoConversations),
  ).toEqual([3]);
  expect(turnsOf(rule("must_remain_consistent", { path: "request.params.a" }), twoConversations)).toEqual([2, 3]);
});
