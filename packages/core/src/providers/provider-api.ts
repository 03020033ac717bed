/**
 * One model API, both ways: its requests and responses → `.agentlog` payloads, and back. Its streams → the body that the
 * same call without streaming would have returned, and back: stream-codecs.ts, apart because a guard never needs them.
 *
 * Two promises, tested for every API: folding an encoded stream gives the body again, however the text is cut; decoding
 * an encoded response gives the payload again, for everything that API's responses can carry. What they cannot carry
 * (two texts in one chat message, a signature in a payload) is left out, never moved elsewhere.
 *
 * A new API is one file and one line in provider-apis.ts; its stream another file and a line in stream-codecs.ts.
 */

import { isObject, type Json, type JsonObject, member, setMember, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { type ModelResponse, responsePayload, toolMessage } from "./conversation.ts";
import type { UnknownCounter } from "./count-unknown.ts";
import type { MessageMemory } from "./message-memory.ts";
import type { Recognition } from "./recognition.ts";

/** How lists of messages of one shape are read; frameworks have such shapes too, without an API behind them. */
export interface MessageReader {
  readonly name: string;
  /** How well a logged value (a call, one half of it, a list of messages) fits. */
  recognise(value: Json): Recognition;
  /** Whether a value is a response of this API. */
  isResponse(value: Json | undefined): boolean;
  /** The messages or items of a request, or of a bare list of them. */
  messages(request: Json): readonly Json[] | undefined;
  /** What stands beside the messages: a system prompt. */
  system(request: Json): Json | undefined;
  /** One message or item of a request. */
  parse(message: Json, unknown: UnknownCounter): readonly Spoken[];
  /** `request` is the one it answers, where that is known: an API without call ids numbers its calls on from there. */
  reply(response: Json, unknown: UnknownCounter, request?: Json): ModelResponse;
  /** The answers among which a caller may choose, each as a response of its own; absent where there is only ever one. */
  choices?(response: Json): readonly Json[];
  /** The tools a request offers, where they do not stand under `tools`. */
  tools?(request: Json): readonly Json[] | undefined;
  /** The model a request names, where it does not stand under `model`. */
  model?(request: Json): string | undefined;
  /** Members of a request that are not parameters of the model. */
  readonly notParams: Pick<ReadonlySet<string>, "has">;
}

/** What the APIs differ in. */
export interface Wire extends MessageReader {
  /** A `chat_request` payload as a body of this API. */
  encodeRequest(payload: JsonObject): JsonObject;
  /** A `chat_response` payload as a body of this API. */
  encodeResponse(payload: JsonObject): JsonObject;
}

/** Something in a conversation: a message to the model, a part of its own response, or a tool's result. */
export type Spoken =
  | { readonly kind: "said"; readonly role: string; readonly content: Json | undefined }
  | { readonly kind: "model"; readonly parts: readonly JsonObject[]; readonly fields?: Omit<ModelResponse, "parts"> }
  | {
      readonly kind: "result";
      readonly callId?: string | undefined;
      readonly output?: Json | undefined;
      readonly isError: boolean;
      /** It never ran: somebody said no. */
      readonly refused?: boolean | undefined;
    };

export interface StreamCodec {
  /** Folds the events of one stream. */
  fold(unknown: UnknownCounter): EventFold;
  /** The events that say the same as a body, texts in pieces of at most `pieceLength`. */
  encode(body: JsonObject, pieceLength: number): readonly StreamEvent[];
}

export interface EventFold {
  event(value: JsonObject): void;
  /** The body so far; undefined before anything came. */
  body(): JsonObject | undefined;
  /** Whether the model said that it had ended. */
  ended(): boolean;
}

export interface StreamEvent {
  /** The name some APIs put on an `event:` line. */
  readonly name?: string;
  readonly data: JsonObject | "[DONE]";
}

export interface ProviderApi extends Wire {
  /** `memory` remembers what messages of earlier requests said. */
  decodeRequest(body: Json, unknown: UnknownCounter, memory?: SpokenMemory): JsonObject;
  /** `request` as in `Wire.reply`. */
  decodeResponse(body: Json, unknown: UnknownCounter, request?: Json): JsonObject;
}

/** A response for each element of one of its lists; the response itself where that holds at most one. */
export function splitChoices(response: Json, key: string): readonly Json[] {
  const list = member(response, key);
  if (!isObject(response) || !Array.isArray(list) || list.length < 2) return [response];
  return list.map((choice) => ({ ...response, [key]: [choice] }));
}

export type SpokenMemory = MessageMemory<readonly Spoken[]>;

export function defineProviderApi(wire: Wire): ProviderApi {
  return {
    ...wire,
    decodeRequest(body, unknown, memory) {
      const { requestModel, tools, params } = requestFields(body, wire);
      return present({ model: requestModel, tools, params, messages: requestMessages(body, wire, unknown, memory) });
    },
    decodeResponse: (body, unknown, request) => responsePayload(wire.reply(body, unknown, request)),
  };
}

/** The messages of a request in `.agentlog` shape, a system prompt first. */
function requestMessages(
  request: Json,
  wire: MessageReader,
  unknown: UnknownCounter,
  memory: SpokenMemory | undefined,
): JsonObject[] {
  const system = systemOf(request, wire);
  const opening = system === undefined ? [] : [{ role: "system", content: system }];
  return [...opening, ...parseSpoken(wire.messages(request) ?? [], wire, unknown, memory).map(messageOf)];
}

/** What a list of messages says. A chat message is a whole response; items of one response, which follow each other, are joined. */
export function parseSpoken(
  list: readonly Json[],
  wire: MessageReader,
  unknown: UnknownCounter,
  memory?: SpokenMemory,
): Spoken[] {
  const joined: Spoken[] = [];
  let items: JsonObject[] | undefined;
  const parse = (message: Json, place: number) =>
    memory === undefined
      ? wire.parse(message, unknown)
      : memory.recall(message, place, wire, () => wire.parse(message, unknown));
  for (let place = 0; place < list.length; place++) {
    for (const spoken of parse(list[place]!, place)) {
      if (spoken.kind !== "model" || spoken.fields !== undefined) items = undefined;
      else if (items === undefined) items = [...spoken.parts];
      else {
        items.push(...spoken.parts);
        continue;
      }
      joined.push(items === undefined ? spoken : { kind: "model", parts: items });
    }
  }
  return joined;
}

export function systemOf(request: Json, wire: MessageReader): Json | undefined {
  const system = wire.system(request);
  return system === undefined || system === null || system === "" ? undefined : system;
}

/** What was said as a message of the history. */
export function messageOf(spoken: Spoken): JsonObject {
  switch (spoken.kind) {
    case "said":
      return present({ role: spoken.role, content: spoken.content });
    case "model":
      return { role: "assistant", content: spoken.parts };
    case "result":
      return toolMessage(spoken);
  }
}

/** The model, tools and parameters that a request names. */
export function requestFields(
  request: Json,
  wire: MessageReader,
): Pick<ModelResponse, "requestModel" | "tools" | "params"> {
  if (typeof request !== "object" || request === null || Array.isArray(request)) return {};
  const listed = wire.tools?.(request) ?? member(request, "tools") ?? member(request, "functions");
  let params: Record<string, Json> | undefined;
  for (const [key, value] of Object.entries(request as JsonObject)) {
    if (wire.notParams.has(key) || value === null) continue;
    params ??= {};
    setMember(params, key, value);
  }
  return {
    requestModel: wire.model?.(request) ?? stringMember(request, "model"),
    tools: Array.isArray(listed) ? listed : undefined,
    params,
  };
}
