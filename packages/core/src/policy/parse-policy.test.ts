import { describe, expect, it } from "vitest";
import { problemsOf, rule } from "../../test/policy.ts";
import { SpoorError } from "../errors.ts";
import type { Json } from "../trace/json.ts";
import { type ParsePolicyOptions, parsePolicy } from "./parse-policy.ts";

function failure(text: string, options: ParsePolicyOptions = { file: "p.yaml" }): SpoorError {
  try {
    parsePolicy(text, options);
  } catch (error) {
    if (error instanceof SpoorError) return error;
    throw error;
  }
  throw new Error("the policy loads");
}

describe("every problem of a file is listed, in file order, with its place", () => {
  const text = `rules:
  - id: confirm-before-refund
    kind: must_call_befor
    sevrity: error
  - id: large-refund
    kind: no_call
    params: { tool: issue_refund, args: [{ path: refund.amount, op: ">", value: "75 EUR" }] }
  - id: large-refund
    kind: max_turns
    params: { limit: yes }
`;
  it("as people see it", () => {
    const { problems, code, consequence } = failure(text);
    expect(code).toBe("policy.invalid");
    expect(consequence).toBe("Nothing was checked.");
    expect(problems.map(({ at, message }) => `${at.line}:${at.column} ${message}`)).toEqual([
      '3:11 unknown kind "must_call_befor". Did you mean must_call_before?',
      '4:5 unknown key "sevrity" in rule confirm-before-refund. Did you mean severity? As written, the default (error) would apply unnoticed.',
      '7:81 ">" needs a number, or a date or time as ISO 8601 writes it; found the text "75 EUR".',
      '8:9 id "large-refund" is already used on line 5. Reports and exceptions refer to ids, so each must be unique.',
      "10:22 limit must be a whole number, found true.",
    ]);
    expect(problems[0]!.excerpt).toBe("    kind: must_call_befor");
  });
  it("also in JSON", () => {
    const { problems } = failure('[\n  {"kind": "nope"},\n  {"kind": "no_call", "params": {}}\n]', { file: "p.json" });
    expect(problems.map(({ at }) => [at.line, at.column, at.path])).toEqual([
      [2, 12, "[0].kind"],
      [3, 33, "[1].params"],
    ]);
  });
});

describe("the suffix decides the parser", () => {
  const yaml = "- {id: a, kind: no_call, params: {tool: t}}\n";
  it.each(["p.yaml", "p.yml", "p.YML"])("%s is YAML", (file) => {
    expect(parsePolicy(yaml, { file }).rules).toHaveLength(1);
  });
  it.each(["p.json", "policy"])("%s is JSON", (file) => {
    expect(failure(yaml, { file })).toMatchObject({ code: "policy.bad-json", at: { line: 1, column: 1 } });
  });
});

describe("dangerous or broken files end in an error, never in a crash", () => {
  it.each([
    ["100 KB of brackets", "[".repeat(100_000), "yaml.too-deep"],
    ["compact sequences", "- ".repeat(5000), "yaml.too-deep"],
    ["a key twice", "rules: []\nrules: []\n", "yaml.invalid"],
    ["a custom tag", "rules: !!js/function 'x'\n", "yaml.invalid"],
    ["an unfinished list", "rules: [a: b: c", "yaml.invalid"],
    ["an empty file", "", "policy.invalid"],
    ["a number", "3", "policy.invalid"],
    ["rules that are a mapping", "rules: {a: 1}", "policy.invalid"],
  ])("%s", (_name, text, code) => {
    expect(failure(text).code).toBe(code);
  });
  it("a key twice in JSON", () => {
    expect(failure('{"rules": [], "rules": []}', { file: "p.json" }).problems[0]!.message).toContain("already used");
  });
});

describe("a condition that can never hold is a problem: it would switch its rule off in silence", () => {
  it.each([
    ['{ path: "request.messages[1].content", op: "==", value: x }', "write messages.1"],
    ['{ path: model, op: ">", value: "4" }', "Remove the quotes"],
    ['{ path: model, op: "<", value: soon }', "or a date or time as ISO 8601 writes it"],
    ['{ path: model, op: "<", value: "2026-02-30" }', "or a date or time as ISO 8601 writes it"],
    ["{ path: model, op: in, value: abc }", '"in" needs a list'],
    ["{ path: model, op: not_in, value: abc }", '"not_in" needs a list'],
    ["{ path: model, op: in, value: [] }", "at least one value"],
    ["{ path: model, op: in, value: [null] }", "at least one value"],
    ['{ path: model, op: "==", value: null }', '"==" with null never holds'],
    ["{ path: model, op: shorter_than, value: 0 }", "nothing is shorter than 0"],
    ['{ path: a, op: ">", value: 5 }, { path: a, op: "<", value: 5 }', "a > 5 and a < 5 exclude each other"],
    ['{ path: a, op: "==", value: x }, { path: a, op: in, value: [y, z] }', "exclude each other"],
    ['{ path: a, op: ">=", value: "2026-01-01" }, { path: a, op: "<", value: 7 }', "exclude each other"],
  ])("%s", (condition, words) => {
    for (const text of [
      `- {id: a, kind: no_call, params: {tool: t}, when: [${condition}]}\n`,
      `- {id: a, kind: no_call, params: {tool: t, args: [${condition}]}}\n`,
    ]) {
      const { problems } = failure(text, { file: "p.yaml" });
      expect(problems.map(({ message }) => message).join("\n")).toContain(words);
    }
  });

  it.each([
    '{ path: a, op: ">", value: 5 }, { path: a, op: "<", value: 6 }',
    '{ path: a.*, op: "==", value: 1 }, { path: a.*, op: "==", value: 2 }',
    `{ path: '["items[0]"]', op: "==", value: 1 }`,
    '{ path: a, op: "!=", value: null }',
  ])("%s may hold", (condition) => {
    const text = `- {id: a, kind: no_call, params: {tool: t}, when: [${condition}]}\n`;
    expect(parsePolicy(text, { file: "p.yaml" }).rules).toHaveLength(1);
  });
});

