/** The gates of a policy: one for all rules with the same `when`, `agent` and `scope`. */
import { stringifyJson } from "../trace/json.ts";
import type { MonitorOptions } from "./monitor-options.ts";
import type { Policy, PolicyRule } from "./policy.ts";
import { RuleGate } from "./rule-gate.ts";

export interface Gates {
  readonly all: readonly RuleGate[];
  /** The gate of each rule, by its position. */
  readonly ofRule: readonly RuleGate[];
}

export function gatesOf(policy: Policy, options: MonitorOptions): Gates {
  const groups = groupsOf(policy);
  const all: RuleGate[] = [];
  const ofRule = policy.rules.map((rule, position) => {
    const group = groups[position]!;
    all[group] ??= new RuleGate(rule, options);
    return all[group]!;
  });
  return { all, ofRule };
}

const known = new WeakMap<Policy, readonly number[]>();

/** Worked out once per policy: a guard opens many sessions of one. */
function groupsOf(policy: Policy): readonly number[] {
  let groups = known.get(policy);
  if (groups === undefined) {
    const keys = new Map<string, number>();
    groups = policy.rules.map((rule) => {
      const key = keyOf(rule);
      const group = keys.get(key) ?? keys.size;
      keys.set(key, group);
      return group;
    });
    known.set(policy, groups);
  }
  return groups;
}

function keyOf({ when, agents, scope }: PolicyRule): string {
  const conditions = when.map(({ path, op, value, optional = false }) => [path.text, op, value, optional]);
  return stringifyJson([scope, [...agents], conditions]);
}
