/** The public list of @spoor/record: every name is spelled out. */
// From where they stand: the list of all of core would load every lens into the agent.
export { contentId } from "@spoor/core/internal/canonical/digest";
export { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
export type { Policy } from "@spoor/core/internal/policy/policy";
export { createGuard, type Guard } from "./guard.ts";
export {
  type AskRequest,
  type DecisionOptions,
  type GuardEvent,
  type GuardMode,
  type GuardOptions,
  guardModes,
  type SessionInfo,
  type SessionLimits,
} from "./guard-options.ts";
export { PolicyViolationError } from "./policy-violation-error.ts";
export type { ActingAgent, GuardSession, JudgeOptions } from "./session/guard-session.ts";
export { withheldText } from "./session/placeholders.ts";
export { createMemoryStore } from "./store/memory-store.ts";
export type { Changed, SessionStore } from "./store/session-store.ts";
export type { CallOutcome, CallVerdict, CloseReport, ResultVerdict, SettleOptions, TurnVerdict } from "./verdicts.ts";
