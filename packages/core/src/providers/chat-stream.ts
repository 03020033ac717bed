/**
 * Streams of OpenAI's chat completions. Calls are merged by `index`, with the id on their first delta only; usage comes in
 * a last chunk without choices, and only where the caller asked for it.
 */
import { isObject, type Json, type JsonObject, member, numberMember, setMember, stringMember } from "../trace/json.ts";
import { entryAt, textPieces } from "./event-stream.ts";
import type { StreamCodec, StreamEvent } from "./provider-api.ts";

type Fields = Record<string, Json>;

export const chatStream: StreamCodec = {
  fold() {
    let head: Fields | undefined;
    const choices = new Map<number, Choice>();
    return {
      event(chunk) {
        head ??= {};
        for (const [key, value] of Object.entries(chunk)) {
          if (key !== "choices" && (value !== null || !Object.hasOwn(head, key))) setMember(head, key, value);
        }
        const list = member(chunk, "choices");
        for (const entry of Array.isArray(list) ? list.filter(isObject) : []) {
          const index = numberMember(entry, "index") ?? 0;
          entryAt(choices, index, () => new Choice(index)).add(entry);
        }
      },
      body: () => (head === undefined ? undefined : bodyOf(head, choices)),
      ended: () => choices.size > 0 && [...choices.values()].every((choice) => choice.ended),
    };
  },

  encode(body, pieceLength) {
    const { choices, usage, ...rest } = body as Fields;
    const head: Fields = { ...rest, object: "chat.completion.chunk" };
    const list = Array.isArray(choices) ? choices.filter(isObject) : [];
    const events = list.flatMap((choice: JsonObject) => encodeChoice(head, choice, pieceLength));
    if (isObject(usage)) events.push({ data: { ...head, choices: [], usage } });
    return [...events, { data: "[DONE]" }];
  },
};

function bodyOf(head: Fields, choices: ReadonlyMap<number, Choice>): JsonObject {
  const { usage, ...rest } = head;
  const sorted = [...choices.values()].sort((left, right) => left.index - right.index);
  return {
    ...rest,
    ...(head["object"] === "chat.completion.chunk" ? { object: "chat.completion" } : {}),
    choices: sorted.map((choice) => choice.body()),
    // With `include_usage` every chunk but the last says null.
    ...(usage === undefined || usage === null ? {} : { usage }),
  };
}

class Choice {
  readonly index: number;
  ended = false;
  private readonly message: Fields = { role: "assistant", content: null };
  private readonly calls = new Map<number, Fields>();
  private readonly rest: Fields = { finish_reason: null };

  constructor(index: number) {
    this.index = index;
  }

  add(entry: JsonObject): void {
    for (const [key, value] of Object.entries(entry)) {
      if (key === "index" || key === "delta") continue;
      if (key === "logprobs") setMember(this.rest, key, joinLists(this.rest[key], value));
      else if (value !== null || !Object.hasOwn(this.rest, key)) setMember(this.rest, key, value);
    }
    if (typeof member(entry, "finish_reason") === "string") this.ended = true;
    const delta = member(entry, "delta");
    if (!isObject(delta)) return;
    for (const [key, value] of Object.entries(delta)) {
      if (key === "tool_calls") this.addCalls(value);
      else if (key === "role") setMember(this.message, key, value);
      else addText(this.message, key, value);
    }
  }

  body(): JsonObject {
    const calls = [...this.calls].sort(([left], [right]) => left - right).map(([, call]) => call);
    const message: Fields = { ...this.message, ...(calls.length === 0 ? {} : { tool_calls: calls }) };
    // Many servers open every message with an empty text; a message that only calls has none.
    if (calls.length > 0 && message["content"] === "") message["content"] = null;
    return { index: this.index, message, ...this.rest };
  }

  private addCalls(deltas: Json): void {
    for (const delta of Array.isArray(deltas) ? deltas.filter(isObject) : []) {
      const index = numberMember(delta, "index") ?? this.calls.size;
      const call = entryAt(this.calls, index, (): Fields => ({ type: "function" }));
      for (const [key, value] of Object.entries(delta)) {
        if (key === "index") continue;
        if (key === "function" || key === "custom") setMember(call, key, mergeFunction(call[key], value));
        else if (value !== null && value !== "") setMember(call, key, value);
      }
    }
  }
}

/** Arguments come in pieces; a name comes once, yet some servers repeat it with every piece. */
function mergeFunction(known: Json | undefined, delta: Json): Json {
  const merged: Fields = isObject(known) ? { ...known } : { name: "" };
  if (!isObject(delta)) return merged;
  for (const [key, value] of Object.entries(delta)) {
    if (key === "name" && merged[key] === value) continue;
    addText(merged, key, value);
  }
  return merged;
}

function addText(target: Fields, key: string, value: Json): void {
  const known = Object.hasOwn(target, key) ? target[key] : undefined;
  if (typeof value === "string") setMember(target, key, typeof known === "string" ? known + value : value);
  // The list came with an earlier event and is shared with nobody.
  else if (Array.isArray(value) && Array.isArray(known)) (known as Json[]).push(...(value as readonly Json[]));
  else if (value !== null || known === undefined) setMember(target, key, value);
}

/** Log probabilities come token by token, in lists under the names `content` and `refusal`. */
function joinLists(known: Json | undefined, value: Json): Json {
  if (!isObject(known) || !isObject(value)) return value ?? known ?? null;
  const joined: Fields = { ...known };
  for (const [key, list] of Object.entries(value)) addText(joined, key, list);
  return joined;
}

function encodeChoice(head: Fields, choice: JsonObject, pieceLength: number): StreamEvent[] {
  const { index = 0, message, finish_reason = null, ...rest } = choice as Fields;
  const event = (delta: JsonObject, more: JsonObject = {}): StreamEvent => ({
    data: { ...head, choices: [{ index, delta, finish_reason: null, ...more }] },
  });
  const opening: Fields = {};
  const deltas: JsonObject[] = [];
  for (const [key, value] of isObject(message) ? Object.entries(message) : []) {
    if (key === "tool_calls" && Array.isArray(value)) deltas.push(...callDeltas(value, pieceLength));
    else if (typeof value !== "string" || key === "role") setMember(opening, key, value);
    else {
      setMember(opening, key, "");
      for (const piece of textPieces(value, pieceLength)) deltas.push(Object.fromEntries([[key, piece]]));
    }
  }
  return [event(opening, rest), ...deltas.map((delta) => event(delta)), event({}, { finish_reason })];
}

function callDeltas(calls: readonly Json[], pieceLength: number): JsonObject[] {
  return calls.filter(isObject).flatMap((call, index) => {
    const kind = isObject(member(call, "custom")) ? "custom" : "function";
    const textKey = kind === "custom" ? "input" : "arguments";
    const inner = member(call, kind);
    const text = stringMember(inner, textKey) ?? "";
    const first = { index, ...call, [kind]: { ...(isObject(inner) ? inner : {}), [textKey]: "" } };
    const pieces = textPieces(text, pieceLength).map((piece) => ({ index, [kind]: { [textKey]: piece } }));
    return [{ tool_calls: [first] }, ...pieces.map((piece) => ({ tool_calls: [piece] }))];
  });
}
