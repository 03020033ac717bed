import type { FindingSeverity } from "../judgement/severity.ts";
import type { Policy } from "./policy.ts";

/** A policy as a person would say it. */
export interface PolicyExplanation {
  readonly file: string | null;
  readonly description: string | null;
  readonly sessionKey: string | null;
  readonly rules: readonly ExplainedRule[];
}

export interface ExplainedRule {
  readonly id: string;
  readonly kind: string;
  readonly severity: FindingSeverity;
  readonly explanation: string;
  readonly description: string;
  readonly exceptions: readonly { readonly until: string; readonly reason: string }[];
}

/** Each rule in one English sentence. */
export function listOfRules(policy: Policy): PolicyExplanation {
  return {
    file: policy.file ?? null,
    description: policy.description ?? null,
    sessionKey: policy.sessionKey?.text ?? null,
    rules: policy.rules.map(({ id, kind, severity, explanation, description, exceptions }) => ({
      id,
      kind,
      severity,
      explanation,
      description,
      exceptions: exceptions.map(({ until, reason }) => ({ until, reason })),
    })),
  };
}
