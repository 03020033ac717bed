/**
 * Which rules of a policy a call of a tool can matter to. A running agent calls few tools very often and most rules are about
 * one or two of them: who is asked is worked out once per name, for all sessions of the policy.
 */

import { isTool } from "../text/tool-name.ts";
import type { Policy, PolicyRule } from "./policy.ts";

/** Names come from a model: beyond so many the table begins anew. */
const MAX_NAMES = 1000;

/** Positions in `policy.rules`. */
export interface Watchers {
  /** Those that are shown its calls. */
  readonly calls: readonly number[];
  /** Those that are told how they ended. */
  readonly results: readonly number[];
  /** Those of them that judge what came out before anyone reads it. */
  readonly judges: readonly number[];
  /** Whether one of them looks at what came out, and not only at whether the call went well. */
  readonly readsOutput: boolean;
}

type Watched = (tool: string) => Watchers;

const known = new WeakMap<Policy, Watched>();

/** By the name of the tool. */
export function watchersOf(policy: Policy): Watched {
  let watched = known.get(policy);
  if (watched === undefined) {
    watched = remembering(policy);
    known.set(policy, watched);
  }
  return watched;
}

function remembering(policy: Policy): Watched {
  const names = new Map<string, Watchers>();
  return (tool) => {
    let watchers = names.get(tool);
    if (watchers === undefined) {
      watchers = findWatchers(policy.rules, tool);
      if (names.size >= MAX_NAMES) names.clear();
      names.set(tool, watchers);
    }
    return watchers;
  };
}

function findWatchers(rules: readonly PolicyRule[], tool: string): Watchers {
  const positions = (isMeant: (rule: PolicyRule) => boolean) =>
    rules.flatMap((rule, position) => (isMeant(rule) ? [position] : []));
  return {
    calls: positions((rule) => watchesCalls(rule, tool)),
    results: positions((rule) => hears(rule, tool)),
    judges: positions((rule) => rule.definition.judgesResults === true && hears(rule, tool)),
    readsOutput: rules.some((rule) => hears(rule, tool) && readsOutput(rule, tool)),
  };
}

/** Whether a call of the tool, or its result, can change anything for the rule. */
export function watches(rule: PolicyRule, tool: string): boolean {
  return watchesCalls(rule, tool) || hears(rule, tool);
}

function watchesCalls({ definition, params }: PolicyRule, tool: string): boolean {
  // A call without a name may be one of any tool.
  if (tool === "") return true;
  if (definition.onCall === undefined && definition.onResult === undefined) return false;
  if (definition.ignores?.(params, tool) === true) return false;
  const tools = definition.watches?.(params) ?? definition.tools?.(params) ?? [];
  return tools.length === 0 || isTool(tools, tool);
}

function hears(rule: PolicyRule, tool: string): boolean {
  const { definition, params } = rule;
  if (definition.onResult === undefined) return false;
  return watchesCalls(rule, tool) || definition.hears?.(params, tool) === true;
}

function readsOutput({ definition, params }: PolicyRule, tool: string): boolean {
  if (tool === "" || definition.judgesResults === true) return true;
  const tools = definition.readsOutputOf?.(params);
  return tools === undefined || isTool(tools, tool);
}
