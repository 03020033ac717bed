import { describe, expect, it } from "vitest";
import { policyOf, problemsOf, rule, traceOfRecords, turn, turnsOf, twoConversations } from "../../../test/policy.ts";
import type { Json, JsonObject } from "../../trace/json.ts";
import { checkPolicy } from "../check-policy.ts";

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

describe("words that say nothing ground nothing", () => {
  const grounded = rule("must_be_grounded", { retrieval_path: "request.c" });
  const chunks = ["The warranty is two years, and it begins with the delivery of a device. 的了 y el"];
  it.each([
    ["punctuation and a letter", ", .. a !", [0]],
    ["an article and dots", "the , ..", [0]],
    ["function words, all of them in the source", "And it is of the, with the.", [0]],
    ["function words of another language", "y el", [0]],
    ["particles of a script without spaces", "的了", [0]],
    ["symbols only", "§ % … 👍", [0]],
    // Six of seven words stand in the source, none of which is about anything.
    ["a stranger hidden among function words", "and it is of the with zebras", [0]],
    ["one word that says something", "The warranty.", []],
    ["a number", "2 years", []],
  ])("%s", (_name, text, expected) => {
    expect(turnsOf(grounded, traceOfRecords(turn({ text, request: { c: chunks } })))).toEqual(expected);
  });

  it("a threshold of nothing asks for nothing", () => {
    const free = rule("must_be_grounded", { retrieval_path: "request.c", min_unigram_precision: 0 });
    expect(turnsOf(free, traceOfRecords(turn({ text: "the , ..", request: { c: chunks } })))).toEqual([]);
  });
});

describe("chunks in the shapes of retrievers", () => {
  const judged = (c: Json, text: string) => {
    const check = checkPolicy(
      traceOfRecords(turn({ text, request: { c } })),
      policyOf([rule("must_be_grounded", { retrieval_path: "request.c" })]),
    );
    if (check.violations.length > 0) return "failed";
    return check.notEvaluated.length > 0 ? "unknown" : check.outcomes[0]!.seen[0]!.amount === 0 ? "skipped" : "passed";
  };
  it.each<[string, (text: string) => Json]>([
    ["LangChain JS", (text) => [{ pageContent: text, metadata: { source: "faq.md" } }]],
    ["body", (text) => [{ id: 1, body: text }]],
    ["snippet", (text) => ({ snippet: text })],
    ["chunk", (text) => [{ chunk: text, score: 0.4 }]],
    ["passage", (text) => [{ passage: text }]],
    ["LlamaIndex", (text) => [{ node: { text }, score: 0.9 }]],
    ["Chroma", (text) => ({ ids: [["a"]], documents: [[text]] })],
    ["Pinecone", (text) => ({ matches: [{ id: "a", metadata: { text } }] })],
    ["Elasticsearch", (text) => ({ hits: { hits: [{ _source: { body: text } }] } })],
    ["Bedrock", (text) => [{ content: { text }, location: { type: "S3" } }]],
    ["blocks", (text) => [{ type: "search_result", source: "x", content: [{ type: "text", text }] }]],
    ["a list in a list", (text) => [[{ page_content: text }]]],
  ])("%s", (_name, shape) => {
    expect(judged(shape("alpha beta"), "alpha beta")).toBe("passed");
    expect(judged(shape("alpha beta"), "gamma delta")).toBe("failed");
  });

  it.each<[string, Json, string]>([
    ["a shape that nobody knows", [{ zeilen: { erste: "alpha beta" } }], "unknown"],
    ["numbers", [0.1, 0.2], "unknown"],
    ["an object without a text", [{ metadata: { source: "faq.md" } }], "unknown"],
    ["one chunk read, one not, not enough", ["gamma"], "failed"],
    ["one chunk not read, and what was read is not enough", ["gamma", { zeilen: "alpha beta" }], "unknown"],
    ["one chunk not read, and what was read is enough", ["alpha beta", { zeilen: 1 }], "passed"],
    ["a search without hits", [], "skipped"],
    ["a search without hits, wrapped", { documents: [[]] }, "skipped"],
    ["nothing", null, "skipped"],
  ])("%s", (_name, chunks, expected) => {
    expect(judged(chunks, "alpha beta")).toBe(expected);
  });
});
