/**
 * The policy at run time: the same file that guards pull requests judges a response before it is handed on, and a tool
 * call before it runs.
 *
 *     const guard = createGuard(policy, { mode: "raise" });
 *     const session = guard.session("ticket-1042");
 *     const tools = session.wrapTools({ issue_refund, confirm_refund_amount });
 *     const { response } = session.turn(request, rawResponse);
 *     session.close();   // obligations that were never met
 *
 * Sessions share nothing but the policy, so any number may be interleaved in one process. Each judgement costs one step
 * of each rule, independent of how long the session already is. An error inside the guard blocks, unless `failOpen`.
 */
import type { Policy, RuleSeverity, Violation } from "@spoor/core/policy/policy";
import type { JsonObject } from "@spoor/core/trace/json";
import type { TraceRecord } from "@spoor/core/trace/record";
import { createGuardSession, type GuardSession } from "./guard-session.ts";

export const guardModes = ["replace", "raise", "warn"] as const;

/**
 * What happens to something that is not allowed. `replace`: a harmless stand-in takes its place (the tool does not run);
 * `raise`: a PolicyViolationError is thrown (the tool does not run); `warn`: it goes ahead and is reported.
 */
export type GuardMode = (typeof guardModes)[number];

export interface GuardOptions {
  readonly mode?: GuardMode;
  /** Violations below this severity are reported but never block. By default every violation blocks. */
  readonly blockFrom?: RuleSeverity;
  /** Let things pass when the guard itself fails. Off: an unknown answer is a no. */
  readonly failOpen?: boolean;
  /** What a blocked tool returns in mode `replace`; by default a sentence that says why. */
  readonly toolPlaceholder?: (violations: readonly Violation[]) => unknown;
  /** What stands in for a blocked response in mode `replace`. */
  readonly responsePlaceholder?: (violations: readonly Violation[], original: JsonObject) => JsonObject;
  /** Told about every violation, blocked or not. What it throws is ignored. */
  readonly onViolation?: (event: GuardEvent) => void;
  /** Told when the guard itself failed. */
  readonly onError?: (error: unknown) => void;
  /** Every record of what was allowed to happen, as it happens: the session's trace in `.agentlog` shape. */
  readonly onRecord?: (record: TraceRecord, sessionId: string) => void;
  /** The clock; decides which exceptions of the policy still hold. Without it none does. */
  readonly now?: () => Date;
}

export interface GuardEvent {
  readonly sessionId: string;
  readonly violations: readonly Violation[];
  readonly blocked: boolean;
  /** The tool that was about to run; absent for a response. */
  readonly tool?: string;
}

export interface Guard {
  /** The session of this id, opened on first use. */
  session(id: string): GuardSession;
  /** `turn` and `wrapTools` of the session "default", for agents that hold one conversation. */
  turn: GuardSession["turn"];
  wrapTools: GuardSession["wrapTools"];
  /** Ends every open session and says what was still owed. */
  close(): CloseReport;
}

/** What only the end of a session could decide. */
export interface CloseReport {
  readonly violations: readonly Violation[];
  /** Rules that could not be judged: never to be taken for a pass. */
  readonly notEvaluated: readonly { readonly ruleId: string; readonly why: string }[];
}

const DEFAULT_SESSION = "default";

export function createGuard(policy: Policy, options: GuardOptions = {}): Guard {
  const mode = options.mode ?? "replace";
  if (!guardModes.includes(mode)) {
    throw new TypeError(`createGuard: mode must be one of ${guardModes.join(", ")}; found ${JSON.stringify(mode)}.`);
  }
  const sessions = new Map<string, GuardSession>();

  function session(id: string): GuardSession {
    let found = sessions.get(id);
    if (found === undefined) {
      found = createGuardSession(id, policy, { ...options, mode }, () => sessions.delete(id));
      sessions.set(id, found);
    }
    return found;
  }

  return {
    session,
    turn: (request, response) => session(DEFAULT_SESSION).turn(request, response),
    wrapTools: (tools) => session(DEFAULT_SESSION).wrapTools(tools),
    close() {
      const reports = [...sessions.values()].map((open) => open.close());
      return {
        violations: reports.flatMap((report) => report.violations),
        notEvaluated: reports.flatMap((report) => report.notEvaluated),
      };
    },
  };
}
