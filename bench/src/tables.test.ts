import { describe, expect, it } from "vitest";
import type { Benchmark } from "./benchmark.ts";
import { putTable, renderTable } from "./tables.ts";

const benchmark: Benchmark = { name: "read", promise: "at most 2 times JSON.parse", run: () => [] };

describe("renderTable", () => {
  it("has a row for each figure, what was not kept in bold, and the conditions", () => {
    const rows = [
      { what: "a log", measured: "1.31 times", against: "JSON.parse, 1.9 s", kept: true },
      { what: "a | pipe", measured: "3.0 times", against: "the\nsame", kept: false },
      { what: "told only", measured: "4 MB", against: "nothing" },
    ];
    expect(renderTable(benchmark, rows, "Node 20, load 1")).toMatchInlineSnapshot(`
      "Promised: at most 2 times JSON.parse.

      | what | measured | against | promise |
      |---|---|---|---|
      | a log | 1.31 times | JSON.parse, 1.9 s | kept |
      | a \\| pipe | **3.0 times** | the same | **broken** |
      | told only | 4 MB | nothing | – |

      Node 20, load 1."
    `);
  });
});

describe("putTable", () => {
  const page = "# Benchmarks\n\n<!-- bench:read -->\nold\n<!-- /bench:read -->\n\nBy hand.\n";

  it("exchanges its own table and leaves what people wrote", () => {
    expect(putTable(page, "read", "new")).toBe(page.replace("old", "new"));
  });

  it("leaves the tables of benchmarks that were not run", () => {
    const two = `${page}\n<!-- bench:diff -->\nolder\n<!-- /bench:diff -->\n`;
    expect(putTable(two, "diff", "newer")).toBe(two.replace("older", "newer"));
  });

  it("takes a table for what it is, not for a pattern of replacement", () => {
    expect(putTable(page, "read", "$& $1 $'")).toBe(page.split("old").join("$& $1 $'"));
  });

  it("gives a benchmark that has none a section at the end", () => {
    expect(putTable(page, "start", "table")).toBe(
      `${page}\n## start\n\n<!-- bench:start -->\ntable\n<!-- /bench:start -->\n`,
    );
  });

  it("refuses a page whose table has no end, instead of taking away what follows", () => {
    expect(() => putTable("<!-- bench:read -->\nold\n\nBy hand.", "read", "new")).toThrow(/without <!-- \/bench:read/);
  });
});
