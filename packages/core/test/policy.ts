/** Builders for policy tests: rules as plain data, traces as a few words per turn. */

import { SpoorError } from "../src/errors.ts";
import { isProvisional } from "../src/policy/build-violation.ts";
import { checkPolicy } from "../src/policy/check-policy.ts";
import { TurnEvent } from "../src/policy/events.ts";
import { createMonitor } from "../src/policy/monitor.ts";
import { parsePolicy } from "../src/policy/parse-policy.ts";
import type { Policy, Violation } from "../src/policy/policy.ts";
import { buildTrace } from "../src/trace/build-trace.ts";
import type { Json, JsonObject } from "../src/trace/json.ts";
import type { TraceRecord } from "../src/trace/record.ts";
import type { Trace } from "../src/trace/trace.ts";

export function policyOf(rules: Json): Policy {
  return parsePolicy(JSON.stringify(rules), { file: "policy.json" });
}

export function rule(kind: string, params: JsonObject, rest: JsonObject = {}): JsonObject {
  return { id: "r", kind, params, ...rest };
}

/** `then` of a rule: a literal with that key would look like a promise. */
export function following(effect: string): JsonObject {
  return JSON.parse(`{"then":${JSON.stringify(effect)}}`) as JsonObject;
}

export interface Reply {
  readonly text?: string;
  readonly calls?: readonly (string | { readonly name: string; readonly input?: Json; readonly id?: string })[];
  readonly stop?: string;
  readonly request?: JsonObject;
  readonly response?: JsonObject;
  readonly agent?: string;
}

/** A request and its response. Without `request`, each turn is a conversation of its own. */
export function turn(reply: Reply): TraceRecord[] {
  const content: Json[] = reply.text === undefined ? [] : [{ type: "text", text: reply.text }];
  for (const call of reply.calls ?? []) {
    const { name, input = {}, id } = typeof call === "string" ? { name: call } : call;
    content.push({ type: "tool_use", name, input, ...(id === undefined ? {} : { id }) });
  }
  const stop = reply.stop ?? ((reply.calls ?? []).length > 0 ? "tool_use" : "end_turn");
  return [
    { kind: "chat_request", payload: reply.request ?? { model: "m" } },
    {
      kind: "chat_response",
      payload: { content, stop_reason: stop, ...reply.response },
      ...(reply.agent === undefined ? {} : { meta: { agent: reply.agent } }),
    },
  ];
}

/** A call recorded on its own. */
export function standalone(name: string, rest: JsonObject = {}): TraceRecord {
  return { kind: "tool_call", payload: { tool_name: name, arguments: {}, ...rest } };
}

export function result(id: string, output: Json, failed = false): TraceRecord {
  return { kind: "tool_result", payload: { tool_call_id: id, output, is_error: failed } };
}

export function traceOfRecords(...records: (TraceRecord | readonly TraceRecord[])[]): Trace {
  return buildTrace(records.flat() as TraceRecord[]);
}

/** Violations of a list of rules. */
export function violationsOf(rules: Json, trace: Trace, today?: string): readonly Violation[] {
  return checkPolicy(trace, policyOf(rules), today === undefined ? {} : { today }).violations;
}

/** Turn indices of one rule's violations: the shortest way to say what it found. */
export function turnsOf(one: JsonObject, trace: Trace): (number | null)[] {
  return violationsOf([one], trace).map((violation) => violation.turnIndex);
}

/** The problems of a policy that does not load, as `path: message`. */
export function problemsOf(rules: Json): string[] {
  try {
    policyOf(rules);
  } catch (error) {
    if (error instanceof SpoorError) return error.problems.map(({ at, message }) => `${at.path}: ${message}`);
    throw error;
  }
  return [];
}

/** What a rule says about the last of some replies before the trace has ended, as a guard hears it. */
export function judgedLive(one: JsonObject, ...replies: readonly Reply[]): ("provisional" | "final")[] {
  const monitor = createMonitor(policyOf([one]));
  const judge = (next: Trace["turns"][number]) => {
    const event = new TurnEvent(next);
    const calls = next.toolCalls.filter((call) => !call.standalone).map((call) => ({ call, turn: event }));
    return monitor.judgeTurn(event, 0, calls);
  };
  const [first, ...others] = traceOfRecords(...replies.map(turn)).turns;
  let last = judge(first!);
  for (const next of others) {
    last.commit();
    last = judge(next);
  }
  return last.violations.map((violation) => (isProvisional(violation) ? "provisional" : "final"));
}

/** One conversation of one turn per text; their models are a, b, c… */
export function oneTurnSessions(...texts: readonly string[]): Trace {
  return traceOfRecords(
    ...texts.map((text, index) => {
      const model = String.fromCharCode(97 + index);
      return turn({ text, request: { messages: [{ role: "user", content: model }], model } });
    }),
  );
}

/** Two conversations of two turns: each new user message opens one. */
export const twoConversations = conversations();

function conversations(): Trace {
  const asked = (word: string, a: number, ...more: Json[]) => ({
    messages: [{ role: "user", content: word }, ...more],
    params: { a },
    c: ["alpha beta"],
  });
  const answer = { role: "tool", content: "ok" };
  return traceOfRecords(
    turn({ calls: ["x"], request: asked("one", 1) }),
    turn({ text: "alpha beta", request: asked("one", 1, answer) }),
    turn({ calls: ["x"], request: asked("two", 2) }),
    turn({ text: "other things", request: asked("two", 3, answer) }),
  );
}

/** A refund that fails, is tried again as it was, fails again, and then succeeds twice with another amount. */
export const failingRefunds = refunds([5, "timeout"], [5, "timeout"], [6, "ok"], [6, "ok"]);

function refunds(...calls: readonly (readonly [amount: number, output: string])[]): Trace {
  return traceOfRecords(
    ...calls.flatMap(([amount, output], index) => [
      turn({ calls: [{ name: "issue_refund", input: { refund: { amount } }, id: `${index}` }] }),
      result(`${index}`, output, output === "timeout"),
    ]),
  );
}

/** A request that offers these tools to the model. */
export function offering(...names: readonly string[]): JsonObject {
  return { tools: names.map((name) => ({ name })) };
}
