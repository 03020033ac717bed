/**
 * Mistakes that policy engines have been seen to make and that must not happen here: one test per mistake, with the value our
 * rules give, worked out by hand. (2 is in the command-line tests, 21 to 24 in @spoor/record, 25 in the statistics.)
 */
import { describe, expect, it } from "vitest";
import {
  pairsOf,
  policyOf,
  problemsOf,
  result,
  rule,
  standalone,
  traceOfRecords,
  turn,
  violationsOf,
} from "../../test/policy.ts";
import { SpoorError } from "../errors.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { checkPolicy } from "./check-policy.ts";
import { diffPolicy, gatePolicy } from "./diff-policy.ts";
import { compileFormula, truthVector } from "./ltl/evaluate-formula.ts";
import { parsePolicy } from "./parse-policy.ts";
import { ruleKinds } from "./rules.ts";

const twoModels = (a: object, b: object) => [
  ...turn({ text: "x", request: { model: "a" }, ...a }),
  ...turn({ text: "x", request: { model: "b" }, ...b }),
];

it("14.1 critical trips every level of the gate", () => {
  const violations = violationsOf(
    [rule("no_call", { tool: "t" }, { severity: "critical" })],
    traceOfRecords(turn({ calls: ["t"] })),
  );
  expect((["minor", "moderate", "severe"] as const).map((level) => gatePolicy(violations, level).tripped)).toEqual([
    true,
    true,
    true,
  ]);
});

describe("14.3 calls recorded on their own", () => {
  const noDel = (rest: JsonObject) => rule("no_call", { tool: "del" }, rest);
  const afterLast = traceOfRecords(turn({ text: "x" }), standalone("del"));
  it.each([
    ["ungated", {}],
    ["gated", { when: [{ path: "model", op: "==", value: "m" }] }],
    ["scoped to a session", { scope: "session" }],
  ])("are seen after the last response when %s, in pair 1", (_name, rest) => {
    expect(pairsOf(noDel(rest), afterLast)).toEqual([1]);
  });
  it("are seen by formulas, as part of the turn before", () => {
    expect(pairsOf(rule("ltl_formula", { formula: "G !tool_call:del" }), afterLast)).toEqual([0]);
    expect(
      pairsOf(
        rule("ltl_formula", { formula: "G !tool_call:del" }),
        traceOfRecords(standalone("del"), turn({ text: "x" })),
      ),
    ).toEqual([0]);
  });
  it("are gated by the response they follow", () => {
    const [r0, p0, r1, p1] = twoModels({}, {});
    const trace = traceOfRecords(r0!, p0!, standalone("del"), r1!, p1!);
    expect(pairsOf(noDel({ when: [{ path: "model", op: "==", value: "a" }] }), trace)).toEqual([1]);
    expect(pairsOf(noDel({ when: [{ path: "model", op: "==", value: "b" }] }), trace)).toEqual([]);
  });
  it("are charged to the session in which they were made", () => {
    const user = { messages: [{ role: "user", content: "hi" }] };
    const trace = traceOfRecords(
      turn({ text: "x", request: user }),
      standalone("del"),
      turn({ text: "y", request: user }),
    );
    const [violation] = violationsOf([noDel({ scope: "session" })], trace);
    expect(violation).toMatchObject({ sessionIndex: 0, turnIndex: 0, pairIndex: 1 });
  });
  it("wait for the first response when they come before it and the rule is gated", () => {
    const early = traceOfRecords(standalone("del"), turn({ text: "x", request: { model: "a" } }));
    expect(pairsOf(noDel({ when: [{ path: "model", op: "==", value: "a" }] }), early)).toEqual([0]);
    expect(pairsOf(noDel({ when: [{ path: "model", op: "==", value: "b" }] }), early)).toEqual([]);
  });
});

