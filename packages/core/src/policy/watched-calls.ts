/**
 * Which rules of a policy a call of a tool can matter to. A running agent calls few tools very often and most rules are about
 * one or two of them: who is asked is worked out once per name, for all sessions of the policy.
 */
import type { Policy, PolicyRule } from "./policy.ts";
import { isTool } from "./tool-name.ts";

/** Names come from a model: beyond so many the table begins anew. */
const MAX_NAMES = 1000;

const known = new WeakMap<Policy, Map<string, readonly number[]>>();

/** Positions in `policy.rules`. */
export function watchersOf(policy: Policy, tool: string): readonly number[] {
  let names = known.get(policy);
  if (names === undefined) {
    names = new Map();
    known.set(policy, names);
  }
  let watchers = names.get(tool);
  if (watchers === undefined) {
    watchers = findWatchers(policy, tool);
    if (names.size >= MAX_NAMES) names.clear();
    names.set(tool, watchers);
  }
  return watchers;
}

function findWatchers({ rules }: Policy, tool: string): readonly number[] {
  return rules.flatMap((rule, position) => (watches(rule, tool) ? [position] : []));
}

/** Whether a call of the tool, or its result, can change anything for the rule. */
export function watches({ definition, params }: PolicyRule, tool: string): boolean {
  // A call without a name may be one of any tool.
  if (tool === "") return true;
  if (definition.onCall === undefined && definition.onResult === undefined) return false;
  const tools = definition.watches?.(params) ?? definition.tools?.(params) ?? [];
  return tools.length === 0 || isTool(tools, tool);
}
