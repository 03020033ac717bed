import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createAutomaton } from "./automaton.ts";
import { compileFormula, truthVector } from "./evaluate-formula.ts";
import type { Formula } from "./formula.ts";
import { parseFormula } from "./parse-formula.ts";

const names = ["a", "b", "c"];
const { formula: anyFormula } = fc.letrec<{ formula: Formula }>((tie) => ({
  formula: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<Formula>({ op: "true" }, { op: "false" }),
    fc.constantFrom(...names).map((value): Formula => ({ op: "atom", atom: { predicate: "tool_call", value } })),
    fc
      .tuple(fc.constantFrom("!", "G", "F", "X" as const), tie("formula"))
      .map(([op, body]) => ({ op, body }) as Formula),
    fc
      .tuple(fc.constantFrom("&", "|", "->", "U", "W" as const), tie("formula"), tie("formula"))
      .map(([op, left, right]) => ({ op, left, right }) as Formula),
  ),
}));
const anyTrace = fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 7 });

/** All traces up to a length over all valuations: what "no continuation" means, by brute force. */
function canBecomeTrue(formula: Formula, prefix: readonly number[], atoms: number, depth: number): boolean {
  const compiled = compileFormula(formula)!;
  if (truthVector(compiled, prefix)[0]) return true;
  if (depth === 0) return false;
  for (let bits = 0; bits < 2 ** atoms; bits++)
    if (canBecomeTrue(formula, [...prefix, bits], atoms, depth - 1)) return true;
  return false;
}

describe("the machine agrees with the truth table", () => {
  it("on every formula and trace", () => {
    fc.assert(
      fc.property(anyFormula, anyTrace, (formula, trace) => {
        const compiled = compileFormula(formula)!;
        const automaton = createAutomaton(compiled);
        const states = trace.map((bits) => bits & (2 ** compiled.atoms.length - 1));
        const end = states.reduce((state, bits) => automaton.step(state, bits), automaton.start);
        expect(end.accepts).toBe(truthVector(compiled, states)[0]);
      }),
      { numRuns: 2000 },
    );
  });

  it("a dead state has no continuation, and a live one has", () => {
    fc.assert(
      fc.property(anyFormula, fc.array(fc.integer({ min: 0, max: 7 }), { maxLength: 3 }), (formula, trace) => {
        const compiled = compileFormula(formula)!;
        const atoms = compiled.atoms.length;
        const states = trace.map((bits) => bits & (2 ** atoms - 1));
        const automaton = createAutomaton(compiled);
        const end = states.reduce((state, bits) => automaton.step(state, bits), automaton.start);
        if (automaton.isDead(end)) expect(canBecomeTrue(formula, states, atoms, 2)).toBe(false);
        else if (canBecomeTrue(formula, states, atoms, 2)) expect(automaton.isDead(end)).toBe(false);
      }),
      { numRuns: 300 },
    );
  });
});

it.each([
  ["G !tool_call:a", [0, 0, 1], 3],
  ["!tool_call:b W tool_call:a", [0, 1], 2],
  ["F tool_call:a", [0, 0, 0], undefined],
  ["G (tool_call:a -> X tool_call:b)", [1, 1], 2],
])("%s over %j is lost after %s turns", (text, states, expected) => {
  const automaton = createAutomaton(compileFormula(parseFormula(text))!);
  let state = automaton.start;
  const lost = states.findIndex((bits) => {
    state = automaton.step(state, bits);
    return automaton.isDead(state);
  });
  expect(lost < 0 ? undefined : lost + 1).toBe(expected);
});
