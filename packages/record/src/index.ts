/** The public list of @spoor/record: every name is spelled out. */
export { contentId, type Policy, parsePolicy } from "@spoor/core";
export {
  type CloseReport,
  createGuard,
  type Guard,
  type GuardEvent,
  type GuardMode,
  type GuardOptions,
  guardModes,
} from "./guard.ts";
export type { CallOutcome, CallVerdict, GuardSession, TurnVerdict } from "./guard-session.ts";
export { PolicyViolationError } from "./policy-violation-error.ts";
