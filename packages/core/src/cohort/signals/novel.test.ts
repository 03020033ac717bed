import { expect, it } from "vitest";
import { buildDesign } from "../design.ts";
import { createNovelCount } from "./novel.ts";

const design = buildDesign(
  Array.from({ length: 12 }, (_, index) => ({
    scenario: `s${index >> 1}`,
    side: index % 2 === 0 ? ("baseline" as const) : ("candidate" as const),
  })),
);

it.each([
  { name: "a tool of three candidate runs", callers: [[1, 3, 5]], novel: 3, gone: 0 },
  { name: "a tool of two baseline runs", callers: [[0, 2]], novel: 0, gone: 2 },
  { name: "a tool of both sides", callers: [[0, 3]], novel: 0, gone: 0 },
  { name: "two gone tools of one run", callers: [[4], [4, 6]], novel: 0, gone: 2 },
  {
    name: "a tool that everybody calls",
    callers: [Array.from({ length: 12 }, (_, place) => place)],
    novel: 0,
    gone: 0,
  },
])("$name: $novel new, $gone gone", ({ callers, novel, gone }) => {
  const places = callers.map((list) => Int32Array.from(list));
  expect(createNovelCount(design, places).count(design.observed)).toBe(novel);
  expect(createNovelCount(design, places, 0).count(design.observed)).toBe(gone);
});
