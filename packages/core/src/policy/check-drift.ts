/** The rules of a policy that compared runs can answer: those about drift, and those that a run's own facts decide. */
import type { ComparedRun, DriftCheck } from "../fingerprint/compared-run.ts";
import type { DriftOutcome, DriftViolation } from "../fingerprint/drift-outcome.ts";
import type { Policy, PolicyRule } from "./policy.ts";

export interface DriftCheckOptions {
  /** Today as `YYYY-MM-DD`; without it no exception holds. */
  readonly today?: string;
}

/** The rules of a policy that a comparison can judge. */
export function driftRules(policy: Pick<Policy, "rules">): readonly PolicyRule[] {
  return policy.rules.filter((rule) => rule.definition.onRun !== undefined);
}

export function createDriftCheck(policy: Pick<Policy, "rules">, { today }: DriftCheckOptions = {}): DriftCheck {
  const rules = driftRules(policy);
  return (runs) => {
    const outcome: { -readonly [K in keyof DriftOutcome]: DriftOutcome[K][number][] } = {
      rules: rules.map(({ id, kind, severity, explanation, definition, params, at }) => ({
        id,
        kind,
        severity,
        explanation,
        headline: definition.headline(params),
        at,
      })),
      violations: [],
      excused: [],
      notEvaluated: [],
    };
    for (const run of runs) {
      for (const rule of rules) {
        if (!concerns(rule, run.context.run.agent)) continue;
        const { found, why } = judge(rule, run);
        for (const reason of why) outcome.notEvaluated.push({ ruleId: rule.id, run: run.compared.run, why: reason });
        const exception = rule.exceptions.find(
          ({ until, trace, when }) =>
            today !== undefined &&
            today <= until &&
            when.length === 0 &&
            (trace === undefined || trace === run.compared.run || trace === run.compared.key),
        );
        if (exception === undefined) outcome.violations.push(...found);
        else {
          const { until, reason } = exception;
          outcome.excused.push(...found.map((violation) => ({ ...violation, until, reason })));
        }
      }
    }
    return outcome;
  };
}

/** For a rule about whole runs `agent` names the agent whose runs they are. */
function concerns({ agents, notAgents = [] }: PolicyRule, agent: string): boolean {
  return (agents.length === 0 || agents.includes(agent)) && !notAgents.includes(agent);
}

function judge(rule: PolicyRule, run: ComparedRun): { found: DriftViolation[]; why: string[] } {
  const found: DriftViolation[] = [];
  const why: string[] = [];
  rule.definition.onRun!(run, {
    params: rule.params,
    found: ({ code, message, findings = [] }) =>
      found.push({
        ruleId: rule.id,
        kind: rule.kind,
        severity: rule.severity,
        run: run.compared.run,
        key: run.compared.key,
        agent: run.context.run.agent,
        code,
        message,
        findings,
      }),
    notEvaluated: (reason) => why.push(reason),
  });
  return { found, why };
}
