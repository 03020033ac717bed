import { describe, expect, it } from "vitest";
import { policyOf, rule, traceOfRecords, turn } from "../../test/policy.ts";
import type { JsonObject } from "../trace/json.ts";
import { checkPolicy } from "./check-policy.ts";
import { compileFormula, truthVector } from "./ltl/evaluate-formula.ts";
import { ruleKinds } from "./rules.ts";

it("the fourteen oldest kinds are there", () => {
  const known = ruleKinds.map((kind) => kind.kind);
  expect(known).toEqual(
    expect.arrayContaining([
      "must_call_before",
      "must_call_once",
      "no_call",
      "max_turns",
      "required_stop_reason",
      "max_total_tokens",
      "must_include_text",
      "forbidden_text",
      "must_match_json_schema",
      "must_remain_consistent",
      "must_followup",
      "must_be_grounded",
      "must_include_text_each",
      "ltl_formula",
    ]),
  );
});

describe("rules and their formulas agree, turn by turn", () => {
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
