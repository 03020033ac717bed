/** What rules about drift say of compared runs, as reports hold it. */
import type { FindingSeverity } from "../judgement/severity.ts";
import type { SignalFinding } from "./signals/signal.ts";

export interface DriftOutcome {
  /** The rules that were asked. */
  readonly rules: readonly DriftRule[];
  readonly violations: readonly DriftViolation[];
  readonly excused: readonly (DriftViolation & { readonly until: string; readonly reason: string })[];
  /** Rules that lacked their data: never a pass. */
  readonly notEvaluated: readonly { readonly ruleId: string; readonly run: string; readonly why: string }[];
}

export interface DriftRule {
  readonly id: string;
  readonly kind: string;
  readonly severity: FindingSeverity;
  readonly explanation: string;
  readonly headline: { readonly subject: string; readonly predicate: string };
  readonly at: { readonly file?: string; readonly line?: number; readonly column?: number };
}

export interface DriftViolation {
  readonly ruleId: string;
  readonly kind: string;
  /** Severe ones block; the others are reported. */
  readonly severity: FindingSeverity;
  readonly run: string;
  readonly key: string;
  readonly agent: string;
  readonly code: string;
  readonly message: string;
  /** The numbers behind it. */
  readonly findings: readonly SignalFinding[];
}
