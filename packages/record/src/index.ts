/** The public list of @spoor/record: every name is spelled out. */
// From where they stand: the list of all of core would load every lens into the agent.
export { contentId } from "@spoor/core/internal/canonical/digest";
export { parsePolicy } from "@spoor/core/internal/policy/parse-policy";
export type { Policy } from "@spoor/core/internal/policy/policy";
export { createGuard, type Guard } from "./guard.ts";
export { type GuardEvent, type GuardMode, type GuardOptions, guardModes } from "./guard-options.ts";
export type { GuardSession } from "./guard-session.ts";
export { PolicyViolationError } from "./policy-violation-error.ts";
export type { CallOutcome, CallVerdict, CloseReport, TurnVerdict } from "./verdicts.ts";
