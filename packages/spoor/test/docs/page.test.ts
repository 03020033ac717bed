/** The checks of the documentation check something: what they must notice, on small pages. */
import { describe, expect, it } from "vitest";
import { matchesOutput } from "./matches-output.ts";
import { anchorsOf, linksOf, parsePage } from "./page.ts";

it.each([
  { name: "the same lines", printed: "a\nb\n", shown: "a\nb", expected: true },
  { name: "another line", printed: "a\nb", shown: "a\nc", expected: false },
  { name: "a line more", printed: "a\nb\nc", shown: "a\nb", expected: false },
  { name: "a line less", printed: "a", shown: "a\nb", expected: false },
  { name: "lines left out in the middle", printed: "a\nb\nc\nd", shown: "a\n…\nd", expected: true },
  { name: "nothing where lines may be left out", printed: "a\nd", shown: "a\n  …\nd", expected: true },
  { name: "the end left out", printed: "a\nb", shown: "a\n…", expected: true },
  { name: "a wrong line after lines left out", printed: "a\nb\nc", shown: "a\n…\nd", expected: false },
  { name: "a cut inside a line is a text like any other", printed: "a b", shown: "a …", expected: false },
])("output: $name is $expected", ({ printed, shown, expected }) => {
  expect(matchesOutput(printed, shown)).toBe(expected);
});

describe("a page", () => {
  const text = [
    "# One page",
    "See [two](two.md#a-heading), [out](https://example.com) and `[not](a-link.md)`.",
    "",
    "<!-- run in: examples/refund -->",
    "<!-- exit: 1, 0 -->",
    "```sh",
    "spoor gate",
    "```",
    "",
    "```text",
    "# no heading",
    "```",
    "## A heading: with `code`, twice",
    "## A heading: with `code`, twice",
  ].join("\n");
  const page = parsePage("one.md", text);

  it("has its blocks with directives, and knows which output follows which command", () => {
    expect(page.blocks.map(({ line, language, follows }) => ({ line, language, follows }))).toEqual([
      { line: 6, language: "sh", follows: false },
      { line: 10, language: "text", follows: true },
    ]);
    expect(Object.fromEntries(page.blocks[0]!.directives)).toEqual({ "run in": "examples/refund", exit: "1, 0" });
    expect(page.blocks[1]!.directives.size).toBe(0);
  });

  it("has the anchors that GitHub makes, and the links that stay inside", () => {
    expect([...anchorsOf(page)]).toEqual(["one-page", "a-heading-with-code-twice", "a-heading-with-code-twice-1"]);
    expect(linksOf(page)).toEqual(["two.md#a-heading"]);
  });

  it("refuses a block that never ends", () => {
    expect(() => parsePage("bad.md", "```sh\nspoor gate")).toThrow("bad.md:1");
  });
});
