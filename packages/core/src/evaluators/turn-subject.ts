/**
 * One turn of a conversation as evaluators see it: what the agent did from one message of the user to the next. Turns are counted by
 * what users said, so a recording of a conversation has the same ones as the conversation itself had.
 */
import { buildTrace } from "../trace/build-trace.ts";
import { isObject, type Json, type JsonObject, member } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import type { Trace, Turn } from "../trace/trace.ts";
import { lastUserText } from "../trace/user-text.ts";
import type { EvaluationSubject } from "./evaluation.ts";
import { subjectOfTrace } from "./subject.ts";

/** `last`, or from 1. */
export type TurnChoice = number | "last";

/** Where the conversation did not come so far, there is nothing to look at. */
export function subjectOfTurn(subject: EvaluationSubject, choice: TurnChoice): EvaluationSubject {
  const trace = subject.trace();
  const numbers = userTurns(trace);
  const wanted = choice === "last" ? numbers.at(-1) : choice;
  const { conversation: _conversation, question: _question, inputMessages: _input, ...task } = subject.task;
  if (!subject.hasTrace || wanted === undefined || !numbers.includes(wanted)) return subjectOfTrace(undefined, task);
  const first = trace.turns[numbers.indexOf(wanted)]!;
  const question = lastUserText(first);
  return subjectOfTrace(traceOfTurn(trace, numbers, wanted), { ...task, ...(question === "" ? {} : { question }) });
}

/** For each turn of the model the message of the user it belongs to, from 1; a sub-agent works for the one under way. */
function userTurns({ turns }: Trace): number[] {
  let before: number | undefined;
  let current = 1;
  return turns.map((turn) => {
    const said = isMain(turn) ? userMessages(turn) : undefined;
    if (said === undefined) return current;
    before ??= said - 1;
    // A history that was cut short says less, not that a new conversation began.
    current = Math.max(current, said - before);
    return current;
  });
}

function userMessages({ messages }: Turn): number | undefined {
  if (messages === undefined) return undefined;
  let count = 0;
  let previous: Json | undefined;
  for (const message of messages) {
    // Several messages in a row are one turn.
    if (member(message, "role") === "user" && member(previous, "role") !== "user" && !isResult(message)) count++;
    previous = message;
  }
  return count;
}

/** Some APIs answer a call in the user's name. */
function isResult(message: Json): boolean {
  const content = member(message, "content");
  return (
    Array.isArray(content) && content.length > 0 && content.every((part) => member(part, "type") === "tool_result")
  );
}

/** Figures of the whole run say nothing about one turn. */
const TOTALS = new Set(["usage", "cost_usd", "total_cost_usd", "duration_ms", "turns"]);

function traceOfTurn(trace: Trace, numbers: readonly number[], wanted: number): Trace {
  const kept: TraceRecord[] = [];
  let response = 0;
  let current = 1;
  for (const record of trace.records) {
    if (record.kind === "metadata") {
      kept.push({ ...record, payload: withoutTotals(record.payload) });
      continue;
    }
    const isRequest = record.kind === "chat_request";
    const number = isRequest || record.kind === "chat_response" ? (numbers[response] ?? current) : current;
    if (number === wanted) {
      // A recording may tell a request by what is new in it; here it stands alone.
      const payload = isRequest ? (trace.turns[response]?.request ?? record.payload) : record.payload;
      kept.push({ ...record, payload });
    }
    if (record.kind !== "chat_response") continue;
    current = number;
    response++;
  }
  return buildTrace(kept, { source: trace.source });
}

function withoutTotals(payload: Json): Json {
  if (!isObject(payload)) return payload;
  const without = (value: JsonObject) => Object.fromEntries(Object.entries(value).filter(([key]) => !TOTALS.has(key)));
  const labels = member(payload, "labels");
  return { ...without(payload), ...(isObject(labels) ? { labels: without(labels) } : {}) };
}

function isMain({ agent, parentCallId }: Turn): boolean {
  return agent === undefined && parentCallId === undefined;
}
