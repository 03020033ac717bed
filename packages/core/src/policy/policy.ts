/** A loaded policy and what checking it yields. */
import type { FindingSeverity } from "../judgement/severity.ts";
import type { JsonObject } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import type { Condition } from "./condition.ts";
import type { Effect, ToldEffect } from "./effect.ts";
import type { Path } from "./path.ts";
import type { RuleKind, Span } from "./rule.ts";

export type RuleScope = "trace" | "session";

/** A policy file whose every rule can run. Made by `parsePolicy`, never by hand. */
export interface Policy {
  /** The file as the user named it. */
  readonly file?: string;
  readonly description?: string;
  readonly rules: readonly PolicyRule[];
  /** Where in a pair the name of its conversation stands; replaces the cutting of sessions by messages. */
  readonly sessionKey?: Path;
  readonly examples: readonly PolicyExample[];
  /** Whether broken rules about drift block, where an older drift policy says so (`block_merges`). */
  readonly blocking?: boolean;
  /** What loads but is probably not meant. */
  readonly warnings: readonly PolicyWarning[];
}

export interface PolicyRule {
  readonly id: string;
  readonly kind: string;
  readonly severity: FindingSeverity;
  /** What follows when it is broken. */
  readonly effect: Effect;
  readonly scope: RuleScope;
  readonly description: string;
  readonly when: readonly Condition[];
  /** Sub-agents whose turns and calls the rule looks at; empty for everyone's. `main` is the agent itself. */
  readonly agents: readonly string[];
  /** Agents whose runs it leaves alone; only older drift policies say so (their profile `default`). */
  readonly notAgents?: readonly string[];
  readonly exceptions: readonly RuleException[];
  /** How much it must have looked at, over all traces, for its verdict to count. */
  readonly minSeen?: number;
  /** Parameters as they stand in the file. */
  readonly rawParams: JsonObject;
  /** Parameters as the kind reads them. */
  readonly params: unknown;
  readonly definition: RuleKind;
  /** The rule in one English sentence, `when` and scope included. */
  readonly explanation: string;
  readonly at: RulePlace;
}

/** Where a rule stands: position of its first key. */
export interface RulePlace {
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
}

/** Violations that are accepted until a day, for a stated reason. */
export interface RuleException {
  /** The last day on which it holds, as `YYYY-MM-DD` (UTC). */
  readonly until: string;
  readonly reason: string;
  /** Only violations in traces of this id or name. */
  readonly trace?: string;
  /** Only violations at turns for which these hold. */
  readonly when: readonly Condition[];
}

/** A trace that a policy file carries with what it must do to its rules. */
export interface PolicyExample {
  readonly name: string;
  readonly passes: readonly string[];
  readonly fails: readonly string[];
  /** Records in `.agentlog` shape, made from `turns` or from a trace that stands in the policy file. */
  readonly records?: readonly TraceRecord[];
  /** Or a trace file, relative to the policy file. */
  readonly trace?: string;
  readonly at: RulePlace;
}

export interface PolicyWarning {
  readonly at: RulePlace & { readonly path: string };
  readonly message: string;
}

/** One offence against one rule. Plain data: this is what reports hold. */
export interface Violation {
  readonly ruleId: string;
  readonly kind: string;
  readonly severity: FindingSeverity;
  /** What follows, where it is anything else than that the call does not run. */
  readonly effect?: ToldEffect;
  /** The turn to look at, from 0; null when the whole trace (or session) is meant. */
  readonly turnIndex: number | null;
  /** The session, for rules with `scope: session`. */
  readonly sessionIndex: number | null;
  readonly code: string;
  readonly message: string;
  /** What was expected, what else is known. */
  readonly note?: string;
  readonly facts: JsonObject;
  readonly subject: string;
  readonly measure?: number;
  readonly restates?: true;
  readonly evidence: Evidence;
}

/** What to open to see it with one's own eyes. */
export interface Evidence {
  /** Content id of the response (or call) record. */
  readonly recordId?: string;
  /** Position of the block in the response's content. */
  readonly blockIndex?: number;
  readonly callId?: string;
  readonly tool?: string;
  /** The call as a line: `issue_refund(order_id "A-7731", refund.amount 89)`. */
  readonly call?: string;
  readonly span?: Span & { readonly text: string };
  /** Address inside the response's JSON or the call's arguments. */
  readonly path?: string;
}

/** A violation that an exception covers. */
export interface Excused {
  readonly violation: Violation;
  readonly until: string;
  readonly reason: string;
}
