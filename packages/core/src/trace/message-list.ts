/**
 * The messages of a request. A conversation of n turns repeats its history n times; importers keep it once and give each
 * request a view of its beginning, so that neither memory nor comparing two requests grows with the square of the turns.
 */
import { isObject, type Json, type JsonObject, jsonEqual, setMember } from "./json.ts";
import type { TraceRecord } from "./record.ts";

/** The first `length` of a list that may grow, without a copy. Reads, compares and serialises as what it shows. */
export class MessageList implements Iterable<Json> {
  readonly #items: readonly Json[];
  readonly #length: number;

  constructor(items: readonly Json[], length = items.length) {
    this.#items = items;
    this.#length = Math.min(length, items.length);
  }

  get length(): number {
    return this.#length;
  }

  /** The message at a place from 0; undefined outside. */
  at(index: number): Json | undefined {
    return index >= 0 && index < this.#length ? this.#items[index] : undefined;
  }

  /** A copy of the messages from a place on. */
  slice(from = 0): Json[] {
    return this.#items.slice(from, this.#length);
  }

  /** Whether these begin with all of `other`; views of one list know without looking. */
  startsWith(other: MessageList): boolean {
    if (other.#length > this.#length) return false;
    if (other.#items === this.#items) return true;
    for (let index = 0; index < other.#length; index++) {
      if (!jsonEqual(other.#items[index], this.#items[index])) return false;
    }
    return true;
  }

  *[Symbol.iterator](): Iterator<Json> {
    for (let index = 0; index < this.#length; index++) yield this.#items[index]!;
  }

  toJSON(): Json[] {
    return this.slice();
  }
}

/** Where a payload made by `withMessages` keeps its view; not enumerable, so that it is plain data to everyone else. */
const VIEW = Symbol("messages");

/**
 * A request payload whose `messages` are the first `length` of a list that may grow; it serialises like plain data. Where `fields` have
 * messages of their own, the list takes their place.
 */
export function withMessages(fields: JsonObject, items: readonly Json[], length = items.length): JsonObject {
  const payload: Record<string, Json> = {};
  Object.defineProperty(payload, VIEW, { value: new MessageList(items, length) });
  // Key by key and not as a copy: an object whose data become a getter afterwards has no shape for the engine to know.
  for (const key of Object.keys(fields)) {
    if (key === "messages") Object.defineProperty(payload, key, MESSAGES);
    else setMember(payload, key, fields[key]!);
  }
  if (!Object.hasOwn(payload, "messages")) Object.defineProperty(payload, "messages", MESSAGES);
  return payload;
}

/** The same for a payload that nobody else holds: it is not copied. */
export function addMessages(payload: JsonObject, items: readonly Json[], length = items.length): JsonObject {
  Object.defineProperty(payload, VIEW, { value: new MessageList(items, length) });
  return Object.defineProperty(payload, "messages", MESSAGES);
}

/** One for all payloads: with a function of its own each, no two of them would be objects of one shape to the engine. */
const MESSAGES: PropertyDescriptor & ThisType<{ readonly [VIEW]: MessageList }> = {
  enumerable: true,
  configurable: true,
  get() {
    return this[VIEW].slice();
  },
};

/** The messages of a request payload, however they are kept; undefined when it has no list of messages. */
export function messageList(payload: Json | undefined): MessageList | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const view = (payload as { [VIEW]?: MessageList })[VIEW];
  if (view !== undefined) return view;
  const messages = isObject(payload) ? payload["messages"] : undefined;
  return Array.isArray(messages) ? new MessageList(messages) : undefined;
}

/** The messages of a record that is a request. */
export function messagesOfRequest({ kind, payload }: TraceRecord): MessageList | undefined {
  return kind === "chat_request" ? messageList(payload) : undefined;
}
