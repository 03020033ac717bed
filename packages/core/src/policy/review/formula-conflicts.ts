/**
 * Rules that have a temporal formula and whose formulas no trace satisfies together: `G tool_call:a -> F tool_call:b` beside a
 * rule that forbids `b` and one that demands `a` is not found (it takes three), any two are.
 */
import { createAutomaton } from "../ltl/automaton.ts";
import { compileFormula } from "../ltl/evaluate-formula.ts";
import { type Atom, always, and, eventually, type Formula, not } from "../ltl/formula.ts";
import type { PolicyRule } from "../policy.ts";
import { finding } from "./conflicts.ts";
import { isUngated } from "./gates.ts";
import type { ReviewFinding } from "./review-finding.ts";

/** A search over formulas with more atoms would take longer than the answer is worth. */
const MAX_ATOMS = 8;

export function findFormulaConflicts(
  rules: readonly PolicyRule[],
  isKnown: (left: PolicyRule, right: PolicyRule) => boolean,
): ReviewFinding[] {
  const stated = rules.flatMap((rule) => {
    const formula = isUngated(rule) && rule.scope === "trace" ? rule.definition.formula?.(rule.params) : undefined;
    return formula === undefined ? [] : [{ rule, formula, atoms: new Set(atomsOf(formula).map(atomKey)) }];
  });
  return stated.flatMap((one, index) =>
    stated.slice(index + 1).flatMap((other) => {
      const meets = [...one.atoms].some((atom) => other.atoms.has(atom)) || (asksReason(one) && asksReason(other));
      if (!meets || isKnown(one.rule, other.rule) || canHoldTogether(one.formula, other.formula)) return [];
      return [finding("rules_exclude_each_other", "error", other.rule, [one.rule], {})];
    }),
  );
}

function asksReason({ atoms }: { readonly atoms: ReadonlySet<string> }): boolean {
  return [...atoms].some((atom) => atom.startsWith("stop_reason "));
}

function canHoldTogether(left: Formula, right: Formula): boolean {
  // A trace without a turn satisfies much; and a turn has one stop reason.
  let formula = and(and(left, right), eventually({ op: "true" }));
  const reasons = new Map(
    atomsOf(formula).flatMap((atom) => (isStopReason(atom) ? [[atom.value, atom] as const] : [])),
  );
  for (const [index, one] of [...reasons.values()].entries())
    for (const other of [...reasons.values()].slice(index + 1))
      formula = and(formula, always(not(and({ op: "atom", atom: one }, { op: "atom", atom: other }))));
  const compiled = compileFormula(formula);
  if (compiled === undefined || compiled.atoms.length > MAX_ATOMS) return true;
  const automaton = createAutomaton(compiled);
  return !automaton.isDead(automaton.start);
}

function isStopReason(atom: Atom): atom is Atom & { readonly predicate: "stop_reason" } {
  return atom.predicate === "stop_reason";
}

function atomsOf(formula: Formula): Atom[] {
  if (formula.op === "atom") return [formula.atom];
  if ("body" in formula) return atomsOf(formula.body);
  return "left" in formula ? [...atomsOf(formula.left), ...atomsOf(formula.right)] : [];
}

function atomKey(atom: Atom): string {
  return `${atom.predicate} ${"value" in atom ? atom.value : ""}`;
}
