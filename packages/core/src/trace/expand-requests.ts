/**
 * Requests that were written as what they add to an earlier one, made whole again: `chat_request_delta` {of, keep, messages, model,
 * params, tools?, request_id} is the first `keep` messages of the request with the content id `of`, then `messages`; tools that are
 * not named are those of the earlier one. The result is a `chat_request` under `request_id`, and whatever named the delta as its
 * parent names that.
 *
 * Memory is linear: requests of one conversation are views of one list (message-list.ts).
 */
import { SpoorError } from "../errors.ts";
import { isObject, type Json, member, numberMember, stringMember } from "./json.ts";
import { MessageList, messageList, withMessages } from "./message-list.ts";
import { present } from "./present.ts";
import type { TraceRecord } from "./record.ts";

export const DELTA_KIND = "chat_request_delta";

export interface ExpandOptions {
  readonly path?: string | undefined;
  /** Called for a request whose beginning is missing, which is left out then; without it, that is an error. */
  readonly onMissing?: ((record: TraceRecord) => void) | undefined;
}

/** The very same list where every request is whole. */
export function expandRequests(records: readonly TraceRecord[], options: ExpandOptions = {}): readonly TraceRecord[] {
  if (!records.some(({ kind }) => kind === DELTA_KIND)) return records;
  const expander = new RequestExpander();
  const whole: TraceRecord[] = [];
  for (const record of records) {
    const expanded = expander.expand(record);
    if (expanded !== undefined) whole.push(expanded);
    else if (options.onMissing === undefined) throw missingBase(record, options.path);
    else options.onMissing(record);
  }
  return whole;
}

function missingBase({ payload }: TraceRecord, path: string | undefined): SpoorError {
  const base = stringMember(payload, "of");
  const named = base === undefined ? "names no earlier request" : `goes on from request ${base.slice(0, 19)}…`;
  return new SpoorError(
    "trace.missing-base",
    `${path ?? "The trace"} has a request that ${named}, which is not there.`,
    {
      at: path === undefined ? {} : { file: path },
      consequence: "What the model was asked cannot be known; nothing of the trace was used.",
      hint: "Look for the whole file; --lenient leaves such requests out and counts them.",
    },
  );
}

interface Base {
  /** Messages to which those of later requests of the conversation are appended; undefined while they belong to a record. */
  own: Json[] | undefined;
  readonly list: MessageList;
  readonly tools: Json | undefined;
}

/** Expands records in the order in which they were written. */
export class RequestExpander {
  private readonly bases = new Map<string, Base>();
  private readonly latest = new Map<string, Base>();
  private readonly renamed = new Map<string, string>();

  /** Undefined when the request it goes on from is not there. */
  expand(record: TraceRecord): TraceRecord | undefined {
    const linked = this.link(record);
    if (record.kind === "chat_request") return this.remember(linked);
    return record.kind === DELTA_KIND ? this.expandDelta(linked) : linked;
  }

  private link(record: TraceRecord): TraceRecord {
    const parent = record.parent ? this.renamed.get(record.parent) : undefined;
    return parent === undefined ? record : { ...record, parent };
  }

  /** A whole request that goes on from the one before it in its conversation shares its messages. */
  private remember(record: TraceRecord): TraceRecord {
    const { id, payload } = record;
    const list = messageList(payload);
    if (!id || list === undefined) return record;
    const tools = member(payload, "tools");
    const latest = this.latest.get(conversationOf(record));
    if (latest?.own === undefined || !isObject(payload) || !list.startsWith(latest.list)) {
      this.keep(id, record, { own: undefined, list, tools });
      return record;
    }
    const items = extend(latest, latest.list.length, list.slice(latest.list.length));
    const { messages: _messages, ...fields } = payload;
    this.keep(id, record, { own: items, list: new MessageList(items, list.length), tools });
    return { ...record, payload: withMessages(fields, items, list.length) };
  }

  private keep(id: string, record: TraceRecord, base: Base): void {
    this.bases.set(id, base);
    this.latest.set(conversationOf(record), base);
  }

  private expandDelta(record: TraceRecord): TraceRecord | undefined {
    const { payload } = record;
    const base = this.bases.get(stringMember(payload, "of") ?? "");
    const keep = numberMember(payload, "keep");
    const tail = member(payload, "messages");
    const id = stringMember(payload, "request_id");
    if (base === undefined || keep === undefined || keep > base.list.length || !Array.isArray(tail) || id === undefined)
      return undefined;
    const items = extend(base, keep, tail);
    const length = keep + tail.length;
    const tools = member(payload, "tools") ?? base.tools;
    this.keep(id, record, { own: items, list: new MessageList(items, length), tools });
    if (record.id) this.renamed.set(record.id, id);
    const fields = present({ model: member(payload, "model"), params: member(payload, "params"), tools });
    return { ...record, kind: "chat_request", id, payload: withMessages(fields, items, length) };
  }
}

/** Appends where nobody went on from the base yet; whoever comes second, or keeps less, has a list of its own. */
function extend(base: Base, keep: number, tail: readonly Json[]): Json[] {
  const { list } = base;
  const isLast = keep === list.length && (base.own === undefined || base.own.length === keep);
  if (isLast) base.own ??= list.slice();
  const items = isLast ? base.own! : list.slice().slice(0, keep);
  for (const message of tail) items.push(message);
  return items;
}

/** Which conversation of a recording a record belongs to. */
export function conversationOf({ meta }: TraceRecord): string {
  const named = ["session_tag", "agent", "parent_tool_call_id"].map(
    (key) => stringMember(meta ?? undefined, key) ?? "",
  );
  return named.join("\n");
}
