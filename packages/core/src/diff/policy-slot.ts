/**
 * Where the policy lens plugs into a diff. The diff knows nothing of rules: it takes findings, shows them, and lets new violations
 * gate. `policy-hook.ts` produces them from a policy.
 */
import type { FindingSeverity } from "../judgement/severity.ts";
import type { ToldEffect } from "../policy/effect.ts";

/** A violation that one side has and the other has not. */
export interface PolicyFinding {
  readonly ruleId: string;
  /** The rule's kind: `must_call_before`, `no_call`, … */
  readonly ruleKind: string;
  readonly severity: FindingSeverity;
  /** What follows when it is broken, where that is not `deny`. */
  readonly effect?: ToldEffect;
  /** Name of the trace that violates: the candidate's in a regression, the baseline's in a fix. */
  readonly trace: string;
  readonly key: string;
  /** The turn of the side that violates. */
  readonly turnIndex?: number;
  /** For ordering rules: `tool` must come after `before`. */
  readonly order?: { readonly tool: string; readonly before: string };
  /** The broken rule in words: `subject` (now) `predicate`. */
  readonly headline: { readonly subject: string; readonly predicate: string };
  readonly message: string;
  /** Where the rule stands, as `file:line`. */
  readonly place?: string;
}

/** What a policy says about one pair of traces. */
export interface PolicyDiff {
  /** New violations of the candidate. */
  readonly regressions: readonly PolicyFinding[];
  /** Violations of the baseline that are gone. */
  readonly fixes: readonly PolicyFinding[];
  /** Rules that could not be evaluated: never a pass. */
  readonly notEvaluated: readonly UnjudgedRule[];
  /** What each rule saw in the candidate, in its own unit. */
  readonly seen: readonly RuleSeen[];
}

export interface RuleSeen {
  readonly ruleId: string;
  readonly seen: readonly { readonly amount: number; readonly noun: string }[];
  /** How much it was told to see at least. */
  readonly minSeen?: number;
  /** The candidate breaks it, newly or as before: then it was judged, whatever it saw. */
  readonly isBroken: boolean;
}

export interface UnjudgedRule {
  readonly ruleId: string;
  readonly side: "baseline" | "candidate";
  /** Absent when all of them are meant. */
  readonly trace?: string;
  readonly key?: string;
  readonly why: string;
}
