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

  const laughs = (levels: number, times: number) =>
    Array.from({ length: levels }, (_, level) =>
      level === 0
        ? "a0: &a0 x"
        : `a${level}: &a${level} [${Array(times)
            .fill(`*a${level - 1}`)
            .join(", ")}]`,
    ).join("\n");

  it.each([
    ["a billion laughs", laughs(10, 10)],
    [
      "laughs in mappings",
      "a: &a {x: 1}\n" +
        Array.from(
          { length: 30 },
          (_, n) =>
            `b${n}: &${n === 0 ? "b0" : `b${n}`} {l: *${n === 0 ? "a" : `b${n - 1}`}, r: *${n === 0 ? "a" : `b${n - 1}`}}`,
        ).join("\n"),
    ],
    ["one big anchor used often", `a: &a [${"x, ".repeat(20_000)}x]\nb: [${"*a, ".repeat(500)}*a]`],
  ])("refuses %s at once, with its line", (_name, text) => {
    const { code, problems } = failure(text);
    expect(code).toBe("yaml.invalid");
    expect(problems[0]!.message).toContain("aliases make more than");
    expect(problems[0]!.at.line).toBeGreaterThan(1);
  });

  it("takes as many aliases as there are cases", () => {
    const text = `std: &std [{type: contains, value: a}, {type: contains, value: b}]\nlist:\n${"  - {id: x, evaluators: *std}\n".repeat(20_000)}`;
    const { list } = parseYaml(text, "f.yaml").value as { list: { evaluators: unknown[] }[] };
    expect(list).toHaveLength(20_000);
    expect(list[19_999]!.evaluators).toEqual([
      { type: "contains", value: "a" },
      { type: "contains", value: "b" },
    ]);
  });

  it.each([
    ["b: &b {x: 1, y: 1}\na: {<<: *b, x: 2}", { b: { x: 1, y: 1 }, a: { x: 2, y: 1 } }],
    ["b: &b {x: 1}\nc: &c {x: 2, z: 2}\na: {<<: [*b, *c]}", { b: { x: 1 }, c: { x: 2, z: 2 }, a: { x: 1, z: 2 } }],
    ["a: {<<: plain}", { a: { "<<": "plain" } }],
  ])("takes over what %j merges", (text, expected) => {
    expect(parseYaml(text, "f.yaml").value).toEqual(expected);
    expect(failure("b: &b [1]\na: {<<: *b}").problems[0]!.message).toContain("<< takes the alias of a mapping");
  });

  it("takes the last anchor of a name before the alias, and refuses one inside of itself", () => {
    expect(parseYaml("[&a 1, *a, &a 2, *a]", "f.yaml").value).toEqual([1, 1, 2, 2]);
    expect(failure("a: &a [1, *a]").problems[0]!.message).toContain("inside of what it names");
    expect(failure("a: *b\nb: &b 1").problems[0]!.at.line).toBe(1);
  });

  it("counts the depth of what an alias stands for", () => {
    const deep = (levels: number) => `${"[".repeat(levels)}1${"]".repeat(levels)}`;
    expect(failure(`a: &a ${deep(40)}\nb: ${"[".repeat(40)}*a${"]".repeat(40)}`).problems[0]!.message).toContain(
      "nested deeper",
    );
    expect(() => parseYaml(`a: &a ${deep(20)}\nb: ${"[".repeat(20)}*a${"]".repeat(20)}`, "f.yaml")).not.toThrow();
  });

  it("refuses a huge file unless it may be a dataset", () => {
    const huge = `a: x${" ".repeat(2 * 1024 * 1024)}\n`;
    expect(failure(huge).code).toBe("yaml.too-large");
    expect(parseYaml(huge, "f.yaml", { anySize: true }).value).toEqual({ a: "x" });
  });

  it("says where a value, a key and a missing key stand", () => {
    const document = parseYaml("cases:\n  - id: one\n    name: two\n", "f.yaml");
    expect(document.locate(["cases", 0, "name"])).toMatchObject({ line: 3, column: 11 });
    expect(document.locate(["cases", 0, "name"], "key")).toMatchObject({ line: 3, column: 5 });
    expect(document.locate(["cases", 0, "absent"])).toMatchObject({ line: 2, column: 5 });
    expect(formatPath(["cases", 0, "a b", "c"])).toBe('cases[0]["a b"].c');
  });
});
