import { describe, expect, it } from "vitest";
import { readExchange } from "../../trace/read-exchange.ts";
import { diffSpans } from "./spans.ts";

const response = (texts: readonly string[]) =>
  readExchange({}, { content: texts.map((text) => ({ type: "text", text })), stop_reason: "end_turn" });
const numbered = (length: number) => Array.from({ length }, (_, index) => `part ${index}`);

describe("diffSpans on responses with very many parts", () => {
  const parts = numbered(3000);

  it.each([
    { name: "nothing", after: parts, expected: [] },
    {
      name: "one part inserted",
      after: [...parts.slice(0, 1500), "new", ...parts.slice(1500)],
      expected: [{ kind: "text_block_added", blockIndex: 1500 }],
    },
    {
      name: "one part removed",
      after: parts.toSpliced(7, 1),
      expected: [{ kind: "text_block_removed", blockIndex: 7 }],
    },
    {
      name: "one part changed",
      after: parts.with(2999, "other"),
      expected: [{ kind: "text_block_changed", blockIndex: 2999 }],
    },
  ])("finds $name", ({ after, expected }) => {
    expect(diffSpans(response(parts), response(after))).toEqual(expected);
  });

  it("compares place by place what has nothing in common", () => {
    const others = parts.map((part) => `other ${part}`);
    const changes = diffSpans(response(parts), response([...others, "one more"]));
    expect(changes).toHaveLength(3001);
    expect(changes.at(-1)).toEqual({ kind: "text_block_added", blockIndex: 3000 });
  });
});
