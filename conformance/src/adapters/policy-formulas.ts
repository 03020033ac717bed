/** Temporal formulas: parsing and truth over states; rules written as formulas. */

import type { Json, JsonObject } from "@spoor/core";
import { createAutomaton } from "@spoor/core/internal/policy/ltl/automaton";
import { compileFormula, truthVector } from "@spoor/core/internal/policy/ltl/evaluate-formula";
import { type Atom, atomWord, type Formula } from "@spoor/core/internal/policy/ltl/formula";
import { FormulaError, parseFormula, parseSyntax } from "@spoor/core/internal/policy/ltl/parse-formula";
import { ruleKinds } from "@spoor/core/internal/policy/rules";
import { Problems } from "@spoor/core/internal/read/located";
import { mapping } from "@spoor/core/internal/read/mapping";
import { valueSource } from "@spoor/core/internal/read/source";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import type { Adapter, Outcome } from "../adapter.ts";
import { compare } from "../compare.ts";

/** `formula`, `trace` of states → `ast`, `truth`, `holds`, `violating_pairs`, or a parse error. */
export const formulaAdapter: Adapter = {
  name: "formula",
  matches: (testCase) => typeof member(testCase, "formula") === "string" && Array.isArray(member(testCase, "trace")),
  run(testCase) {
    const expected = member(testCase, "expected") as JsonObject;
    return orParseError(expected, () => {
      const formula = parseFormula(stringMember(testCase, "formula")!);
      const compiled = compileFormula(formula)!;
      const states = (member(testCase, "trace") as readonly Json[]).map((state) =>
        compiled.atoms.reduce((bits, atom, index) => (holds(atom, state) ? bits | (1 << index) : bits), 0),
      );
      const truth = truthVector(compiled, states);
      const automaton = createAutomaton(compiled);
      const end = states.reduce((state, bits) => automaton.step(state, bits), automaton.start);
      // The machine that streams and the table that looks back must agree.
      if (end.accepts !== truth[0]) throw new Error(`automaton says ${end.accepts}, truth table says ${truth[0]}`);
      const violating = truth[0]
        ? []
        : truth.flatMap((value, index) => (value || index === states.length ? [] : [index]));
      return { ast: ast(formula), truth, holds: truth[0]!, violating_pairs: violating };
    });
  },
};

function holds(atom: Atom, state: Json): boolean {
  switch (atom.predicate) {
    case "tool_call": {
      const tools = member(state, "tools");
      return Array.isArray(tools) && tools.includes(atom.value);
    }
    case "stop_reason":
      return (stringMember(state, "stop") ?? "") === atom.value;
    case "text_contains":
      return (stringMember(state, "text") ?? "").includes(atom.value);
    case "extra":
      return String(member(member(state, "extra"), atom.key) ?? "") === atom.value;
    case "never":
      return false;
  }
}

/** `kind`, `params` → the rule as a formula, null where there is none. */
export const formulaOfRuleAdapter: Adapter = {
  name: "rule as formula",
  matches: (testCase) =>
    typeof member(testCase, "kind") === "string" &&
    isObject(member(testCase, "params")) &&
    (Object.hasOwn(member(testCase, "expected") as JsonObject, "ast") ||
      isObject(member(member(testCase, "expected"), "error"))),
  run(testCase) {
    const expected = member(testCase, "expected") as JsonObject;
    const params = member(testCase, "params") as JsonObject;
    // A formula stands for itself; whether its words mean anything is a question of loading.
    const own = stringMember(params, "formula");
    if (own !== undefined) return orParseError(expected, () => ({ ast: ast(parseSyntax(own).formula) }));
    const formula = formulaOf(stringMember(testCase, "kind")!, params);
    return compare(expected, { ast: formula === undefined ? null : ast(formula) });
  },
};

function formulaOf(kind: string, params: JsonObject): Formula | undefined {
  const definition = ruleKinds.find((one) => one.kind === kind);
  if (definition === undefined) return undefined;
  const root = new Problems(valueSource(params, "vector")).root();
  const parsed = mapping(kind, definition.params, { emptyIsAbsent: true }).read(root);
  return parsed === undefined ? undefined : definition.formula?.(parsed);
}

function orParseError(expected: JsonObject, work: () => JsonObject): Outcome {
  try {
    return compare(expected, work());
  } catch (error) {
    if (!(error instanceof FormulaError)) throw error;
    const wanted = isObject(member(expected, "error"));
    return compare({ error: wanted }, { error: wanted ? true : error.message });
  }
}

function ast(formula: Formula): Json {
  if ("left" in formula) return [formula.op, ast(formula.left), ast(formula.right)];
  if ("body" in formula) return [formula.op, ast(formula.body)];
  return ["atom", formula.op === "atom" ? atomWord(formula.atom) : formula.op];
}
