import { describe, expect, it } from "vitest";
import { problemsOf, rule, traceOfRecords, turn, turnsOf, twoConversations } from "../../../test/policy.ts";
import type { JsonObject } from "../../trace/json.ts";

it("chunks given as objects count", () => {
  const grounded = rule("must_be_grounded", { retrieval_path: "request.c" });
  for (const key of ["text", "content", "page_content"]) {
    expect(
      turnsOf(grounded, traceOfRecords(turn({ text: "alpha beta", request: { c: [{ [key]: "alpha beta" }] } }))),
    ).toEqual([]);
    expect(
      turnsOf(grounded, traceOfRecords(turn({ text: "gamma delta", request: { c: [{ [key]: "alpha beta" }] } }))),
    ).toEqual([0]);
  }
});

describe("words are runs of letters and digits of any script", () => {
  const grounded = rule("must_be_grounded", { retrieval_path: "request.c" });
  it.each([
    ["Cyrillic, grounded", "гарантия два года", ["Гарантия два года с доставки"], []],
    // Of the three words only one stands in the chunk: 1/3 < 0.5.
    ["Cyrillic, not grounded", "магазин открыт два", ["Гарантия два года"], [0]],
    ["Chinese, grounded by pairs of characters", "保修两年", ["保修两年从交货起"], []],
    ["Chinese, not grounded", "我们卖面包", ["保修两年"], [0]],
    // "café" is one word here; ASCII tokenising would have seen "caf".
    ["accents stay inside words", "café olé", ["caf ol"], [0]],
  ])("%s", (_name, text, chunks, expected) => {
    expect(turnsOf(grounded, traceOfRecords(turn({ text, request: { c: chunks } })))).toEqual(expected);
  });
});

it.each<[string, JsonObject, string]>([
  [
    "a threshold above one",
    { retrieval_path: "a", min_unigram_precision: 1.5 },
    "must be a number from 0 to 1, found 1.5",
  ],
  ["a threshold as text", { retrieval_path: "a", min_unigram_precision: "0.5" }, 'from 0 to 1, found the text "0.5"'],
])("does not load with %s", (_name, params, words) => {
  expect(problemsOf([rule("must_be_grounded", params)]).join("\n")).toContain(words);
});

it("looks at matching turns only", () => {
  const trace = traceOfRecords(
    turn({ text: "unrelated words", request: { model: "small", c: ["known text"] } }),
    turn({ text: "unrelated words", request: { model: "big", c: ["known text"] } }),
  );
  expect(
    turnsOf(
      rule("must_be_grounded", { retrieval_path: "request.c" }, { when: [{ path: "model", op: "==", value: "big" }] }),
      trace,
    ),
  ).toEqual([1]);
});

it("is evaluated inside sessions", () => {
  expect(
    turnsOf(rule("must_be_grounded", { retrieval_path: "request.c" }, { scope: "session" }), twoConversations),
  ).toEqual([3]);
});
