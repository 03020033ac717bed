import { describe, expect, it } from "vitest";
import { SpoorError } from "../errors.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { splitWords, WordTable } from "./axes/word-table.ts";
import { callToken } from "./call-token.ts";
import { compareGoingIn } from "./going-in.ts";
import { diffBlobs } from "./layers/blobs.ts";
import { diffHarness } from "./layers/harness.ts";
import { parsePricing } from "./pricing/parse-pricing.ts";
import { priceOf } from "./pricing/price.ts";
import { listPrices } from "./pricing/prices.ts";

describe("call tokens", () => {
  // Worked out by hand.
  it.each([
    { call: { name: "lookup", input: { id: 1 } }, token: "lookup(id|037c9214eef74cc3)" },
    { call: { name: "", input: {} }, token: "(|44136fa355b3678a)" },
    { call: { name: "" }, token: "(|74234e98afe7498f)" },
  ])("$token", ({ call, token }) => {
    expect(callToken(call)).toBe(token);
  });
});

describe("words", () => {
  it.each([
    { text: "The ORDER was 1st-rate!", words: ["the", "order", "was", "1st", "rate"] },
    { text: "Cafe\u0301 CAF\u00c9", words: ["caf\u00e9", "caf\u00e9"] },
    { text: "\u03a3\u039f\u03a6\u039f\u03a3", words: ["\u03c3\u03bf\u03c6\u03bf\u03c3"] },
    { text: "  ", words: [] },
  ])("$text", ({ text, words }) => {
    expect(splitWords(text)).toEqual(words);
  });

  it("the table finds exactly the words it has learnt, however many", () => {
    const table = new WordTable();
    const words = Array.from({ length: 3000 }, (_, index) => `word${index}x`);
    table.learn(words.join(" "));
    expect(table.size).toBe(3000);
    expect(table.find("WORD7x unknown word2999X, caf\u00e9 word0x")).toEqual([7, 2999, 0]);
    expect(table.find("WORD7x unknown word2999X; word0x")).toEqual([7, 2999, 0]);
  });
});

describe("what went in", () => {
  const asking = (payload: JsonObject) =>
    buildTrace([
      { kind: "chat_request", payload },
      { kind: "chat_response", payload: { content: "x" } },
    ]).turns[0]!;
  const request = (system: string, extra: JsonObject = {}) =>
    asking({
      model: "m",
      messages: [{ role: "system", content: system }],
      params: { temperature: 0 },
      tools: [{ name: "a" }],
      ...extra,
    });
  const compare = (before: ReturnType<typeof request>, after: ReturnType<typeof request>) =>
    compareGoingIn([{ baseline: before, candidate: after }]);

  it("says which lines of the prompt are new and that the rest is the same", () => {
    const result = compare(request("One.\nTwo."), request("One.\nTwo.\nThree."));
    expect(result.system).toEqual({ status: "changed", changedPairs: 1, added: ["Three."], removed: [] });
    expect([result.model.status, result.tools.status, result.settings.status]).toEqual(["same", "same", "same"]);
  });

  it("names changed tools and settings", () => {
    const result = compare(
      request("S", { tools: [{ name: "a", description: "old" }, { name: "gone" }] }),
      request("S", { tools: [{ name: "a", description: "new" }, { name: "fresh" }], params: { temperature: 1 } }),
    );
    expect(result.tools).toEqual({ status: "changed", added: ["fresh"], removed: ["gone"], changed: ["a"] });
    expect(result.settings.changed).toEqual([{ name: "temperature", baseline: 0, candidate: 1 }]);
  });

  it("what neither side recorded is not called the same", () => {
    const bare = asking({ messages: [{ role: "user", content: "Hi" }] });
    const result = compareGoingIn([{ baseline: bare, candidate: bare }]);
    expect([result.system.status, result.model.status, result.tools.status, result.settings.status]).toEqual([
      "none",
      "none",
      "none",
      "none",
    ]);
  });
});