describe("14.4 turn numbers are positions in the trace", () => {
  const user = (word: string) => ({ messages: [{ role: "user", content: word }], model: word });
  const trace = traceOfRecords(
    turn({ text: "ok", request: user("a") }),
    turn({ text: "bad", request: user("b") }),
    turn({ text: "bad", request: user("c") }),
  );
  it.each([
    ["forbidden_text", { text: "bad" }, [1, 2]],
    ["must_include_text_each", { text: "ok" }, [1, 2]],
    ["must_match_json_schema", { schema: { type: "object" } }, [0, 1, 2]],
  ])("%s under session scope", (kind, params, expected) => {
    expect(pairsOf(rule(kind, params, { scope: "session" }), trace)).toEqual(expected);
  });
  it("also with a gate on top", () => {
    const when = [{ path: "model", op: "==", value: "c" }];
    expect(pairsOf(rule("forbidden_text", { text: "bad" }, { scope: "session", when }), trace)).toEqual([2]);
  });
});

describe("14.5 rules that cannot run do not load", () => {
  it.each<[string, string, JsonObject, string]>([
    ["an invalid schema", "must_match_json_schema", { schema: { type: "objekt" } }, "no valid JSON Schema"],
    ["a schema that is a list", "must_match_json_schema", { schema: [1] }, "schema must be a mapping, found a list"],
    ["a boolean schema", "must_match_json_schema", { schema: false }, "schema must be a mapping, found false"],
    ["two schemas", "must_match_json_schema", { schema: {}, schema_path: "a.json" }, "a.json"],
    ["no schema", "must_match_json_schema", {}, "needs schema or schema_path"],
    ["a schema file that is not there", "must_match_json_schema", { schema_path: "none.json" }, "none.json"],
    ["a formula that does not parse", "ltl_formula", { formula: "G (" }, "character 4"],
    ["a blank formula", "ltl_formula", { formula: "  " }, "formula must be a text that is not empty"],
    ["no formula", "ltl_formula", {}, "ltl_formula needs formula"],
    ["a limit with a fraction", "max_turns", { limit: 5.5 }, "limit must be a whole number, found 5.5"],
    ["a boolean limit", "max_turns", { limit: true }, "limit must be a whole number, found true"],
    [
      "a threshold above one",
      "must_be_grounded",
      { retrieval_path: "a", min_unigram_precision: 1.5 },
      "must be a number from 0 to 1, found 1.5",
    ],
    [
      "a threshold as text",
      "must_be_grounded",
      { retrieval_path: "a", min_unigram_precision: "0.5" },
      'from 0 to 1, found the text "0.5"',
    ],
    ["an empty path", "must_remain_consistent", { path: "" }, "path must be a text that is not empty"],
    ["no must", "must_followup", {}, "must_followup needs must"],
    ["an unknown must", "must_followup", { must: { kind: "regex" } }, 'unknown kind "regex"'],
    ["a must without its tool", "must_followup", { must: { kind: "tool_call" } }, "needs tool_name"],
    [
      "a bad trigger",
      "must_followup",
      { must: { kind: "tool_call", tool_name: "a" }, trigger: [{ path: "m", op: "~", value: 1 }] },
      "op must be ==",
    ],
    ["a bad pattern", "forbidden_text", { pattern: "(" }, "cannot be compiled"],
    ["a pattern with look-around", "forbidden_text", { pattern: "a(?=b)" }, "linear time"],
  ])("%s", (_name, kind, params, words) => {
    expect(problemsOf([rule(kind, params)]).join("\n")).toContain(words);
  });
});

