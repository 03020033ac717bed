import { describe, expect, it } from "vitest";
import {
  judgedLive,
  problemsOf,
  type Reply,
  rule,
  traceOfRecords,
  turn,
  turnsOf,
  twoConversations,
} from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";

describe("a trigger on response.content that contains a word", () => {
  const followup = rule("must_followup", {
    trigger: [{ path: "response.content", op: "contains", value: "quote_total" }],
    must: { kind: "tool_call", tool_name: "confirm" },
  });
  it.each([
    ["named by a call", { calls: ["quote_total"] }],
    ["inside a text", { text: "the quote_total is 5" }],
  ])("%s", (_name, reply) => {
    expect(turnsOf(followup, traceOfRecords(turn(reply), turn({ text: "done" })))).toEqual([1]);
    expect(
      turnsOf(followup, traceOfRecords(turn(reply), turn({ calls: ["confirm"] }), turn({ text: "done" }))),
    ).toEqual([]);
  });
  it("does not trigger on part of a tool's name", () => {
    expect(turnsOf(followup, traceOfRecords(turn({ calls: ["quote_total_v2"] }), turn({ text: "done" })))).toEqual([]);
  });
});

it.each<[string, JsonObject, string]>([
  ["no must", {}, "must_followup needs must"],
  ["an unknown must", { must: { kind: "regex" } }, 'unknown kind "regex"'],
  ["a must without its tool", { must: { kind: "tool_call" } }, "needs tool_name"],
  [
    "a bad trigger",
    { must: { kind: "tool_call", tool_name: "a" }, trigger: [{ path: "m", op: "~", value: 1 }] },
    "op must be ==",
  ],
])("does not load with %s", (_name, params, words) => {
  expect(problemsOf([rule("must_followup", params)]).join("\n")).toContain(words);
});

it("takes the obligation of its gate from matching turns, and the next turn as it comes", () => {
  const trace = traceOfRecords(
    turn({ calls: ["x"], request: { model: "small" } }),
    turn({ calls: ["x"], request: { model: "big" } }),
    turn({ text: "no", request: { model: "small" } }),
  );
  const must = { kind: "text_includes", text: "yes" };
  const trigger = [{ path: "stop_reason", op: "==", value: "tool_use" }];
  expect(
    turnsOf(rule("must_followup", { trigger, must }, { when: [{ path: "model", op: "==", value: "big" }] }), trace),
  ).toEqual([2]);
});

it("ends with the session", () => {
  const params = { must: { kind: "text_includes", text: "alpha" } };
  expect(turnsOf(rule("must_followup", params, { scope: "session" }), twoConversations)).toEqual([1, 3, 3]);
});

it.each<[string, JsonObject, Reply[], string[]]>([
  [
    "nothing about a follow-up still owed",
    rule("must_followup", { must: { kind: "tool_call", tool_name: "a" } }),
    [{ text: "x" }],
    [],
  ],
])("tells the guard %s", (_name, one, replies, expected) => {
  expect(judgedLive(one, ...replies)).toEqual(expected);
});
