/**
 * What a rule must be shown to be judged at all: the one list, from what each kind declares of itself. A door says what it sees
 * (doors.ts); a rule that needs more is refused when it is loaded, because judged without it, it would pass in silence.
 */
import type { PolicyRule } from "./policy.ts";
import { looksAtTurns } from "./situation.ts";

/**
 * `turns`: whole responses; `agents`: who acts; `situation`: principal or context; `baseline`: runs to compare with;
 * `clock`: when things happen; `user`: for whom; `results`: how calls end; `end`: the end of the session;
 * `person`: someone to ask.
 */
export type Need = "turns" | "agents" | "situation" | "baseline" | "clock" | "user" | "results" | "end" | "person";

export function needsOf(rule: PolicyRule): readonly Need[] {
  const { definition, params } = rule;
  const needs: Need[] = [];
  if (definition.needsBaseline) needs.push("baseline");
  if (needsTurns(rule)) needs.push("turns");
  if (rule.agents.length > 0) needs.push("agents");
  if (rule.when.some((condition) => !looksAtTurns(condition))) needs.push("situation");
  if (definition.needsClock?.(params)) needs.push("clock");
  if (definition.perUser?.(params)) needs.push("user");
  if (definition.needsResults?.(params)) needs.push("results");
  if (definition.decidedBy === "end") needs.push("end");
  if (rule.effect === "ask") needs.push("person");
  return needs;
}

/** Whether a call that is about to run can break it: others can be left to whoever sees more, and nothing runs that should not. */
export function canStopCalls({ definition }: PolicyRule): boolean {
  return definition.onCall !== undefined && !definition.needsBaseline && definition.decidedBy === undefined;
}

/** Such a rule says nothing about calls: where no response is shown, there is nothing it could stop. */
function judgesResponsesOnly({ definition }: PolicyRule): boolean {
  return definition.onTurn !== undefined && definition.onCall === undefined;
}

function needsTurns(rule: PolicyRule): boolean {
  const { definition, params, when } = rule;
  return when.some(looksAtTurns) || judgesResponsesOnly(rule) || definition.needsTurns?.(params) === true;
}
