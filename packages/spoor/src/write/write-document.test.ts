/** One small document in every medium: what each writer makes of each block, and that none of them lets text become markup. */
import { describe, expect, it } from "vitest";
import type { Document } from "../document/document.ts";
import { joined, link, name, say, styled } from "../document/text.ts";
import { writeHtml } from "./html/write-html.ts";
import { createTerminalStyle } from "./terminal/terminal-style.ts";
import { writeTerminal } from "./terminal/write-terminal.ts";
import { writeMarkdown } from "./write-markdown.ts";
import { writePlain } from "./write-plain.ts";

const document: Document = {
  id: "spoor:test",
  subject: ["tester"],
  blocks: [
    {
      kind: "verdict",
      mark: "failed",
      word: "Blocked",
      headline: say`${name("issue_refund")} now runs without ${name("confirm")} before it, in 2 of 5 tickets`,
      detail: ["In the baseline it came first every time (3 of 3)."],
    },
    {
      kind: "findings",
      titles: ["result", "rule", "where"],
      items: [
        {
          mark: "failed",
          cells: [["error"], [name("confirm-first")]],
          named: 1,
          right: [name("rules.yaml:4:5")],
          body: [
            { kind: "paragraph", text: say`${link("t:2", name("ticket"), ", turn 2")}  paid 89.00 → nobody asked` },
          ],
        },
        { mark: "passed", cells: [["passed"], [name("one-refund")]], named: 1, right: ["5 tickets"] },
      ],
    },
    {
      kind: "table",
      caption: "Signals",
      columns: [{ title: "axis" }, { title: "now", align: "right" }, { title: "change" }, { title: "grade" }],
      rows: [
        {
          cells: [
            ["cost"],
            ["12 tok"],
            { kind: "bar", point: 0.5, low: 0.2, high: 0.8, says: ["+2 (1 to 3)"] },
            ["minor"],
          ],
        },
        { cells: [["judge"]], rest: ["not run: no judge"] },
      ],
    },
    {
      kind: "facts",
      facts: [
        { label: "Coverage", text: ["32 turns read"] },
        { label: "", text: joined([[name("a")], [], [name("b|c")]], ", ") },
        { label: "Empty", text: [] },
      ],
    },
    {
      kind: "fold",
      name: "the paths",
      title: ["The path"],
      blocks: [
        {
          kind: "paths",
          known: "known",
          now: "now",
          steps: [
            { step: "look", side: "both" },
            { step: "ask", side: "known" },
            { step: "pay", side: "now" },
          ],
        },
      ],
    },
    { kind: "group", only: ["html"], blocks: [{ kind: "paragraph", text: ["only on a page"] }] },
    {
      kind: "closing",
      text: say`Blocked by ${styled("strong", "one rule")}.`,
      exitCode: 1,
      next: ["spoor show x --turn 2"],
    },
  ],
  footer: [["5 traces"], ["spoor 0.0.0"]],
};