describe("14.6 identity of violations in a diff", () => {
  const policy = (kind: string, params: JsonObject, rest: JsonObject = {}) => policyOf([rule(kind, params, rest)]);
  const bad = () => turn({ text: "bad" });
  const fine = () => turn({ text: "fine" });

  it("an inserted turn neither breaks nor mends anything when turns are aligned", () => {
    const rules = policy("forbidden_text", { text: "bad" });
    const baseline = checkPolicy(traceOfRecords(bad()), rules);
    const candidate = checkPolicy(traceOfRecords(fine(), bad()), rules);
    const diff = diffPolicy(baseline, candidate, { turnPairs: [[0, 1]] });
    expect(diff).toMatchObject({ regressions: [], fixes: [], standing: 1 });
  });
  it("a violation in an inserted turn is a regression, one in a removed turn a fix", () => {
    const rules = policy("forbidden_text", { text: "bad" });
    const baseline = checkPolicy(traceOfRecords(bad(), fine()), rules);
    const candidate = checkPolicy(traceOfRecords(fine(), bad()), rules);
    const diff = diffPolicy(baseline, candidate, { turnPairs: [[1, 0]] });
    expect(diff.regressions.map((violation) => violation.turnIndex)).toEqual([1]);
    expect(diff.fixes.map((violation) => violation.turnIndex)).toEqual([0]);
  });
  it("3 turns instead of 2 over a limit of 1 are worse, not new", () => {
    const rules = policy("max_turns", { limit: 1 });
    const diff = diffPolicy(
      checkPolicy(traceOfRecords(fine(), fine()), rules),
      checkPolicy(traceOfRecords(fine(), fine(), fine()), rules),
    );
    expect(diff).toMatchObject({ regressions: [], fixes: [], better: [], standing: 1 });
    expect(diff.worse.map(({ baseline, candidate }) => [baseline.measure, candidate.measure])).toEqual([[2, 3]]);
  });
  it("a trace that got cheaper but stays over budget is better, not a regression", () => {
    const rules = policy("max_total_tokens", { limit: 10 });
    const spending = (tokens: number) =>
      traceOfRecords(turn({ text: "a", response: { usage: { input_tokens: tokens } } }));
    const diff = diffPolicy(checkPolicy(spending(50), rules), checkPolicy(spending(20), rules));
    expect(diff).toMatchObject({ regressions: [], fixes: [], worse: [] });
    expect(diff.better).toHaveLength(1);
  });
  it("one forbidden call does not hide three in the same turn", () => {
    const rules = policy("no_call", { tool: "t" });
    const diff = diffPolicy(
      checkPolicy(traceOfRecords(turn({ calls: ["t"] })), rules),
      checkPolicy(traceOfRecords(turn({ calls: ["t", "t", "t"] })), rules),
    );
    expect(diff.regressions).toHaveLength(2);
    expect(diff.fixes).toHaveLength(0);
  });
  it("one offending session does not hide three", () => {
    const rules = policy("max_turns", { limit: 0 }, { scope: "session" });
    const talk = (...words: string[]) =>
      traceOfRecords(
        ...words.map((word) => turn({ text: word, request: { messages: [{ role: "user", content: word }] } })),
      );
    const diff = diffPolicy(checkPolicy(talk("a"), rules), checkPolicy(talk("a", "b", "c"), rules));
    expect(diff.regressions.map((violation) => violation.sessionIndex)).toEqual([1, 2]);
    expect(diff.fixes).toEqual([]);
  });
  it("another bad stop reason in the same turn is the same offence", () => {
    const rules = policy("required_stop_reason", { allowed: ["end_turn"] });
    const ending = (stop: string) => checkPolicy(traceOfRecords(turn({ text: "a", stop })), rules);
    expect(diffPolicy(ending("content_filter"), ending("max_tokens"))).toMatchObject({
      regressions: [],
      fixes: [],
      standing: 1,
    });
  });
  it("a formula that breaks later is the same offence", () => {
    const rules = policy("ltl_formula", { formula: "G !tool_call:del" });
    const baseline = checkPolicy(traceOfRecords(fine(), turn({ calls: ["del"] })), rules);
    const candidate = checkPolicy(traceOfRecords(fine(), fine(), turn({ calls: ["del"] })), rules);
    expect(candidate.violations).toHaveLength(3);
    expect(diffPolicy(baseline, candidate)).toMatchObject({ regressions: [], fixes: [], standing: 1 });
    const clean = checkPolicy(traceOfRecords(fine()), rules);
    expect(diffPolicy(clean, candidate).regressions).toHaveLength(3);
    expect(diffPolicy(candidate, clean).fixes).toHaveLength(3);
  });
});

