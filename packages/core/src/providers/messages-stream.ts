/**
 * Streams of Anthropic's Messages API. A block's arguments are JSON text in pieces, read when the block stops; the usage
 * at the end replaces what the beginning said; an `error` event may follow a status of 200.
 */
import { parseJsonText } from "../trace/call-shape.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  member,
  numberMember,
  setMember,
  stringifyJson,
  stringMember,
} from "../trace/json.ts";
import type { UnknownCounter } from "./count-unknown.ts";
import { textPieces } from "./event-stream.ts";
import type { EventFold, StreamCodec, StreamEvent } from "./provider-api.ts";

type Fields = Record<string, Json>;

export const messagesStream: StreamCodec = {
  fold: (unknown) => new MessageFold(unknown),

  encode(body, pieceLength) {
    const { content, stop_reason, stop_sequence, ...head } = body as Fields;
    const end: Fields = {};
    if (stop_reason !== undefined) end["stop_reason"] = stop_reason;
    if (stop_sequence !== undefined) end["stop_sequence"] = stop_sequence;
    const opening = Object.fromEntries(Object.keys(end).map((key) => [key, null]));
    const usage = member(body, "usage");
    const blocks = Array.isArray(content) ? content.filter(isObject) : [];
    return [
      named("message_start", { message: { ...head, content: [], ...opening } }),
      ...blocks.flatMap((block, index) => encodeBlock(block, index, pieceLength)),
      named("message_delta", { delta: end, ...(usage === undefined ? {} : { usage }) }),
      named("message_stop", {}),
    ];
  },
};

class MessageFold implements EventFold {
  private readonly unknown: UnknownCounter;
  private head: Fields | undefined;
  private readonly blocks = new Map<number, Fields>();
  /** Arguments that are still coming. */
  private readonly json = new Map<number, string>();
  private stopped = false;
  private error: Json | undefined;

  constructor(unknown: UnknownCounter) {
    this.unknown = unknown;
  }

  event(event: JsonObject): void {
    const type = stringMember(event, "type") ?? "";
    const index = numberMember(event, "index") ?? 0;
    switch (type) {
      case "message_start": {
        const message = member(event, "message");
        if (isObject(message)) this.head = { ...message };
        return;
      }
      case "content_block_start": {
        const block = member(event, "content_block");
        if (isObject(block)) this.blocks.set(index, { ...block });
        return;
      }
      case "content_block_delta":
        this.addDelta(index, member(event, "delta"));
        return;
      case "content_block_stop":
        this.endArguments(index);
        return;
      case "message_delta":
        this.addEnd(event);
        return;
      case "message_stop":
        this.stopped = true;
        return;
      case "error":
        this.error = member(event, "error") ?? event;
        return;
      case "ping":
        return;
      default:
        this.unknown.add(`event: ${type}`);
    }
  }

  body(): JsonObject | undefined {
    if (this.head === undefined) return this.error === undefined ? undefined : { type: "error", error: this.error };
    for (const index of [...this.json.keys()]) this.endArguments(index);
    const content = [...this.blocks].sort(([left], [right]) => left - right).map(([, block]) => block);
    return { ...this.head, content, ...(this.error === undefined ? {} : { error: this.error }) };
  }

  ended(): boolean {
    return this.stopped && this.error === undefined;
  }

  private addDelta(index: number, delta: Json | undefined): void {
    const block = this.blocks.get(index);
    if (block === undefined || !isObject(delta)) return;
    const type = stringMember(delta, "type");
    const add = (key: string) => {
      const known = block[key];
      block[key] = (typeof known === "string" ? known : "") + (stringMember(delta, key) ?? "");
    };
    if (type === "text_delta") add("text");
    else if (type === "thinking_delta") add("thinking");
    else if (type === "signature_delta") block["signature"] = member(delta, "signature") ?? "";
    else if (type === "input_json_delta")
      this.json.set(index, (this.json.get(index) ?? "") + (stringMember(delta, "partial_json") ?? ""));
    else if (type === "citations_delta") {
      if (!Array.isArray(block["citations"])) block["citations"] = [];
      (block["citations"] as Json[]).push(member(delta, "citation") ?? null);
    } else this.unknown.add(`delta: ${type ?? "without a type"}`);
  }

  /** Arguments cut short are no JSON: they stay the text that came. */
  private endArguments(index: number): void {
    const text = this.json.get(index);
    const block = this.blocks.get(index);
    this.json.delete(index);
    if (block !== undefined && text) block["input"] = parseJsonText(text) ?? text;
  }

  private addEnd(event: JsonObject): void {
    this.head ??= {};
    const { head } = this;
    const delta = member(event, "delta");
    for (const [key, value] of isObject(delta) ? Object.entries(delta) : []) setMember(head, key, value);
    const usage = member(event, "usage");
    const known = head["usage"];
    if (isObject(usage)) head["usage"] = { ...(isObject(known) ? known : {}), ...usage };
    const context = member(event, "context_management");
    if (context !== undefined) head["context_management"] = context;
  }
}

/** Texts that stream in pieces of their own type; every other member stands in the start of its block. */
const PIECES: readonly { key: string; delta: string }[] = [
  { key: "text", delta: "text_delta" },
  { key: "thinking", delta: "thinking_delta" },
];

function encodeBlock(block: JsonObject, index: number, pieceLength: number): StreamEvent[] {
  const start: Fields = { ...block };
  const deltas: JsonObject[] = [];
  for (const { key, delta } of PIECES) {
    const text = stringMember(block, key);
    if (text === undefined) continue;
    start[key] = "";
    for (const piece of textPieces(text, pieceLength)) deltas.push({ type: delta, [key]: piece });
  }
  const citations = member(block, "citations");
  if (Array.isArray(citations)) {
    start["citations"] = [];
    for (const citation of citations) deltas.push({ type: "citations_delta", citation });
  }
  const signature = stringMember(block, "signature");
  if (signature !== undefined) {
    start["signature"] = "";
    deltas.push({ type: "signature_delta", signature });
  }
  if (/tool_use$/.test(stringMember(block, "type") ?? "")) {
    start["input"] = {};
    for (const piece of textPieces(stringifyJson(member(block, "input") ?? {}), pieceLength)) {
      deltas.push({ type: "input_json_delta", partial_json: piece });
    }
  }
  return [
    named("content_block_start", { index, content_block: start }),
    ...deltas.map((delta) => named("content_block_delta", { index, delta })),
    named("content_block_stop", { index }),
  ];
}

function named(name: string, data: JsonObject): StreamEvent {
  return { name, data: { type: name, ...data } };
}
