/** A request whose parts were read once: its payload, and its id without spelling out again what is already spelled out. */
import { createSha256, type Sha256 } from "../canonical/digest.ts";
import type { JsonObject } from "../trace/json.ts";
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
  const rest = [
    model === undefined ? "" : `,"model":${model.text}`,
    params === undefined ? "" : `,"params":${params.text}`,
    tools === undefined ? "" : `,"tools":${tools.text}`,
  ].join("");
  const values = messages.map(({ value }) => value);
  const redacted = [...messages, model, params, tools].some((part) => part?.redacted === true);
  return { ...parts, payload: withMessages(fields, values), rest, redacted };
}

/** The content id of requests, from the state after the messages that the one before it had too. */
export class RequestIds {
  private messages: readonly ReadMessage[] = [];
  private state: Sha256 = opening();

  idOf({ messages, rest }: Pick<WholeRequest, "messages" | "rest">): string {
    const known = startsWith(messages, this.messages) ? this.messages.length : 0;
    const state = known === 0 ? opening() : this.state.copy();
    for (let index = known; index < messages.length; index++)
      state.update(index === 0 ? messages[index]!.text : `,${messages[index]!.text}`);
    this.messages = messages;
    this.state = state;
    const whole = state.copy();
    whole.update(`]${rest}}`);
    return `sha256:${whole.hex()}`;
  }
}

function opening(): Sha256 {
  const state = createSha256();
  state.update('{"messages":[');
  return state;
}

export function startsWith(messages: readonly ReadMessage[], beginning: readonly ReadMessage[]): boolean {
  return sharedLength(messages, beginning) === beginning.length;
}

/** How many messages two lists have in common at their beginning. */
export function sharedLength(left: readonly ReadMessage[], right: readonly ReadMessage[]): number {
  const length = Math.min(left.length, right.length);
  for (let index = 0; index < length; index++)
    if (left[index] !== right[index] && left[index]!.text !== right[index]!.text) return index;
  return length;
}