describe("14.7 odd payloads do not stop a check", () => {
  it.each<[string, Json]>([
    ["a list", [1]],
    ["a text", "rm"],
    ["nothing", null],
  ])("tool input that is %s", (_name, input) => {
    expect(
      pairsOf(
        rule("no_call", { tool: "delete_user" }),
        traceOfRecords(turn({ calls: [{ name: "delete_user", input }] })),
      ),
    ).toEqual([0]);
  });
  it("a token count that is a word counts nothing", () => {
    const trace = traceOfRecords(turn({ text: "a", response: { usage: { input_tokens: "many", output_tokens: 31 } } }));
    expect(violationsOf([rule("max_total_tokens", { limit: 30 })], trace)[0]!.facts).toEqual({ total: 31, limit: 30 });
  });
  it("a payload that is no object is an empty response", () => {
    const trace = traceOfRecords(
      { kind: "chat_response", payload: "hello" },
      { kind: "chat_request", payload: [1] },
      { kind: "chat_response", payload: null },
    );
    expect(pairsOf(rule("max_turns", { limit: 1 }), trace)).toEqual([null]);
  });
});

describe("14.8 values of the wrong shape are configuration errors", () => {
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

describe("14.9 misspelt keys are refused, with the nearest spelling", () => {
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

it("14.10 duplicate ids are refused", () => {
  expect(problemsOf([rule("no_call", { tool: "a" }), rule("no_call", { tool: "b" })])).toEqual([
    '[1].id: id "r" is already used on line 1. Reports and exceptions refer to ids, so each must be unique.',
  ]);
});

it("14.11 a record that comes before its block is the same call", () => {
  const trace = traceOfRecords(
    standalone("login", { tool_call_id: "c1" }),
    turn({ calls: [{ name: "login", id: "c1" }] }),
  );
  expect(pairsOf(rule("must_call_once", { tool: "login" }), trace)).toEqual([]);
});

it("14.12 a plain string as content is text", () => {
  const trace = traceOfRecords({ kind: "chat_response", payload: { content: "Sources: a", stop_reason: "end_turn" } });
  expect(pairsOf(rule("must_include_text", { text: "Sources:" }), trace)).toEqual([]);
  expect(pairsOf(rule("forbidden_text", { text: "Sources:" }), trace)).toEqual([0]);
});

describe("14.13 a conversation of several user turns is one session", () => {
  const one = { role: "user", content: "one" };
  const reply = { role: "assistant", content: "x" };
  const two = { role: "user", content: "two" };
  it("when the messages go on from the request before", () => {
    const trace = traceOfRecords(
      turn({ text: "x", request: { messages: [one] } }),
      turn({ text: "y", request: { messages: [one, reply, two] } }),
    );
    expect(violationsOf([rule("max_turns", { limit: 1 }, { scope: "session" })], trace)).toMatchObject([
      { facts: { count: 2, limit: 1 }, sessionIndex: 0 },
    ]);
  });
  it("or by an explicit key, even when conversations take turns", () => {
    const policy = parsePolicy(
      JSON.stringify({
        session_key: "request.metadata.chat",
        rules: [rule("max_turns", { limit: 1 }, { scope: "session" })],
      }),
      { file: "p.json" },
    );
    const chat = (name: string) => turn({ text: "x", request: { metadata: { chat: name } } });
    const { violations } = checkPolicy(traceOfRecords(chat("a"), chat("b"), chat("a")), policy);
    expect(violations).toMatchObject([{ sessionIndex: 0, facts: { count: 2 } }]);
  });
});

it("14.14 a schema path is relative to the policy file", () => {
  const asked: string[] = [];
  const text = JSON.stringify([rule("must_match_json_schema", { schema_path: "s.json" })]);
  const read = (name: string, from: string) => {
    asked.push(`${name} from ${from}`);
    return { file: "rules/s.json", text: '{"type":"object"}' };
  };
  const policy = parsePolicy(text, { file: "rules/p.json", read });
  expect(asked).toEqual(["s.json from rules/p.json"]);
  expect(
    checkPolicy(traceOfRecords(turn({ text: "[]" }), turn({ text: "{}" })), policy).violations.map(
      (one) => one.pairIndex,
    ),
  ).toEqual([0]);
});

describe("14.15 booleans are not numbers", () => {
  const trace = traceOfRecords(...[true, false, 1, 0].map((v) => turn({ text: "x", request: { params: { v } } })));
  it.each<[string, Json, number[]]>([
    ["==", 1, [2]],
    ["==", true, [0]],
    [">", 0.5, [2]],
    ["<", 5, [2, 3]],
    ["in", [1], [2]],
    ["in", [true], [0]],
  ])("%s %j", (op, value, expected) => {
    expect(
      pairsOf(rule("forbidden_text", { text: "" }, { when: [{ path: "request.params.v", op, value }] }), trace),
    ).toEqual(expected);
  });
  it("true after 1 is a change", () => {
    const changed = traceOfRecords(turn({ text: "x", request: { v: 1 } }), turn({ text: "x", request: { v: true } }));
    expect(pairsOf(rule("must_remain_consistent", { path: "request.v" }), changed)).toEqual([1]);
  });
});

describe("14.16 paths and operators", () => {
  const trace = traceOfRecords(
    turn({ text: "x", request: { "a.b": 1, list: [{ n: 1 }, { n: 7 }], word: "hello", "*": 3 } }),
  );
  it.each<[string, string, Json, boolean]>([
    ['request["a.b"]', "==", 1, true],
    ["request.a\\.b", "==", 1, true],
    ["request.a.b", "==", 1, false],
    ["request.list.*.n", "==", 7, true],
    ["request.list.*.n", ">", 7, false],
    ["request.\\*", "==", 3, true],
    ["request.word", "matches_pattern", "^h.*o$", true],
    ["request.word", "matches_pattern", "^x", false],
    ["request.word", "longer_than", 4, true],
    ["request.list", "shorter_than", 2, false],
    ["request.list.+1.n", "==", 7, false],
    ["request.list. 1.n", "==", 7, false],
  ])("%s %s %j: %s", (path, op, value, expected) => {
    expect(pairsOf(rule("forbidden_text", { text: "" }, { when: [{ path, op, value }] }), trace)).toEqual(
      expected ? [0] : [],
    );
  });
});

it("14.17 chunks given as objects count", () => {
  const grounded = rule("must_be_grounded", { retrieval_path: "request.c" });
  for (const key of ["text", "content", "page_content"]) {
    expect(
      pairsOf(grounded, traceOfRecords(turn({ text: "alpha beta", request: { c: [{ [key]: "alpha beta" }] } }))),
    ).toEqual([]);
    expect(
      pairsOf(grounded, traceOfRecords(turn({ text: "gamma delta", request: { c: [{ [key]: "alpha beta" }] } }))),
    ).toEqual([0]);
  }
});

describe("14.18 formulas name a witness", () => {
  it.each([
    // Turn 1 makes it false for good: two turns are the shortest bad prefix.
    ["G !tool_call:del", 2, [0, 1], 1],
    // Only the end makes it false.
    ["F tool_call:log", null, [0, 1, 2], 2],
    // A strong next in every turn: after one turn there would always have to be another.
    ["G X true", 1, [0, 1, 2], 0],
  ])("%s", (formula, witness, positions, primary) => {
    const trace = traceOfRecords(turn({ text: "a" }), turn({ calls: ["del"] }), turn({ text: "b" }));
    const violations = violationsOf([rule("ltl_formula", { formula })], trace);
    expect(violations.map((violation) => violation.pairIndex)).toEqual(positions);
    expect(violations[0]!.facts["witness"]).toBe(witness);
    expect(violations.filter((violation) => !violation.restates).map((violation) => violation.pairIndex)).toEqual([
      primary,
    ]);
  });
});

describe("14.19 formulas", () => {
  it("take quoted texts", () => {
    const trace = traceOfRecords(turn({ text: "say (hello & bye) -> now" }));
    expect(pairsOf(rule("ltl_formula", { formula: 'G !text_contains:"(hello & bye) ->"' }), trace)).toEqual([0]);
    expect(pairsOf(rule("ltl_formula", { formula: '"text_contains:(hello"' }), trace)).toEqual([]);
  });
  it.each([
    ["foo:bar", "is no predicate"],
    ["tool_cal:x", "Did you mean tool_call?"],
    ["delete", "write tool_call:delete"],
    ["(tool_call:a", 'this "(" is never closed'],
    ["()", 'unexpected ")"'],
    [")", 'unexpected ")"'],
    ["U", 'unexpected "U"'],
    ["tool_call:a && tool_call:b", 'unexpected "&"'],
    ["tool_call:a U tool_call:b U tool_call:c", "do not chain"],
    ['text_contains:"abc', "never closed"],
    ["F tool_call:a & G !tool_call:a", "no trace can satisfy"],
  ])("%s is refused", (formula, words) => {
    expect(problemsOf([rule("ltl_formula", { formula })]).join("\n")).toContain(words);
  });
});

describe("14.20 rules and their formulas agree, turn by turn", () => {
  const calls = (...turns: string[][]) => traceOfRecords(...turns.map((names) => turn({ calls: names, text: "t" })));
  it.each<[string, JsonObject, string[][]]>([
    ["must_call_once", { tool: "a" }, [[], ["a"]]],
    ["must_call_once", { tool: "a" }, [["a"], []]],
    ["must_call_once", { tool: "a" }, [["a"], ["a"]]],
    ["must_call_once", { tool: "a" }, [[], []]],
    ["must_call_before", { first: "a", second: "b" }, [["b"], ["a"]]],
    ["must_call_before", { first: "a", second: "b" }, [["a"], ["b"]]],
    ["must_call_before", { first: "a", second: "b" }, [[], ["b"]]],
    ["no_call", { tool: "a" }, [[], ["a"]]],
    ["must_call_one_of", { tools: ["a", "b"] }, [[], ["b"]]],
    ["must_call_one_of", { tools: ["a", "b"] }, [[], ["c"]]],
    ["required_stop_reason", { allowed: ["tool_use"] }, [["a"], []]],
    ["forbidden_text", { text: "t" }, [[]]],
    ["must_include_text", { text: "zzz" }, [[]]],
  ])("%s %j on %j", (kind, params, turns) => {
    const trace = calls(...turns);
    const policy = policyOf([rule(kind, params)]);
    const formula = ruleKinds.find((one) => one.kind === kind)!.formula!(policy.rules[0]!.params)!;
    const compiled = compileFormula(formula)!;
    const states = trace.turns.map((one) =>
      compiled.atoms.reduce((bits, atom, index) => {
        const holds =
          (atom.predicate === "tool_call" && one.toolCalls.some((call) => call.name === atom.value)) ||
          (atom.predicate === "stop_reason" && one.response["stop_reason"] === atom.value) ||
          (atom.predicate === "text_contains" && "t".includes(atom.value));
        return holds ? bits | (1 << index) : bits;
      }, 0),
    );
    expect(truthVector(compiled, states)[0]).toBe(checkPolicy(trace, policy).violations.length === 0);
  });
});

describe("14.26 cost", () => {
  it("a schema is compiled once, whatever the number of responses", () => {
    let reads = 0;
    const read = () => {
      reads++;
      return { file: "s.json", text: '{"type":"object"}' };
    };
    const policy = parsePolicy(JSON.stringify([rule("must_match_json_schema", { schema_path: "s.json" })]), {
      file: "p.json",
      read,
    });
    checkPolicy(traceOfRecords(...Array.from({ length: 50 }, () => turn({ text: "{}" }))), policy);
    expect(reads).toBe(1);
  });
});

it("a rule that cannot be evaluated is an error before either side of a diff is looked at", () => {
  expect(() => policyOf([rule("ltl_formula", { formula: "G (" })])).toThrow(SpoorError);
});

it("missing evidence is listed as not evaluated, never passed over", () => {
  const tokens = checkPolicy(traceOfRecords(turn({ text: "a" })), policyOf([rule("max_total_tokens", { limit: 5 })]));
  expect(tokens.notEvaluated).toEqual([{ what: "r", why: "no response recorded how many tokens it used" }]);
  const failed = checkPolicy(
    traceOfRecords(
      turn({
        calls: [
          { name: "t", id: "1" },
          { name: "t", id: "2" },
        ],
      }),
      result("1", "ok"),
    ),
    policyOf([rule("no_failed_call", {})]),
  );
  expect(failed.notEvaluated).toEqual([{ what: "r", why: "1 call of 2 have no recorded result" }]);
});