describe("extends", () => {
  const files: Record<string, string> = {
    "base.yaml":
      "session_key: request.id\nrules:\n  - {id: a, kind: no_call, params: {tool: a}}\n  - {id: b, kind: no_call, params: {tool: b}}\n",
    "top.yaml": "rules: []\n",
    "loop.yaml": "extends: top.yaml\nrules: []\n",
    "broken.yaml": "rules:\n  - {kind: nope}\n",
  };
  const read: ParsePolicyOptions["read"] = (name) =>
    files[name] === undefined ? { problem: `${name} does not exist.` } : { file: name, text: files[name]! };
  const load = (text: string) => parsePolicy(text, { file: "top.yaml", read });
  it("brings in rules, replaces those of the same id in place, and keeps the session key", () => {
    const policy = load(
      "extends: base.yaml\nrules:\n  - {id: a, kind: max_turns, params: {n: 3}}\n  - {id: c, kind: no_call, params: {tool: c}}\n",
    );
    expect(policy.rules.map(({ id, kind }) => `${id} ${kind}`)).toEqual(["a max_turns", "b no_call", "c no_call"]);
    expect(policy.sessionKey?.text).toBe("request.id");
  });
  it("works without rules of its own", () => {
    expect(load("extends: [base.yaml]\n").rules).toHaveLength(2);
  });
  it.each([
    ["extends: nowhere.yaml\nrules: []\n", "nowhere.yaml does not exist."],
    ["extends: loop.yaml\nrules: []\n", "in a circle"],
  ])("%j is refused", (text, words) => {
    expect(() => load(text)).toThrow(SpoorError);
    try {
      load(text);
    } catch (error) {
      expect((error as SpoorError).problems[0]!.message).toContain(words);
    }
  });
  it("shows the problems of the file that has them", () => {
    try {
      load("extends: broken.yaml\nrules: []\n");
      expect.unreachable();
    } catch (error) {
      expect((error as SpoorError).message).toBe("broken.yaml has 1 problem.");
    }
  });
});

it("explains each rule in one sentence, with its gate, its agent and its scope", () => {
  const policy = parsePolicy(
    `- id: a
  kind: must_call_before
  params: { first: confirm, second: refund }
  when: { path: request.params.amount, op: ">", value: 500 }
  agent: main
  scope: session
`,
    { file: "p.yaml" },
  );
  expect(policy.rules[0]!.explanation).toBe(
    "In turns where request.params.amount > 500, for main: confirm must be called before refund, in each session.",
  );
});

describe("values of the wrong shape are configuration errors", () => {
  it.each<[string, Json, string]>([
    ["kind is a list", [{ kind: ["no_call"] }], "[0].kind: kind must be a text, found a list"],
    [
      "op is a list",
      [rule("no_call", { tool: "t" }, { when: [{ path: "a", op: ["=="], value: 1 }] })],
      "[0].when[0].op: op must be ==",
    ],
    ["apiVersion is a list", { apiVersion: ["x"], rules: [] }, "apiVersion: apiVersion must be spoor.dev/v1"],
    [
      "params is a text",
      [{ id: "a", kind: "no_call", params: "tool" }],
      '[0].params: params must be a mapping, found the text "tool"',
    ],
    [
      "params is a list",
      [{ id: "a", kind: "no_call", params: ["tool"] }],
      "[0].params: params must be a mapping, found a list",
    ],
  ])("%s", (_name, rules, words) => {
    expect(problemsOf(rules).join("\n")).toContain(words);
  });
});

describe("misspelt keys are refused, with the nearest spelling", () => {
  it.each<[string, Json, string]>([
    [
      "a rule key",
      [rule("no_call", { tool: "t" }, { sevrity: "info" })],
      "Did you mean severity? As written, the default (error) would apply unnoticed.",
    ],
    ["a parameter", [rule("no_call", { tool: "t", arg: [] })], 'unknown key "arg" in no_call. Did you mean args?'],
    [
      "a key of a condition",
      [rule("no_call", { tool: "t" }, { when: [{ path: "a", op: "==", value: 1, valeu: 2 }] })],
      "Did you mean value?",
    ],
    ["a parameter outside params", [{ id: "a", kind: "no_call", tool: "t" }], "[0].tool: tool belongs under params."],
    ["a key of the file", { rules: [], session_kye: "request.id" }, "Did you mean session_key?"],
  ])("%s", (_name, rules, words) => {
    expect(problemsOf(rules).join("\n")).toContain(words);
  });
});

it("duplicate ids are refused", () => {
  expect(problemsOf([rule("no_call", { tool: "a" }), rule("no_call", { tool: "b" })])).toEqual([
    '[1].id: id "r" is already used on line 1. Reports and exceptions refer to ids, so each must be unique.',
  ]);
});
