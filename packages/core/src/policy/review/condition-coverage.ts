/**
 * Which conditions the examples of a policy show at work: each should once hold and once not. Counted per condition, in the
 * examples that speak about its rule.
 */

import { isTool } from "../../text/tool-name.ts";
import type { Trace } from "../../trace/trace.ts";
import type { Condition } from "../condition.ts";
import { allHold, describeConditions, unclear } from "../conditions.ts";
import { TurnEvent } from "../events.ts";
import { judgeArguments } from "../judge-arguments.ts";
import type { Policy, PolicyExample, PolicyRule } from "../policy.ts";
import { situationOf } from "../situation.ts";
import { claimsOf } from "./gates.ts";

export interface ConditionCoverage {
  readonly ruleId: string;
  /** Where the condition stands. */
  readonly place: "when" | "trigger" | "args";
  readonly condition: string;
  /** In how many examples it held at least once, and in how many it failed at least once. */
  readonly holds: number;
  readonly fails: number;
}

interface Placed {
  readonly place: ConditionCoverage["place"];
  readonly condition: Condition;
  readonly tools: readonly string[];
}

export function coverConditions(policy: Policy, traceOf: (example: PolicyExample) => Trace): ConditionCoverage[] {
  return policy.rules.flatMap((rule) => {
    const examples = policy.examples.filter(({ passes, fails }) => [...passes, ...fails].includes(rule.id));
    const traces = conditionsOf(rule).length === 0 ? [] : examples.map(traceOf);
    return conditionsOf(rule).map((placed) => {
      const answers = traces.map((trace) => answersIn(trace, placed));
      return {
        ruleId: rule.id,
        place: placed.place,
        condition: describeConditions([placed.condition]),
        holds: answers.filter((one) => one.has(true)).length,
        fails: answers.filter((one) => one.has(false)).length,
      };
    });
  });
}

function conditionsOf(rule: PolicyRule): Placed[] {
  const claims = claimsOf(rule);
  return [
    ...rule.when.map((condition) => ({ place: "when" as const, condition, tools: [] })),
    ...(claims.triggers ?? []).map((condition) => ({ place: "trigger" as const, condition, tools: [] })),
    ...(claims.arguments ?? []).flatMap(({ tools, conditions }) =>
      conditions.map((condition) => ({ place: "args" as const, condition, tools })),
    ),
  ];
}

/** Whether it held and whether it failed; what cannot be told shows neither. */
function answersIn(trace: Trace, { place, condition, tools }: Placed): ReadonlySet<boolean> {
  const answers = new Set<boolean>();
  if (place === "args") {
    for (const call of trace.toolCalls) {
      if (tools.length > 0 && !isTool(tools, call.name)) continue;
      const { kind } = judgeArguments(call, [condition]);
      if (kind !== "unknown") answers.add(kind === "satisfied");
    }
    return answers;
  }
  const situation = situationOf(trace.metadata);
  for (const turn of trace.turns) {
    const { context } = new TurnEvent(turn, situation);
    if (allHold([condition], context)) answers.add(true);
    else if (unclear([condition], context) === undefined) answers.add(false);
  }
  return answers;
}
