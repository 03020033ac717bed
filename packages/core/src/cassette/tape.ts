/** One recording as a cassette holds it: the calls of its tools and the answers of its model, in their order. */

import { declaredEffects } from "../trace/effects.ts";
import { isObject, type Json, type JsonObject, member, numberMember, stringMember } from "../trace/json.ts";
import { pairRequests } from "../trace/pair-requests.ts";
import { present } from "../trace/present.ts";
import type { TraceRecord } from "../trace/record.ts";
import type { ReplayedFrom } from "../trace/replay-marks.ts";
import type { Evidence, ToolCall, ToolError, Trace } from "../trace/trace.ts";
import { firstUserText } from "../trace/user-text.ts";
import type { CallReader, ReadCall } from "./call-reader.ts";
import type { RecordedFailure } from "./cassette.ts";
import { EffectSet } from "./effect-set.ts";
import type { ReadRequest, RequestReader } from "./request-reader.ts";

export interface Tape {
  readonly key: string;
  readonly scenario?: string;
  readonly run?: number;
  readonly firstUserText: string;
  readonly calls: readonly RecordedCall[];
  readonly answers: readonly RecordedAnswer[];
  /** Tool → whether the recording declares it to change the world. */
  readonly declared: ReadonlyMap<string, boolean>;
  readonly trace: Trace;
}

export interface RecordedCall extends ReadCall {
  readonly result?: Json;
  readonly error?: ToolError;
  readonly evidence?: Evidence;
  /** The successful effects before it. */
  readonly effects: string;
  readonly from: ReplayedFrom;
  readonly atMs?: number;
}

export interface RecordedAnswer {
  readonly request: ReadRequest;
  /** Absent when the call failed. */
  readonly payload?: JsonObject;
  readonly error?: RecordedFailure;
  readonly wire?: { readonly api?: string; readonly residue?: Json };
  readonly complete: boolean;
  readonly brokenBy?: string;
  readonly from: ReplayedFrom;
}

export interface TapeReaders {
  readonly call: CallReader;
  readonly request: RequestReader;
  readonly isEffect: (name: string, declared: ReadonlyMap<string, boolean>) => boolean;
}

export function readTape(trace: Trace, readers: TapeReaders): Tape {
  const declared = declaredEffects(trace);
  return present({
    key: trace.key,
    scenario: trace.scenario,
    run: runOf(trace),
    firstUserText: firstUserText(trace.turns[0]),
    calls: recordedCalls(trace, readers, declared),
    answers: recordedAnswers(trace, readers),
    declared,
    trace,
  });
}

/** Which repeat of its scenario: as the recording says, else as its file is called (`damaged-item.run2.agentlog`). */
function runOf({ metadata, source }: Trace): number | undefined {
  const said = numberMember(metadata, "trial") ?? numberMember(metadata, "run");
  if (said !== undefined) return said;
  const named = /\.run(\d+)\b/.exec(source.path ?? "")?.[1];
  return named === undefined ? undefined : Number(named);
}

function recordedCalls(trace: Trace, readers: TapeReaders, declared: ReadonlyMap<string, boolean>): RecordedCall[] {
  const before = new EffectSet();
  return trace.toolCalls.flatMap((call) => {
    if (!isKept(call)) return [];
    const read = readers.call({ name: call.name, args: call.input });
    const atMs = Date.parse(call.startedAt ?? trace.turns[call.turnIndex]?.ts ?? "");
    const recorded: RecordedCall = present({
      ...read,
      result: call.output,
      error: call.error,
      evidence: call.evidence,
      effects: before.key(),
      from: { trace: trace.key, turn: call.turnIndex },
      atMs: Number.isNaN(atMs) ? undefined : atMs,
    });
    if (call.status === "ok" && readers.isEffect(call.name, declared)) before.add(read.key);
    return [recorded];
  });
}

/** What a replay made up, what never ran and what nobody knows the result of cannot be served again. */
function isKept(call: ToolCall): boolean {
  return call.status !== "unknown" && call.refused !== true && call.evidence !== "stand_in";
}

function recordedAnswers({ records, key }: Trace, readers: TapeReaders): RecordedAnswer[] {
  const { requestOf } = pairRequests(records);
  const answers: RecordedAnswer[] = [];
  let turn = -1;
  for (const [index, record] of records.entries()) {
    if (record.kind === "chat_response") turn++;
    const asked = requestOf[index]! < 0 ? undefined : records[requestOf[index]!]!.payload;
    if (!isObject(asked) || !isObject(record.payload)) continue;
    const meta = record.meta ?? undefined;
    const wire = member(meta, "wire");
    const isError = record.kind === "error";
    answers.push(
      present({
        request: readers.request(asked),
        payload: isError ? undefined : record.payload,
        error: isError ? errorOf(record.payload, member(meta, "headers")) : undefined,
        wire: isObject(wire)
          ? present({ api: stringMember(wire, "api"), residue: member(wire, "residue") })
          : undefined,
        complete: member(meta, "complete") !== false,
        brokenBy: member(meta, "complete") === false ? interruptAfter(records[index + 1]) : undefined,
        from: { trace: key, turn: isError ? turn + 1 : turn },
      }),
    );
  }
  return answers;
}

function interruptAfter(next: TraceRecord | undefined): string | undefined {
  return member(next?.payload, "category") === "stream_interrupt" ? stringMember(next?.payload, "name") : undefined;
}

function errorOf(payload: JsonObject, headers: Json | undefined): RecordedFailure {
  const kept = ["retry-after", "retry-after-ms"].flatMap((name): [string, string][] => {
    const value = stringMember(headers, name);
    return value === undefined ? [] : [[name, value]];
  });
  return present({
    status: numberMember(payload, "status_code"),
    code: stringMember(payload, "code"),
    message: stringMember(payload, "message") ?? "the call failed",
    headers: kept.length === 0 ? undefined : Object.fromEntries(kept),
  });
}