describe("prices", () => {
  it("lists every problem of a file", () => {
    expect.assertions(2);
    try {
      parsePricing(
        { _note: "x", good: [1, 2], short: [1], odd: { input: 1 }, typo: { input: 1, output: 2, chached: 3 } },
        "p.json",
      );
    } catch (error) {
      expect((error as SpoorError).code).toBe("pricing.bad-price");
      expect((error as SpoorError).problems.map((problem) => problem.at.path)).toEqual(["short", "odd", "typo"]);
    }
  });

  it("refuses what is no object", () => {
    expect(() => parsePricing([1, 2])).toThrow(SpoorError);
  });

  it("finds a model with a date behind its name", () => {
    expect(priceOf(listPrices, "gpt-4.1-2025-04-14")).toMatchObject({ input: 2e-6, output: 8e-6 });
    expect(priceOf(listPrices, "gpt-4.1-20250414")).toBeDefined();
    expect(priceOf(listPrices, "gpt-4.1-preview")).toBeUndefined();
  });
});

describe("events of the harness", () => {
  const events = (...names: [string, string][]) =>
    buildTrace(
      names.map(([name, severity]) => ({ kind: "harness_event", payload: { category: "retry", name, severity } })),
    );

  it("counts what rose and what got worse, the largest change first", () => {
    const changes = diffHarness(
      [events(["timeout", "info"])],
      [events(["timeout", "error"], ["limit", "info"], ["limit", "info"])],
    );
    expect(changes).toMatchObject([
      { name: "limit", countDelta: 2, shift: "regression" },
      { name: "timeout", countDelta: 0, baselineWorst: "info", candidateWorst: "error", shift: "regression" },
    ]);
    expect(diffHarness([events(["timeout", "info"])], [events(["timeout", "info"])])).toEqual([]);
  });

  it("leaves out what a recorder says about itself", () => {
    const payload = { category: "recording", name: "gap", severity: "error" };
    expect(diffHarness([events()], [buildTrace([{ kind: "harness_event", payload }])])).toEqual([]);
  });
});

describe("attachments", () => {
  const blobs = (...payloads: Record<string, Json>[]) =>
    buildTrace(payloads.map((payload) => ({ kind: "blob_ref", payload })));
  const hash = (hex: string) => ({ blob_id: `sha256:${hex}`, phash: { algo: "dhash", hex } });

  it.each([
    { name: "the same", before: [{ blob_id: "a" }], after: [{ blob_id: "a" }], expected: [] },
    { name: "missing", before: [{ blob_id: "a" }], after: [], expected: [{ severity: "severe", by: "missing" }] },
    { name: "near by hash", before: [hash("ff")], after: [hash("0f")], expected: [] },
    {
      name: "16 bits off",
      before: [hash("ffff")],
      after: [hash("0000")],
      expected: [{ severity: "minor", measure: 16 }],
    },
    {
      name: "17 bits off",
      before: [hash("1ffff")],
      after: [hash("00000")],
      expected: [{ severity: "moderate", measure: 17 }],
    },
    {
      name: "unknown",
      before: [{ blob_id: "a" }],
      after: [{ blob_id: "b" }],
      expected: [{ severity: "moderate", by: "content" }],
    },
  ])("$name", ({ before, after, expected }) => {
    expect(diffBlobs(blobs(...before), blobs(...after))).toMatchObject(expected);
  });

  it("embeddings of one model by their cosine", () => {
    const embedded = (id: string, vec: number[]) => ({ blob_id: id, embedding: { model: "m", vec } });
    expect(diffBlobs(blobs(embedded("a", [1, 0])), blobs(embedded("b", [1, 0.1])))).toEqual([]);
    expect(diffBlobs(blobs(embedded("a", [1, 0])), blobs(embedded("b", [0, 1])))).toMatchObject([
      { severity: "severe", measure: 0 },
    ]);
  });
});
