/**
 * A decision about a tool call, as a line of a log: what every door (hook, guard, proxy) writes about every call it was asked
 * about, and what `spoor show` and `spoor check` read as a trace. A call that was denied never happened; of one without an
 * objection (`none`) the outcome tells whether it ran, because others may have a word in it.
 */
import { contentId, digestJson } from "../canonical/digest.ts";
import type { FindingSeverity } from "../judgement/severity.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { Door } from "./doors.ts";
import type { Violation } from "./policy.ts";

/** `none`: nothing was objected to, and nothing granted; whoever asks decides by its own permissions. */
const decisions = ["allow", "deny", "ask", "none"] as const;
export type Decision = (typeof decisions)[number];

const DECISION_LOG_VERSION = 1;

/** What is known of a call at any door. */
export interface DecidedCall {
  readonly time: string;
  readonly door: Door;
  readonly session: string;
  readonly tool: string;
  readonly agent?: string | undefined;
  readonly call?: string | undefined;
}

export interface DecisionInput extends DecidedCall {
  readonly decision: Decision;
  readonly arguments: Json | undefined;
  readonly violations: readonly Pick<Violation, "ruleId" | "severity" | "effect" | "code" | "message">[];
  /** Rules that asked a person, who said yes. */
  readonly approved?: readonly string[] | undefined;
  /** Why, where no rule says it: an event that could not be read. */
  readonly reason?: string | undefined;
  readonly policy: { readonly name: string; readonly digest: string } | undefined;
}

const WORST: readonly FindingSeverity[] = ["severe", "moderate", "minor"];

/** `rule` is the worst that objected. Arguments stand there whole, and as a hash to compare them by. */
export function decisionLine(input: DecisionInput): JsonObject {
  const { violations, policy } = input;
  const worst = WORST.map((severity) => violations.find((one) => one.severity === severity)).find((one) => one);
  return withId({
    spoor: "decision",
    version: DECISION_LOG_VERSION,
    ...callFields(input),
    decision: input.decision,
    rule: worst?.ruleId ?? null,
    violations: violations.map(({ ruleId, severity, effect, code, message }) =>
      present({ rule: ruleId, severity, effect, code, message }),
    ),
    approved: input.approved === undefined ? undefined : [...input.approved],
    reason: input.reason,
    policy: policy === undefined ? undefined : { name: policy.name, digest: policy.digest },
    arguments_digest: input.arguments === undefined ? undefined : contentId(input.arguments),
    arguments: input.arguments,
  });
}

/** How a call ended that a line before decided about. */
export function outcomeLine(input: DecidedCall & Outcome): JsonObject {
  const { status, denied } = input;
  return withId({ spoor: "outcome", version: DECISION_LOG_VERSION, ...callFields(input), status, denied });
}

export interface Outcome {
  readonly status: "ok" | "error";
  /** It did not run: others did not let it. */
  readonly denied?: true | undefined;
}

function callFields({ time, door, session, agent, tool, call }: DecidedCall): Record<string, Json | undefined> {
  return { time, door, session, agent, tool, call };
}

function withId(fields: Readonly<Record<string, Json | undefined>>): JsonObject {
  const line = present(fields);
  return { id: digestJson(line, 24), ...line };
}
