/**
 * What a rule must be shown to be judged at all. A door that cannot show it (a guard without responses, a hook without names of
 * agents) refuses the rule when it is loaded: judged without it, the rule would pass in silence.
 */
import type { PolicyRule } from "./policy.ts";
import { looksAtTurns } from "./situation.ts";

/**
 * `turns`: whole responses; `agents`: who acts; `situation`: principal or context; `baseline`: runs to compare with;
 * `clock`: when things happen; `user`: for whom. */
export type Need = "turns" | "agents" | "situation" | "baseline" | "clock" | "user";

export function needsOf(rule: PolicyRule): readonly Need[] {
  const needs: Need[] = [];
  if (rule.definition.needsBaseline) needs.push("baseline");
  if (needsTurns(rule)) needs.push("turns");
  if (rule.agents.length > 0) needs.push("agents");
  if (rule.when.some((condition) => !looksAtTurns(condition))) needs.push("situation");
  if (rule.definition.needsClock?.(rule.params)) needs.push("clock");
  if (rule.definition.perUser?.(rule.params)) needs.push("user");
  return needs;
}

/** Such a rule says nothing about calls: where no response is shown, there is nothing it could stop. */
function judgesResponsesOnly({ definition }: PolicyRule): boolean {
  return definition.onTurn !== undefined && definition.onCall === undefined;
}

function needsTurns(rule: PolicyRule): boolean {
  const { definition, params, when } = rule;
  return when.some(looksAtTurns) || judgesResponsesOnly(rule) || definition.needsTurns?.(params) === true;
}
