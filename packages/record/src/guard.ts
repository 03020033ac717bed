/**
 * A policy inside a running agent.
 *
 *     const guard = createGuard(policy, { mode: "raise" });
 *     const session = guard.session("ticket-1042");
 *     const tools = session.wrapTools({ issue_refund, confirm_refund_amount });
 *     const { response } = session.turn(request, rawResponse);   // with createGuard(policy, { turns: true })
 *     session.close();   // obligations that were never met
 *
 * Sessions share nothing but the policy, so any number may be interleaved in one process. Judging costs one step of each
 * rule, independent of how long the session already is. An error inside the guard blocks, unless `failOpen`; a rule that the
 * guard is not shown enough to judge is an error when the guard, or the session, is made.
 */
import type { Policy } from "@spoor/core/internal/policy/policy";
import { judgedPolicy } from "./door-needs.ts";
import { type GuardOptions, guardModes, type SessionInfo } from "./guard-options.ts";
import { createGuardSession, type GuardSession } from "./session/guard-session.ts";
import { createSessions } from "./sessions.ts";
import { createUserLimits } from "./user-limits.ts";
import type { CloseReport } from "./verdicts.ts";

export interface Guard {
  /** The session of this id, opened on first use; who acts in it, and for whom, is stated then. */
  session(id: string, info?: SessionInfo): GuardSession;
  /** The session of this id, gone on with from what `save` returned. It must not be open. */
  restore(id: string, saved: string, info?: SessionInfo): GuardSession;
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
  if (options.decisions?.required === true && (options.failOpen === true || options.onDecision === undefined))
    throw new TypeError("createGuard: decisions.required needs onDecision, and does not go with failOpen.");
  const judged = judgedPolicy(policy, options);
  const settings = { ...options, mode };
  const sessions = createSessions(options);
  const users = createUserLimits(judged, options);
  const create = (id: string, info: SessionInfo, saved?: string) =>
    createGuardSession(id, judged, settings, { info, saved, users, onClose: () => sessions.forget(id) });
  const session = (id: string, info: SessionInfo = {}) => sessions.open(id, () => create(id, info));

  return {
    session,
    restore(id, saved, info = {}) {
      if (sessions.has(id)) throw new Error(`The guard session "${id}" is open; close it before another is restored.`);
      return sessions.open(id, () => create(id, info, saved));
    },
    turn: (request, response, acting) => session(DEFAULT_SESSION).turn(request, response, acting),
    wrapTools: (tools, acting) => session(DEFAULT_SESSION).wrapTools(tools, acting),
    close() {
      const reports = sessions.all().map((open) => open.close());
      return {
        violations: reports.flatMap((report) => report.violations),
        notEvaluated: reports.flatMap((report) => report.notEvaluated),
      };
    },
  };
}
