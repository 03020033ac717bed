import { describe, expect, it } from "vitest";
import {
  judgedLive,
  oneTurnSessions,
  problemsOf,
  type Reply,
  rule,
  traceOfRecords,
  turn,
  turnsOf,
  violationsOf,
} from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";

it("a plain string as content is text", () => {
  const trace = traceOfRecords({ kind: "chat_response", payload: { content: "Sources: a", stop_reason: "end_turn" } });
  expect(turnsOf(rule("forbidden_text", { text: "Sources:" }), trace)).toEqual([0]);
});

describe("under session scope", () => {
  const okBadBad = oneTurnSessions("ok", "bad", "bad");
  it("numbers turns by their position in the trace", () => {
    expect(turnsOf(rule("forbidden_text", { text: "bad" }, { scope: "session" }), okBadBad)).toEqual([1, 2]);
  });
  it("and with a gate on top", () => {
    const when = [{ path: "model", op: "==", value: "c" }];
    expect(turnsOf(rule("forbidden_text", { text: "bad" }, { scope: "session", when }), okBadBad)).toEqual([2]);
  });
});

describe("patterns", () => {
  it("search with RE2 and point at what they found", () => {
    const [violation] = violationsOf(
      [rule("forbidden_text", { pattern: "[0-9]{4}-[0-9]{4}" })],
      traceOfRecords(turn({ text: "card 1234-5678." })),
    );
    expect(violation!.evidence.span).toEqual({ start: 5, end: 14, text: "1234-5678" });
  });
  it("stay linear where a backtracking engine would hang", () => {
    const trace = traceOfRecords(turn({ text: `${"a".repeat(5000)}!` }));
    expect(turnsOf(rule("forbidden_text", { pattern: "^(a+)+$" }), trace)).toEqual([]);
  });
});

it.each<[string, JsonObject, string]>([
  ["a bad pattern", { pattern: "(" }, "cannot be compiled"],
  ["a pattern with look-around", { pattern: "a(?=b)" }, "linear time"],
])("does not load with %s", (_name, params, words) => {
  expect(problemsOf([rule("forbidden_text", params)]).join("\n")).toContain(words);
});

it.each<[string, JsonObject, Reply[], string[]]>([
  ["a forbidden text", rule("forbidden_text", { text: "bad" }), [{ text: "bad" }], ["final"]],
])("tells the guard %s", (_name, one, replies, expected) => {
  expect(judgedLive(one, ...replies)).toEqual(expected);
});
