/** Tells what was decided about a call, and how it ended, as lines of a decision log: the shape that hook and proxy write too. */
import { type Decision, decisionLine, outcomeLine } from "@spoor/core/internal/policy/decision";
import type { Violation } from "@spoor/core/internal/policy/policy";
import type { Json } from "@spoor/core/internal/trace/json";
import { describeViolations } from "./placeholders.ts";
import { policyDigest } from "./policy-digest.ts";
import type { SessionContext } from "./session-context.ts";

export interface Decided {
  readonly decision: Exclude<Decision, "none">;
  readonly input: Json;
  readonly violations: readonly Violation[];
  /** Those that decided. */
  readonly blocking: readonly Violation[];
  /** Rules that asked a person, who said yes. */
  readonly approved?: readonly string[] | undefined;
}

interface NamedCall {
  readonly name: string;
  readonly id?: string | undefined;
  readonly agent?: string | undefined;
}

/** Throws where decisions must be logged and this one cannot be: the call is refused then, whatever it is. */
export function tellDecision(context: SessionContext, call: NamedCall, decided: Decided): void {
  const { settings, policy } = context;
  if (settings.onDecision === undefined) return;
  const { decision, input, violations, blocking, approved } = decided;
  const line = decisionLine({
    ...named(context, call),
    decision,
    arguments: input,
    violations,
    approved,
    reason: decision === "allow" ? undefined : describeViolations(blocking),
    policy: settings.decisions?.policy ?? { name: policy.file ?? "policy", digest: policyDigest(policy) },
  });
  try {
    settings.onDecision(line);
  } catch (error) {
    // What is refused is refused, told or not.
    if (settings.decisions?.required === true && decision !== "deny") throw error;
    settings.onError?.(error);
  }
}

/** The call has run: that it cannot be told is said, and changes nothing. */
export function tellOutcome(context: SessionContext, call: NamedCall, status: "ok" | "error"): void {
  const { settings } = context;
  if (settings.onDecision === undefined) return;
  try {
    settings.onDecision(outcomeLine({ ...named(context, call), status }));
  } catch (error) {
    settings.onError?.(error);
  }
}

function named({ id, settings }: SessionContext, { name, id: call, agent }: NamedCall) {
  const time = (settings.now?.() ?? new Date()).toISOString();
  return { time, door: "guard", session: id, tool: name, agent, call } as const;
}
