import { expect, it } from "vitest";
import { judgedLive, type Reply, rule, traceOfRecords, turnsOf } from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";

it("a plain string as content is text", () => {
  const trace = traceOfRecords({ kind: "chat_response", payload: { content: "Sources: a", stop_reason: "end_turn" } });
  expect(turnsOf(rule("must_include_text", { text: "Sources:" }), trace)).toEqual([]);
});

it.each<[string, JsonObject, Reply[], string[]]>([
  ["nothing about a text still to come", rule("must_include_text", { text: "z" }), [{ text: "x" }], []],
])("tells the guard %s", (_name, one, replies, expected) => {
  expect(judgedLive(one, ...replies)).toEqual(expected);
});
