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
 * Sessions share nothing but the policy, so any number may be interleaved in one process. Judging costs one step of each
 * rule, independent of how long the session already is; but `turn` also decodes the whole request it is shown and compares
 * it with the one before, so its cost grows with the messages of the request. An error inside the guard blocks, unless
 * `failOpen`.
 */
import type { Policy } from "@spoor/core/internal/policy/policy";
import { type GuardOptions, guardModes } from "./guard-options.ts";
import { createGuardSession, type GuardSession } from "./guard-session.ts";
import type { CloseReport } from "./verdicts.ts";

export interface Guard {
  /** The session of this id, opened on first use. */
  session(id: string): GuardSession;
  /** `turn` and `wrapTools` of the session "default", for agents that hold one conversation. */
  turn: GuardSession["turn"];
  wrapTools: GuardSession["wrapTools"];
  /** Ends every open session and says what was still owed. */
  close(): CloseReport;
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
