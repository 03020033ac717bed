import { describe, expect, it } from "vitest";
import type { SpoorError } from "../errors.ts";
import { parseYaml } from "./parse-yaml.ts";
import { formatPath } from "./source.ts";

function failure(text: string): SpoorError {
  try {
    parseYaml(text, "f.yaml");
  } catch (error) {
    return error as SpoorError;
  }
  throw new Error("was accepted");
}

describe("parseYaml", () => {
  it.each([
    ["a: 1\nb: [x, 'y']\n", { a: 1, b: ["x", "y"] }],
    ["", null],
    ["a: &x {k: 1}\nb: *x\n", { a: { k: 1 }, b: { k: 1 } }],
    ["id: 9007199254740993\n", { id: 9007199254740993n }],
    ["1: a\n", { "1": "a" }],
    ["d: 2025-01-01\nyes: no\n", { d: "2025-01-01", yes: "no" }],
  ])("reads %j", (text, expected) => {
    expect(parseYaml(text, "f.yaml").value).toEqual(expected);
  });

  it("keeps __proto__ as an ordinary key", () => {
    const value = parseYaml("__proto__: {a: 1}\n", "f.yaml").value as object;
    expect(Object.keys(value)).toEqual(["__proto__"]);
    expect((value as { a?: unknown }).a).toBeUndefined();
  });

  it.each([
    ["a: 1\na: 2\n", 2, "already used"],
    ["a: !!js/function x\n", 1, "custom tags"],
    ["rules: []\n---\nrules: [x]\n", 2, "second document"],
    ["a: [1, 2\n", 2, ""],
    ["a: .nan\n", 1, "finite"],
    ["? [x]\n: 1\n", 1, "key must be a text"],
  ])("refuses %j on line %i", (text, line, words) => {
    const error = failure(text);
    expect(error.code).toBe("yaml.invalid");
    expect(error.problems[0]!.at.line).toBe(line);
    expect(error.problems[0]!.message).toContain(words);
  });

  it.each([
    ["brackets", "a: ".concat("[".repeat(100_000))],
    ["braces", "{a: ".repeat(10_000)],
    ["compact lists", `${"- ".repeat(200)}x`],
    ["indentation", Array.from({ length: 200 }, (_, depth) => `${" ".repeat(depth)}k:`).join("\n")],
  ])("refuses %s that are too deep without crashing", (_name, text) => {
    expect(failure(text).code).toBe("yaml.too-deep");
  });

  it("refuses a billion laughs and a huge file", () => {
    const laughs = Array.from({ length: 5 }, (_, level) =>
      level === 0
        ? "a0: &a0 x"
        : `a${level}: &a${level} [${Array(10)
            .fill(`*a${level - 1}`)
            .join(", ")}]`,
    ).join("\n");
    expect(failure(laughs).problems[0]!.message).toContain("aliases");
    expect(failure(" ".repeat(2 * 1024 * 1024)).code).toBe("yaml.too-large");
  });

  it("says where a value, a key and a missing key stand", () => {
    const document = parseYaml("cases:\n  - id: one\n    name: two\n", "f.yaml");
    expect(document.locate(["cases", 0, "name"])).toMatchObject({ line: 3, column: 11 });
    expect(document.locate(["cases", 0, "name"], "key")).toMatchObject({ line: 3, column: 5 });
    expect(document.locate(["cases", 0, "absent"])).toMatchObject({ line: 2, column: 5 });
    expect(formatPath(["cases", 0, "a b", "c"])).toBe('cases[0]["a b"].c');
  });
});
