import type { Policy, PolicyRule } from "@spoor/core/internal/policy/policy";

/** Whether every call of a tool would be refused, whatever its arguments and whenever it came. */
export function isForbiddenTool(policy: Policy, tool: string): boolean {
  return policy.rules.some((rule) => isUnconditional(rule) && rule.definition.forbids?.(rule.params, tool) === true);
}

function isUnconditional({ effect, when, agents, exceptions }: PolicyRule): boolean {
  return effect === "deny" && when.length === 0 && agents.length === 0 && exceptions.length === 0;
}
