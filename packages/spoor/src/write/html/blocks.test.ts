import { describe, expect, it } from "vitest";
import type { Column, Row } from "../../document/document.ts";
import { blocksHtml } from "./blocks.ts";

const tableOf = (columns: readonly Column[], cells: Row["cells"]) =>
  blocksHtml([{ kind: "table", columns, rows: [{ cells }] }], 2)
    .map(({ text }) => text)
    .join("");

describe("a table on a narrow screen", () => {
  it.each([
    { name: "one text beside the label", columns: ["label", "text"], expected: "grid" },
    { name: "two texts beside the label", columns: ["label", "text", "text"], expected: "grid wide" },
    { name: "numbers, which fit", columns: ["label", "number", "number", "number"], expected: "grid" },
    { name: "a text and numbers", columns: ["label", "number", "text", "number"], expected: "grid" },
    { name: "two texts and a number", columns: ["label", "text", "number", "text"], expected: "grid wide" },
  ])("is a list where texts would be squeezed: $name", ({ columns, expected }) => {
    const html = tableOf(
      columns.map((kind) => ({ title: kind, ...(kind === "number" ? { align: "right" as const } : {}) })),
      columns.map((kind) => [kind]),
    );
    expect(html).toContain(`<table class="${expected}">`);
  });
});

it("keeps what fits the least width of its column on one line, and nothing longer", () => {
  const columns: readonly Column[] = [
    { title: "aspect", min: 11 },
    { title: "size", min: 16 },
    { title: "moved" },
    { title: "share", align: "right", min: 5 },
  ];
  const html = tableOf(columns, [
    ["turn-taking"],
    ["8.5 times noise"],
    { kind: "stack", texts: [["a"], ["b"]] },
    ["9 %"],
  ]);
  expect(html).toContain('<th scope="row" class="keep">turn-taking</th>');
  expect(html).toContain('<td class="keep" data-title="size">8.5 times noise</td>');
  expect(html).toContain('<td class="tall" data-title="moved">a<br>b</td>');
  expect(html).toContain('<td class="num" data-title="share">9 %</td>');
  const long = tableOf(columns, [["a very long aspect"], ["8 runs call a tool that no baseline run calls"]]);
  expect(long).toContain('<th scope="row">a very long aspect</th>');
  expect(long).not.toContain("keep");
});
