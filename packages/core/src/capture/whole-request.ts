/** A request whose parts were read once: its payload, and its id without spelling out again what is already spelled out. */
import { RequestHash } from "../canonical/request-hash.ts";
import { type JsonObject, jsonEqual } from "../trace/json.ts";
import { withMessages } from "../trace/message-list.ts";
import { present } from "../trace/present.ts";
import type { ReadMessage, ReadPart } from "./read-history.ts";

export interface RequestParts {
  readonly messages: readonly ReadMessage[];
  readonly model?: ReadPart | undefined;
  readonly params?: ReadPart | undefined;
  readonly tools?: ReadPart | undefined;
}

export interface WholeRequest extends RequestParts {
  readonly payload: JsonObject;
  /** The members beside the messages, as canonical JSON. */
  readonly rest: string;
  readonly redacted: boolean;
}

export function wholeRequest(parts: RequestParts): WholeRequest {
  const { messages, model, params, tools } = parts;
  const fields = present({ model: model?.value, params: params?.value, tools: tools?.value });
  const members = [
    model === undefined ? [] : [`"model":${model.text}`],
    params === undefined ? [] : [`"params":${params.text}`],
    tools === undefined ? [] : [`"tools":${tools.text}`],
  ];
  const rest = `{${members.flat().join(",")}}`;
  const values = messages.map(({ value }) => value);
  const redacted = [...messages, model, params, tools].some((part) => part?.redacted === true);
  return { ...parts, payload: withMessages(fields, values), rest, redacted };
}

/** The content ids of requests, from the state after the messages that the one before had too. */
export class RequestIds {
  private messages: readonly ReadMessage[] = [];
  private hash = new RequestHash();

  idOf({ messages, rest }: Pick<WholeRequest, "messages" | "rest">): string {
    const known = sharedLength(messages, this.messages) === this.messages.length ? this.messages.length : 0;
    const added = messages.slice(known).map(({ text }) => text);
    this.hash = (known === 0 ? new RequestHash() : this.hash).with(added);
    this.messages = messages;
    return this.hash.id(rest);
  }
}

/** How many messages two lists have in common at their beginning. */
export function sharedLength(left: readonly ReadMessage[], right: readonly ReadMessage[]): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++)
    if (left[index] !== right[index] && !isSame(left[index]!, right[index]!)) return index;
  return length;
}

/** Canonical JSON alone is not enough: it spells letters with accents in one way. */
function isSame(left: ReadMessage, right: ReadMessage): boolean {
  return left.text === right.text && jsonEqual(left.value, right.value);
}
