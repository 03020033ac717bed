/** How a guard is told to behave, and what it tells. */
import type { FindingSeverity } from "@spoor/core/internal/judgement/severity";
import type { Violation } from "@spoor/core/internal/policy/policy";
import type { Json, JsonObject } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import type { SessionStore } from "./store/session-store.ts";
import type { CloseReport } from "./verdicts.ts";

export const guardModes = ["replace", "raise", "warn"] as const;

/**
 * What happens to something that is not allowed. `replace`: a harmless stand-in takes its place (the tool does not run);
 * `raise`: a PolicyViolationError is thrown (the tool does not run); `warn`: it goes ahead and is reported.
 */
export type GuardMode = (typeof guardModes)[number];

export interface GuardOptions {
  readonly mode?: GuardMode;
  /** Every response is shown to `turn`. Without it, a policy with rules that look at responses is refused. */
  readonly turns?: boolean;
  /** Ids of rules that this guard leaves to others: to `spoor check`, say. */
  readonly leave?: readonly string[];
  /** Violations below this severity are reported but never block. By default every violation blocks. */
  readonly blockFrom?: FindingSeverity;
  /** Let things pass when the guard itself fails. Off: an unknown answer is a no. */
  readonly failOpen?: boolean;
  /** What a blocked tool returns in mode `replace`; by default a sentence that says why. */
  readonly toolPlaceholder?: (violations: readonly Violation[]) => unknown;
  /** What stands in for a blocked response in mode `replace`. */
  readonly responsePlaceholder?: (violations: readonly Violation[], original: JsonObject) => JsonObject;
  /**
   * Asks a person about a call that a rule with `then: ask` speaks about; only `true` lets it run. Without it such a policy is
   * refused. What it throws, and an answer after `askTimeoutMs`, is a no. A tool that does not return a promise cannot wait for one.
   */
  readonly onAsk?: (request: AskRequest) => boolean | Promise<boolean>;
  readonly askTimeoutMs?: number;
  /** Told about every violation, blocked or not. What it throws is ignored. */
  readonly onViolation?: (event: GuardEvent) => void;
  /** Told when the guard itself failed. */
  readonly onError?: (error: unknown) => void;
  /**
   * Told every decision about a call before it runs, and how it ended, as a line of a decision log: `createDecisionLog(file)` of
   * `@spoor/record/decision-log` writes them. What it throws goes to `onError`.
   */
  readonly onDecision?: (line: JsonObject) => void;
  readonly decisions?: DecisionOptions;
  /** Every record of what was allowed to happen, as it happens: the session's trace in `.agentlog` shape. */
  readonly onRecord?: (record: TraceRecord, sessionId: string) => void;
  /** The clock; decides which exceptions of the policy still hold. Without it none does. */
  readonly now?: () => Date;
  /** Where sessions are kept so that other processes go on with them. By default they live in this process. */
  readonly store?: SessionStore;
  /** How many sessions are kept in memory, and for how long. */
  readonly sessions?: SessionLimits;
}

export interface DecisionOptions {
  /** A call whose decision cannot be told does not run: for audits. */
  readonly required?: boolean;
  /** What the lines say of the policy; by default its file and a hash of its rules. */
  readonly policy?: { readonly name: string; readonly digest: string };
}

export interface SessionLimits {
  /** The least recently used ones beyond so many are dropped; 10,000 unless told otherwise. */
  readonly max?: number;
  /** Sessions that nothing happened in for so long are dropped; needs `now`. */
  readonly idleMs?: number;
  /** Told what a session still owed when it was dropped. */
  readonly onDrop?: (sessionId: string, report: CloseReport) => void;
}

/** Who acts in a session, for whom, and what else rules may ask: `principal.agent`, `principal.user`, `context`. */
export interface SessionInfo {
  /** The agent whose session it is, as rules with `agent:` name it; "main" where there is only one. */
  readonly agent?: string;
  readonly user?: string | JsonObject;
  readonly context?: JsonObject;
}

/** One call that a person has to allow, and the rules that ask for it. */
export interface AskRequest {
  readonly sessionId: string;
  readonly tool: string;
  readonly input: Json;
  readonly callId?: string;
  /** The result, where the question is whether the model may read it; the call has run then. */
  readonly output?: Json;
  readonly violations: readonly Violation[];
}

export interface GuardEvent {
  readonly sessionId: string;
  readonly violations: readonly Violation[];
  readonly blocked: boolean;
  /** What a person answered who was asked. */
  readonly approved?: boolean;
  /** The tool that was about to run; absent for a response. */
  readonly tool?: string;
}
