import { describe, expect, it } from "vitest";
import { pairRequests } from "./pair-requests.ts";
import type { TraceRecord } from "./record.ts";

const ask = (id: string, tag?: string): TraceRecord => ({ kind: "chat_request", id, payload: {}, ...tagged(tag) });
const answer = (parent: string | null, tag?: string): TraceRecord => ({
  kind: "chat_response",
  parent,
  payload: {},
  ...tagged(tag),
});
const failure = (parent: string | null, source = "llm"): TraceRecord => ({
  kind: "error",
  parent,
  payload: { source },
});
const tagged = (tag: string | undefined) => (tag === undefined ? {} : { meta: { session_tag: tag } });

describe("which request a response answers", () => {
  it.each([
    { name: "the one it names", records: [ask("a"), ask("b"), answer("a"), answer("b")], expected: [-1, -1, 0, 1] },
    {
      name: "the oldest of equal ones",
      records: [ask("a"), ask("a"), answer("a"), answer("a")],
      expected: [-1, -1, 0, 1],
    },
    { name: "the latest open one without a name", records: [ask("a"), ask("b"), answer(null)], expected: [-1, -1, 1] },
    { name: "the latest when it names no request", records: [ask("a"), answer("event")], expected: [-1, 0] },
    {
      name: "the latest of its own conversation",
      records: [ask("a", "x"), ask("b", "y"), answer(null, "x"), answer(null, "y")],
      expected: [-1, -1, 0, 1],
    },
    { name: "none when all are answered", records: [ask("a"), answer("a"), answer("a")], expected: [-1, 0, -1] },
    {
      name: "not the one that failed",
      records: [ask("a"), failure("a"), ask("a"), answer("a")],
      expected: [-1, 0, -1, 2],
    },
    {
      name: "errors of the run are no answers",
      records: [ask("a"), failure("a", "sdk"), answer("a")],
      expected: [-1, -1, 0],
    },
  ])("$name", ({ records, expected }) => {
    expect([...pairRequests(records).requestOf]).toEqual(expected);
  });

  it("counts requests that nothing answers", () => {
    expect(pairRequests([ask("a"), ask("b"), answer("a"), ask("c"), failure("c")]).unanswered).toBe(1);
  });

  it("stays linear on a hundred thousand open requests", () => {
    const records = [
      ...Array.from({ length: 100_000 }, (_, index) => ask(`${index % 7}`)),
      ...Array.from({ length: 100_000 }, (_, index) => answer(index % 2 === 0 ? "3" : null)),
    ];
    expect(pairRequests(records).unanswered).toBe(0);
  });
});