describe("one document", () => {
  it("on a terminal", () => {
    expect(writeTerminal(document, createTerminalStyle({ columns: 60 }))).toMatchInlineSnapshot(`
      "✗ Blocked: issue_refund now runs without confirm before it,
        in 2 of 5 tickets. In the baseline it came first every
        time (3 of 3).

        ✗ error   confirm-first                     rules.yaml:4:5
            ticket, turn 2  paid 89.00 → nobody asked
        ✓ passed  one-refund                             5 tickets

        axis      now  severe   0   severe  grade
        cost   12 tok    ┊      │├──●─┤┊    minor
        judge  not run: no judge

        Coverage  32 turns read
                  a, b|c

        Blocked by one rule.                           exit code 1
        Next: spoor show x --turn 2
      "
    `);
  });

  it("in ASCII and colour", () => {
    const text = writeTerminal(document, createTerminalStyle({ columns: 60, ascii: true, color: true }));
    expect(text).toContain("\u001b[31mX\u001b[39m Blocked");
    expect(text).toContain("89.00 -> nobody");
  });

  it("as Markdown", () => {
    expect(writeMarkdown(document, { marker: true, link: "https://ci.example/r_(1)" })).toMatchInlineSnapshot(`
      "<!-- spoor:test -->
      ### ✗ Blocked: \`issue_refund\` now runs without \`confirm\` before it, in 2 of 5 tickets
      In the baseline it came first every time (3 of 3).

      | result | rule | where |
      |---|---|---|
      | ✗ error | \`confirm-first\` | \`rules.yaml:4:5\` |
      | ✓ passed | \`one-refund\` | 5 tickets |

      <details><summary>confirm-first</summary>

      \`ticket\`, turn 2  paid 89.00 → nobody asked

      </details>

      | axis | now | change | grade |
      |---|---:|---|---|
      | cost | 12 tok | +2 (1 to 3) | minor |
      | judge | not run: no judge |  |  |

      - Coverage: 32 turns read
      - \`a\`, \`b|c\`

      <details><summary>The path</summary>

      \`\`\`text
      known  look > ask > ---
      now    look > --- > pay
      \`\`\`

      </details>

      Blocked by **one rule**.

      Next: \`npx spoor show x --turn 2\`

      <sub>[Full report](https://ci.example/r_%281%29) · 5 traces · spoor 0.0.0</sub>
      "
    `);
  });

  it("as plain lines", () => {
    expect(writePlain(document)).toMatchInlineSnapshot(`
      "Blocked: issue_refund now runs without confirm before it, in 2 of 5 tickets. In the baseline it came first every time (3 of 3).
      failed  error  confirm-first  rules.yaml:4:5
      ticket, turn 2  paid 89.00 → nobody asked
      passed  passed  one-refund  5 tickets
      cost  12 tok  +2 (1 to 3)  minor
      judge  not run: no judge
      Coverage: 32 turns read
      a, b|c
      look > (without ask) > (new) pay
      Blocked by one rule.
      Next: npx spoor show x --turn 2
      "
    `);
  });

  it("as Markdown whose places lead into the page, where its address is that of a page", () => {
    const place = { kind: "section" as const, id: "t:2", title: ["Turn 2"], blocks: [] };
    const blocks = [...document.blocks, place];
    const places = (link: string) => writeMarkdown({ ...document, blocks }, { link }).match(/\[[^\]]*\]\([^)]*\)/g);
    expect(places("https://ci.example/r_(1)/report.html")).toEqual([
      "[`ticket`, turn 2](https://ci.example/r_%281%29/report.html#t%3A2)",
      "[Full report](https://ci.example/r_%281%29/report.html)",
    ]);
    expect(places("https://ci.example/jobs/1")).toEqual(["[Full report](https://ci.example/jobs/1)"]);
  });

  it("as a page, whose links lead somewhere", () => {
    const page = writeHtml(document, { script: "", style: "" });
    expect(page).toContain('<span class="status failed"><span aria-hidden="true">✗</span>Blocked</span>');
    // No turn of that name is on this page, so the place is text.
    expect(page).not.toContain('<a href="#t%3A2"');
    expect(page).toContain("only on a page");
    expect(page).toContain(
      "<title>Blocked: issue_refund now runs without confirm before it, in 2 of 5 tickets · tester · Spoor</title>",
    );
  });
});

describe("Markdown beyond its length", () => {
  const fold = (title: string, letters: number): Document["blocks"][number] => ({
    kind: "fold",
    name: `the ${title}`,
    title: [title],
    blocks: [{ kind: "paragraph", text: ["x".repeat(letters)] }],
  });

  it("leaves out whole folds, keeps what fits, and says what is missing", () => {
    const long: Document = {
      ...document,
      blocks: [document.blocks[0]!, fold("first", 40_000), fold("second", 30_000), fold("third", 100)],
    };
    const text = writeMarkdown(long);
    expect(text.length).toBeLessThan(60_000);
    expect(text).toContain("<summary>first</summary>");
    expect(text).not.toContain("<summary>second</summary>");
    expect(text).toContain("<summary>third</summary>");
    expect(text).toContain("Cut for length: the second.");
  });

  it("ends at a line where nothing can be folded", () => {
    const blocks = Array.from({ length: 2_000 }, (): Document["blocks"][number] => ({
      kind: "paragraph",
      text: ["word ".repeat(20)],
    }));
    const text = writeMarkdown({ ...document, blocks });
    expect(text.length).toBeLessThan(65_536);
    expect(text).toMatch(/Cut here: \d+ characters more are in the full report\.\n$/);
  });
});

describe("text in Markdown", () => {
  it.each([
    ["- no list", "\\- no list"],
    ["1. no list", "1\\. no list"],
    ["=====", "\\====="],
    ["-0.10 stays", "-0.10 stays"],
    ["@team", "@\u200bteam"],
    ["#12 and GH-3", "\\#\u200b12 and GH-\u200b3"],
    ["ftp://x and www.x.y", "ftp:\u200b//x and www\u200b.x.y"],
    ["<b> & [x](y) *z*", "\\<b\\> \\& \\[x\\](y) \\*z\\*"],
  ])("%j is written %j", (words, written) => {
    expect(writeMarkdown({ ...document, footer: [], blocks: [{ kind: "paragraph", text: [words] }] })).toBe(
      `${written}\n`,
    );
  });

  it("fences a name longer than the backticks inside it", () => {
    const blocks: Document["blocks"] = [{ kind: "paragraph", text: [name("a ``` b"), name("`"), name(" ")] }];
    expect(writeMarkdown({ ...document, footer: [], blocks })).toBe("````a ``` b````" + "`` ` ``" + "``` ```\n");
  });
});
