/**
 * Spoor's decision log (`spoor hook --log`, `spoor guard --log`, `onDecision` of a guard): one line per call that a door was asked
 * about, and one when it ended. Each session is a trace of the calls that were let through; what was denied never happened and is
 * told as an event. A call about which a person was asked was allowed if it ran, and never happened if nothing more was heard of it.
 */
import type { Json, TraceRecord } from "@spoor/core";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { eventRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { approvalRecord } from "@spoor/core/internal/trace/approval";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import {
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";

export const decisionLog: Format = {
  name: "decision-log",
  title: "Spoor decision log",
  origin: "spoor hook --log decisions.jsonl",
  tells: ["errors", "times", "sub-agents"],
  marks: ["spoor"],
  recognise,
  openLines(context) {
    const sessions = new Map<string, TraceRecord[]>();
    const asked = new AskedCalls();
    const unknown = new UnknownCounter();
    return {
      line(value, line) {
        const session = textOf(value, "session", line, context);
        let records = sessions.get(session);
        if (records === undefined) {
          records = [metadataRecord(session, { session_id: session }, parseClock(member(value, "time")))];
          sessions.set(session, records);
        }
        const kind = stringMember(value, "spoor");
        if (kind === "decision") {
          // What is decided anew, when a person has answered or the door has failed, was not decided before.
          const wasAsked = asked.forget(session, value);
          if (wasAsked || member(value, "decision") === "deny") dropCall(records, stringMember(value, "call"));
          const record = decisionRecord(value, line, context);
          records.push(record, ...approvalsOf(value, record));
          if (member(value, "decision") === "ask") asked.wait(session, value, record);
        } else if (kind === "outcome") {
          records.push(...asked.ran(session, value), outcomeRecord(value, line, context));
        } else unknown.add(kind ?? "line of another kind");
      },
      mayEndTorn: () => sessions.size > 0,
      finish: () => [...sessions].map(([id, records]) => trace(id, asked.settle(records), sessions.size, unknown)),
    };
  },
};

/** Calls about which a person was asked, until it is known whether they ran. */
class AskedCalls {
  private readonly waiting = new Map<string, AskedCall>();

  wait(session: string, value: Json, record: TraceRecord): void {
    const broken = member(value, "violations");
    const asking = (Array.isArray(broken) ? broken : []).filter((one) => member(one, "effect") === "ask");
    const rules = asking.flatMap((one) => stringMember(one, "rule") ?? []);
    this.waiting.set(keyOf(session, value), { record, rules });
  }

  /** Whether the call had been asked about. */
  forget(session: string, value: Json): boolean {
    return stringMember(value, "call") !== undefined && this.waiting.delete(keyOf(session, value));
  }

  /** It ran, so the person said yes to the rules that asked. */
  ran(session: string, value: Json): readonly TraceRecord[] {
    const key = keyOf(session, value);
    const call = this.waiting.get(key);
    if (call === undefined || member(value, "denied") === true) return [];
    this.waiting.delete(key);
    return approval(call.record, call.rules);
  }

  /** What never ran is told as an event. */
  settle(records: readonly TraceRecord[]): TraceRecord[] {
    const unanswered = new Set([...this.waiting.values()].map(({ record }) => record));
    return records.map((record) => {
      if (!unanswered.has(record)) return record;
      const attributes = present({ tool: stringMember(record.payload, "tool_name") });
      const event = eventRecord({ category: "guardrail", name: "asked", severity: "info", attributes });
      return record.ts === undefined ? event : { ...event, ts: record.ts };
    });
  }
}

interface AskedCall {
  readonly record: TraceRecord;
  readonly rules: readonly string[];
}

function keyOf(session: string, value: Json): string {
  return JSON.stringify([session, stringMember(value, "call") ?? null]);
}

/** A door that asked by itself writes down who said yes. */
function approvalsOf(value: Json, record: TraceRecord): readonly TraceRecord[] {
  const rules = member(value, "approved");
  return Array.isArray(rules)
    ? approval(
        record,
        rules.filter((rule) => typeof rule === "string"),
      )
    : [];
}

function approval({ payload, ts }: TraceRecord, rules: readonly string[]): readonly TraceRecord[] {
  const [id, name] = [stringMember(payload, "tool_call_id"), stringMember(payload, "tool_name")];
  const input = member(payload, "arguments");
  if (id === undefined || name === undefined || input === undefined || rules.length === 0) return [];
  return [{ ...approvalRecord({ id, name, input, rules }), ...(ts === undefined ? {} : { ts }) }];
}

function dropCall(records: TraceRecord[], call: string | undefined): void {
  if (call === undefined) return;
  const at = records.findLastIndex(({ payload }) => stringMember(payload, "tool_call_id") === call);
  if (at >= 0 && records[at]!.kind === "tool_call") records.splice(at, 1);
}

function recognise(sample: Sample): Recognition {
  const line = sample.lines?.find(isObject);
  const kind = stringMember(line, "spoor");
  return kind === "decision" || kind === "outcome" ? { score: 0.99, has: ["spoor", "session"] } : NOT_RECOGNISED;
}

function trace(id: string, records: TraceRecord[], amount: number, unknown: UnknownCounter): ImportedTrace {
  return { records, ...unknown.result(), ...(amount === 1 ? {} : { entry: `session ${id}` }) };
}

function decisionRecord(value: Json, line: number, context: ReadContext): TraceRecord {
  const clock = parseClock(member(value, "time"));
  const tool = textOf(value, "tool", line, context);
  const decision = textOf(value, "decision", line, context);
  if (decision === "deny") {
    const attributes = present({ tool, rule: stringMember(value, "rule"), reason: stringMember(value, "reason") });
    return eventRecord({ category: "guardrail", name: "denied", severity: "info", attributes }, clock);
  }
  const agent = stringMember(value, "agent");
  return {
    kind: "tool_call",
    ...(clock === undefined ? {} : { ts: clock.iso }),
    ...(agent === undefined || agent === "main" ? {} : { meta: { agent } }),
    payload: present({
      tool_name: tool,
      tool_call_id: stringMember(value, "call"),
      arguments: member(value, "arguments"),
    }),
  };
}

/** Only whether it went well is logged, not what came out of it. */
function outcomeRecord(value: Json, line: number, context: ReadContext): TraceRecord {
  const clock = parseClock(member(value, "time"));
  const failed = textOf(value, "status", line, context) === "error";
  return {
    kind: "tool_result",
    ...(clock === undefined ? {} : { ts: clock.iso }),
    payload: present({ tool_call_id: stringMember(value, "call"), is_error: failed }),
  };
}

function textOf(value: Json, key: string, line: number, context: ReadContext): string {
  const text = stringMember(value, key);
  return text ?? context.fail(`is not a line of a decision log: "${key}" is missing`, { line });
}
