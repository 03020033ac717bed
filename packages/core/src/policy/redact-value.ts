import type { Json } from "../trace/json.ts";
import type { PolicyRule, Violation } from "./policy.ts";

/** The same value with what the broken rules forbid replaced by a mark that names the rule. */
export function redactValue(rules: readonly PolicyRule[], broken: readonly Violation[], value: Json): Json {
  return rules
    .filter((rule) => broken.some(({ ruleId }) => ruleId === rule.id))
    .reduce((left, { definition, params, id }) => definition.redact?.(left, params, markOf(id)) ?? left, value);
}

/** As `judge-arguments.ts` knows it: taken out by a rule, before anyone read it. */
function markOf(id: string): string {
  return `[REDACTED by ${id.replace(/[^\w.-]/g, "-")}]`;
}
