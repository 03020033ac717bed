/**
 * Streams of OpenAI's Responses API. Items come by `output_index`; the final event holds the whole response and is the
 * truth, unless its `output` is empty: then the items seen on the way are the answer.
 */
import { isObject, type Json, type JsonObject, member, numberMember, stringMember } from "../trace/json.ts";
import type { UnknownCounter } from "./count-unknown.ts";
import { textPieces } from "./event-stream.ts";
import type { EventFold, StreamCodec } from "./provider-api.ts";

type Fields = Record<string, Json>;

interface NamedEvent {
  readonly name: string;
  readonly data: JsonObject;
}

/** Deltas that add to a text member of the item itself. */
const ITEM_TEXTS: Readonly<Record<string, string>> = {
  "response.function_call_arguments.delta": "arguments",
  "response.mcp_call_arguments.delta": "arguments",
  "response.custom_tool_call_input.delta": "input",
  "response.code_interpreter_call_code.delta": "code",
};

/** Deltas that add to a part of the item: the list it stands in, its place there, its type and the member with the text. */
const PART_TEXTS: Readonly<Record<string, { list: string; index: string; type: string; key: string }>> = {
  "response.output_text.delta": { list: "content", index: "content_index", type: "output_text", key: "text" },
  "response.refusal.delta": { list: "content", index: "content_index", type: "refusal", key: "refusal" },
  "response.reasoning_text.delta": { list: "content", index: "content_index", type: "reasoning_text", key: "text" },
  "response.reasoning_summary_text.delta": {
    list: "summary",
    index: "summary_index",
    type: "summary_text",
    key: "text",
  },
};

const FINAL: ReadonlySet<string> = new Set(["response.completed", "response.incomplete", "response.failed"]);

/** What repeats or announces something that another event says in full. */
const REPEATS =
  /^response\.(?:.*\.(?:done|in_progress|searching|interpreting|generating|completed|failed|added)|queued)$/;

export const responsesStream: StreamCodec = {
  fold: (unknown) => new ResponseFold(unknown),

  encode(body, pieceLength) {
    const { output, usage: _atTheEnd, ...head } = body as Fields;
    const items = Array.isArray(output) ? output.filter(isObject) : [];
    const events = [
      named("response.created", { response: { ...head, status: "in_progress", output: [] } }),
      ...items.flatMap((item, index) => encodeItem(item, index, pieceLength)),
      named(finalName(stringMember(body, "status")), { response: body }),
    ];
    return events.map(({ name, data }, sequence) => ({ name, data: { ...data, sequence_number: sequence } }));
  },
};

class ResponseFold implements EventFold {
  private readonly unknown: UnknownCounter;
  private response: JsonObject | undefined;
  private readonly items = new Map<number, Fields>();
  private final = false;
  private error: Json | undefined;

  constructor(unknown: UnknownCounter) {
    this.unknown = unknown;
  }

  event(event: JsonObject): void {
    const type = stringMember(event, "type") ?? "";
    const index = numberMember(event, "output_index") ?? 0;
    const response = member(event, "response");
    const item = member(event, "item");
    const part = PART_TEXTS[type];
    const key = ITEM_TEXTS[type];
    if (isObject(response)) {
      this.response = response;
      this.final ||= FINAL.has(type);
    } else if (type === "response.output_item.added" || type === "response.output_item.done") {
      if (isObject(item)) this.items.set(index, { ...item });
    } else if (key !== undefined) addTo(this.items.get(index), key, member(event, "delta"));
    else if (part !== undefined) {
      const at = numberMember(event, part.index) ?? 0;
      addTo(partAt(this.items.get(index), part.list, at, part.type), part.key, member(event, "delta"));
    } else if (type === "error") this.error = errorOf(event);
    else if (!REPEATS.test(type)) this.unknown.add(`event: ${type}`);
  }

  body(): JsonObject | undefined {
    if (this.response === undefined && this.items.size === 0) {
      return this.error === undefined ? undefined : { object: "response", status: "failed", error: this.error };
    }
    const told = member(this.response, "output");
    const seen = [...this.items].sort(([left], [right]) => left - right).map(([, item]) => item);
    return {
      ...this.response,
      output: Array.isArray(told) && told.length > 0 ? told : seen,
      ...(this.error === undefined ? {} : { error: this.error }),
    };
  }

  ended(): boolean {
    return this.final && this.error === undefined;
  }
}

function errorOf(event: JsonObject): Json {
  const inner = member(event, "error");
  if (isObject(inner)) return inner;
  const { type: _type, sequence_number: _number, ...rest } = event as Fields;
  return rest;
}

function addTo(target: Fields | undefined, key: string, delta: Json | undefined): void {
  if (target === undefined || typeof delta !== "string") return;
  const known = target[key];
  target[key] = (typeof known === "string" ? known : "") + delta;
}

/** The part at a place of an item's list; a delta may come before its part was announced. */
function partAt(item: Fields | undefined, list: string, at: number, type: string): Fields | undefined {
  if (item === undefined || at > 10_000) return undefined;
  if (!Array.isArray(item[list])) item[list] = [];
  const parts = item[list] as Fields[];
  while (parts.length <= at) parts.push({ type });
  return parts[at];
}

function finalName(status: string | undefined): string {
  return status === "incomplete" || status === "failed" ? `response.${status}` : "response.completed";
}

function encodeItem(item: JsonObject, index: number, pieceLength: number): NamedEvent[] {
  const at = { output_index: index, item_id: stringMember(item, "id") ?? "" };
  const start: Fields = { ...item };
  const deltas: NamedEvent[] = [];
  const type = stringMember(item, "type") ?? "";
  const itemEvent = Object.entries(ITEM_TEXTS).find(([name]) => name.startsWith(`response.${type}_`));
  const text = itemEvent === undefined ? undefined : stringMember(item, itemEvent[1]);
  if (itemEvent !== undefined && text !== undefined) {
    start[itemEvent[1]] = "";
    for (const delta of textPieces(text, pieceLength)) deltas.push(named(itemEvent[0], { ...at, delta }));
  }
  for (const list of ["summary", "content"]) {
    const parts = member(item, list);
    if (!Array.isArray(parts)) continue;
    start[list] = [];
    deltas.push(...parts.flatMap((part, place) => encodePart(part, list, place, at, pieceLength)));
  }
  return [
    named("response.output_item.added", { output_index: index, item: start }),
    ...deltas,
    named("response.output_item.done", { output_index: index, item }),
  ];
}

function encodePart(part: Json, list: string, place: number, at: JsonObject, pieceLength: number): NamedEvent[] {
  const type = stringMember(part, "type");
  const found = Object.entries(PART_TEXTS).find(([, known]) => known.list === list && known.type === type);
  if (found === undefined) return [];
  const [name, { index, key }] = found;
  return textPieces(stringMember(part, key) ?? "", pieceLength).map((delta) =>
    named(name, { ...at, [index]: place, delta }),
  );
}

function named(name: string, data: JsonObject): NamedEvent {
  return { name, data: { type: name, ...data } };
}
