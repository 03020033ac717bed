/**
 * When the things of a run happened, from what its records say: the request's and the response's time, the call's and its result's.
 * Nothing is guessed. A call whose beginning nobody wrote down stands where it can have begun at the earliest, and says so.
 */
import type { JsonObject } from "../trace/json.ts";
import { stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { ToolCall, Trace, Turn } from "../trace/trace.ts";

export interface Span {
  /** Milliseconds since the run's first clock reading. */
  readonly start: number;
  /** Absent when its end is not known. */
  readonly ms?: number;
  /** It began then at the earliest; when, nobody wrote down. */
  readonly earliest?: true;
}

export interface RunClock {
  readonly turns: readonly (Span | undefined)[];
  /** By position among all calls. */
  readonly calls: readonly (Span | undefined)[];
}

export function readClock(trace: Trace): RunClock {
  const times = recordTimes(trace);
  const turns = trace.turns.map((turn) => turnSpan(turn, times));
  const calls = trace.toolCalls.map((call) => callSpan(call, times, turns[call.turnIndex]));
  let first = Number.POSITIVE_INFINITY;
  for (const span of [...turns, ...calls]) if (span !== undefined && span.start < first) first = span.start;
  const since = (span: Span | undefined) => (span === undefined ? undefined : { ...span, start: span.start - first });
  return { turns: turns.map(since), calls: calls.map(since) };
}

interface RecordTimes {
  readonly ofPayload: ReadonlyMap<unknown, number>;
  /** Of the result with this id; absent where an id has several. */
  readonly ofResult: ReadonlyMap<string, number>;
}

function recordTimes({ records }: Trace): RecordTimes {
  const ofPayload = new Map<unknown, number>();
  const ofResult = new Map<string, number>();
  const twice = new Set<string>();
  for (const { kind, payload, ts } of records) {
    const time = timeOf(ts);
    if (time === undefined) continue;
    if (kind === "chat_request" || kind === "chat_response") ofPayload.set(payload, time);
    const id = kind === "tool_result" ? stringMember(payload, "tool_call_id") : undefined;
    if (id === undefined) continue;
    if (ofResult.has(id)) twice.add(id);
    ofResult.set(id, time);
  }
  for (const id of twice) ofResult.delete(id);
  return { ofPayload, ofResult };
}

function timeOf(text: string | undefined): number | undefined {
  const time = text ? Date.parse(text) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function turnSpan(turn: Turn, { ofPayload }: RecordTimes): Span | undefined {
  const asked = ofPayload.get(turn.request satisfies JsonObject);
  const answered = ofPayload.get(turn.response);
  if (asked !== undefined) {
    const seen = answered !== undefined && answered > asked ? answered - asked : undefined;
    return present({ start: asked, ms: turn.durationMs ?? seen });
  }
  if (answered === undefined) return undefined;
  return turn.durationMs === undefined
    ? { start: answered }
    : { start: answered - turn.durationMs, ms: turn.durationMs };
}

function callSpan(call: ToolCall, { ofResult }: RecordTimes, turn: Span | undefined): Span | undefined {
  const { id, durationMs } = call;
  const began = timeOf(call.startedAt);
  const ended = id === undefined ? undefined : ofResult.get(id);
  if (began !== undefined) {
    const seen = ended !== undefined && ended >= began ? ended - began : undefined;
    return present({ start: began, ms: durationMs ?? seen });
  }
  if (durationMs === undefined) return undefined;
  if (ended !== undefined) return { start: ended - durationMs, ms: durationMs };
  // The answer that asks for it has to be there first.
  if (turn?.ms === undefined || turn.earliest) return undefined;
  return { start: turn.start + turn.ms, ms: durationMs, earliest: true };
}
