/** How one rule fared over one trace. */
import type { Lane } from "./lane.ts";
import type { Excused, PolicyRule, Violation } from "./policy.ts";
import type { Seen, Shown } from "./rule.ts";

export interface RuleOutcome {
  readonly rule: PolicyRule;
  readonly violations: readonly Violation[];
  readonly excused: readonly Excused[];
  /** Why the rule could not be judged, if it could not. */
  readonly notEvaluated: readonly string[];
  /** False when no turn satisfied `when`, or no session had anything to look at. */
  readonly applied: boolean;
  readonly seen: readonly Seen[];
  /** Whether it was put to the test: something that it is about was there to look at. */
  readonly saw: boolean;
}

/** Of the sessions in which there was something to look at; `shown` says how much, lane by lane. */
export function outcomeOf(rule: PolicyRule, lanes: readonly Lane[], shown: readonly Shown[]): RuleOutcome {
  const { definition, params } = rule;
  const seen = lanes.map(
    ({ state }, index): Seen =>
      definition.seen?.(state, params, shown[index]!) ?? { amount: shown[index]!.turns, noun: "turn" },
  );
  return {
    rule,
    violations: lanes.flatMap((lane) => lane.violations),
    excused: lanes.flatMap((lane) => lane.excused),
    notEvaluated: lanes.flatMap((lane) => lane.notEvaluated),
    applied: lanes.length > 0,
    seen,
    saw: seen.some(({ amount }) => amount > 0),
  };
}
