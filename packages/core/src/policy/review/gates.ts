/** Which rules look at the same turns and calls: only such rules can contradict each other. */
import { canonicalJson } from "../../canonical/canonical-json.ts";
import type { Claims } from "../claims.ts";
import type { Condition } from "../condition.ts";
import type { PolicyRule } from "../policy.ts";

const NOTHING: Claims = {};

export function claimsOf({ definition, params }: PolicyRule): Claims {
  return definition.claims?.(params) ?? NOTHING;
}

/** Whether every turn and call that `inner` looks at is one that `outer` looks at. */
export function covers(outer: PolicyRule, inner: PolicyRule): boolean {
  if (outer.definition.needsBaseline || outer.notAgents !== undefined) return false;
  if (outer.agents.length > 0) {
    if (inner.agents.length === 0 || !inner.agents.every((agent) => outer.agents.includes(agent))) return false;
  }
  const held = new Set(inner.when.map(keyOf));
  return outer.when.every((condition) => held.has(keyOf(condition)));
}

export function isUngated({ when, agents, notAgents }: PolicyRule): boolean {
  return when.length === 0 && agents.length === 0 && notAgents === undefined;
}

function keyOf({ path, op, value }: Condition): string {
  return canonicalJson([path.text, op, value]);
}
