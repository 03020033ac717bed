import { SpoorError } from "@spoor/core";
import { Problems } from "@spoor/core/internal/read/located";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { expect, it } from "vitest";
import { renderError } from "./error.ts";
import { createTerminalStyle } from "./terminal-style.ts";

const STYLE = createTerminalStyle({ columns: 80, color: false });
const YAML = ["limt: 3", 'words: ["one", 2]', "list:", "  - a: 日本", "long: |", "  one", "  two", ""].join("\n");

function complaints(): SpoorError {
  const problems = new Problems(parseYaml(YAML, "f.yaml"));
  const root = problems.root();
  root.keyProblem("limt", "a key.");
  root.get("words")!.get(0)!.problem("a value in quotes.");
  root.get("words")!.problem("a list.");
  root.get("list")!.get(0)!.get("a")!.problem("a wide value.");
  root.get("long")!.problem("several lines.");
  try {
    problems.throwIfAny("config.invalid", "Nothing was evaluated.");
  } catch (error) {
    return error as SpoorError;
  }
  throw new Error("nothing was thrown");
}

it("puts carets under the whole word that is meant, and one where it is more than a word", () => {
  expect(renderError(complaints(), 2, STYLE)).toMatchInlineSnapshot(`
    "✗ f.yaml has 5 problems.

       1:1  a key.
        1 │ limt: 3
          │ ^^^^
       2:8  a list.
        2 │ words: ["one", 2]
          │        ^
       2:9  a value in quotes.
        2 │ words: ["one", 2]
          │         ^^^^^
       4:8  a wide value.
        4 │   - a: 日本
          │        ^^^^
       5:7  several lines.
        5 │ long: |
          │       ^
      Nothing was evaluated.                             config.invalid  exit code 2
    "
  `);
});

it("has no more carets than the line has room", () => {
  const excerpt = `key: ${"x".repeat(200)}`;
  const error = new SpoorError("config.invalid", "f.yaml has 1 problem.", {
    problems: [{ at: { file: "f.yaml", line: 1, column: 6 }, message: "long.", excerpt, length: 200 }],
  });
  const lines = renderError(error, 2, STYLE).split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
});
