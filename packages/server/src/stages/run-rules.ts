import type { Baseline } from "@spoor/core/internal/fingerprint/baseline";
import type { Severity } from "@spoor/core/internal/judgement/severity";
import type { Policy } from "@spoor/core/internal/policy/policy";

/** What the runs of an agent are judged by as they arrive, each part with the digest of exactly what it was read from. */
export interface RunRules {
  readonly policy?: PolicyRules;
  /** Why there is none although one is named: nothing is checked then, and nothing passes. */
  readonly problem?: { readonly code: string; readonly message: string };
  readonly known?: { readonly baseline: Baseline; readonly hash: string };
  /** Today as `YYYY-MM-DD`, for exceptions with an expiry date. */
  readonly today: string;
}

export interface PolicyRules {
  readonly policy: Policy;
  readonly hash: string;
  /** The severity from which a run counts as failed. */
  readonly failOn: Severity;
}
