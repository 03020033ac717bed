/** The public list of @spoor/record: every name is spelled out. */
export { contentId, type Policy, parsePolicy } from "@spoor/core";
export { createGuard, type Guard } from "./guard.ts";
export { type GuardEvent, type GuardMode, type GuardOptions, guardModes } from "./guard-options.ts";
export type { GuardSession } from "./guard-session.ts";
export { PolicyViolationError } from "./policy-violation-error.ts";
export type { CallOutcome, CallVerdict, CloseReport, TurnVerdict } from "./verdicts.ts";
