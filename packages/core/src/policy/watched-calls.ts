/**
 * Which rules of a policy a call of a tool can matter to. A running agent calls few tools very often and most rules are about
 * one or two of them: who is asked is worked out once per name, for all sessions of the policy.
 */
import type { Policy, PolicyRule } from "./policy.ts";
import { isTool } from "./tool-name.ts";

/** Names come from a model: beyond so many the table begins anew. */
const MAX_NAMES = 1000;

/** Positions in `policy.rules`. */
export interface Watchers {
  /** Those that are shown its calls. */
  readonly calls: readonly number[];
  /** Those of them that are told how they ended. */
  readonly results: readonly number[];
  /** Those that judge what came out before anyone reads it. */
  readonly judges: readonly number[];
}

const known = new WeakMap<Policy, Map<string, Watchers>>();

export function watchersOf(policy: Policy, tool: string): Watchers {
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

function findWatchers({ rules }: Policy, tool: string): Watchers {
  const calls = rules.flatMap((rule, position) => (watches(rule, tool) ? [position] : []));
  return {
    calls,
    results: calls.filter((position) => rules[position]!.definition.onResult !== undefined),
    judges: calls.filter((position) => rules[position]!.definition.judgesResults === true),
  };
}

/** Whether a call of the tool, or its result, can change anything for the rule. */
export function watches({ definition, params }: PolicyRule, tool: string): boolean {
  // A call without a name may be one of any tool.
  if (tool === "") return true;
  if (definition.onCall === undefined && definition.onResult === undefined) return false;
  const tools = definition.watches?.(params) ?? definition.tools?.(params) ?? [];
  return tools.length === 0 || isTool(tools, tool);
}
