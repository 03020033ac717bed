/**
 * The messages of a request. A conversation of n turns repeats its history n times; importers keep it once and give each
 * request a view of its beginning, so that neither memory nor comparing two requests grows with the square of the turns.
 */
import { type Json, type JsonObject, member } from "./json.ts";

/** The first `length` of `items`. */
export interface MessageList {
  readonly items: readonly Json[];
  readonly length: number;
}

/** Where a payload made by `withMessages` keeps its view; not enumerable, so that it is plain data to everyone else. */
const VIEW = Symbol("messages");

/** A request payload whose `messages` are the first `length` of a list that may grow; it serialises like plain data. */
export function withMessages(fields: JsonObject, items: readonly Json[], length = items.length): JsonObject {
  const payload = {
    ...fields,
    get messages() {
      return items.slice(0, length);
    },
  };
  Object.defineProperty(payload, VIEW, { value: { items, length } });
  return payload;
}

/** The messages of a request payload, however they are kept; undefined when it has no list of messages. */
export function messageList(payload: Json | undefined): MessageList | undefined {
  if (typeof payload !== "object" || payload === null) return undefined;
  const view = (payload as { [VIEW]?: MessageList })[VIEW];
  if (view !== undefined) return view;
  const messages = member(payload, "messages");
  return Array.isArray(messages) ? { items: messages, length: messages.length } : undefined;
}
