/** A drift policy against compared runs: violations, warnings, and conditions that lacked their data. */
import type { ConditionSubject } from "./drift-conditions.ts";
import { type DriftPolicy, type DriftRule, rulesFor } from "./drift-policy.ts";
import type { PolicyFinding, PolicyOutcome } from "./verdict.ts";

export function checkDriftPolicy(policy: DriftPolicy, subjects: readonly ConditionSubject[]): PolicyOutcome {
  const outcome = { violations: [] as PolicyFinding[], warnings: [] as PolicyFinding[], notEvaluated: [] as Skipped[] };
  if (!policy.enabled) return outcome;
  for (const subject of subjects) {
    const { rules } = rulesFor(policy, subject.context.run.agent);
    for (const rule of rules) {
      outcome.violations.push(...check(rule, rule.failIf, subject, outcome.notEvaluated));
      outcome.warnings.push(...check(rule, rule.warnIf, subject, outcome.notEvaluated));
    }
  }
  return outcome;
}

interface Skipped {
  readonly rule: string;
  readonly key: string;
  readonly run: string;
  readonly why: string;
}

function check(
  rule: DriftRule,
  conditions: DriftRule["failIf"],
  subject: ConditionSubject,
  skipped: Skipped[],
): PolicyFinding[] {
  const { run } = subject.context;
  return conditions.flatMap((condition) => {
    const result = condition.check(subject);
    if (result.state === "not_evaluated")
      skipped.push({ rule: rule.name, key: run.key, run: run.run, why: `${condition.name}: ${result.why}` });
    if (result.state !== "holds") return [];
    const { name, severity } = rule;
    return [
      {
        rule: name,
        severity,
        key: run.key,
        run: run.run,
        agent: run.agent,
        condition: condition.name,
        message: result.message,
      },
    ];
  });
}
