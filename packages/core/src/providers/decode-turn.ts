/**
 * One exchange with a model, as a running agent has it: the request and the response of any API, or `.agentlog` payloads,
 * as payloads. A response that is neither is an error: taken for a response without calls, it would pass every rule.
 */
import { SpoorError } from "../errors.ts";
import { type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { aiSdk } from "./ai-sdk.ts";
import { parseParts } from "./chat-parts.ts";
import { responsePayload } from "./conversation.ts";
import { UnknownCounter } from "./count-unknown.ts";
import type { ProviderApi, SpokenMemory } from "./provider-api.ts";
import { apiOfResponse } from "./provider-apis.ts";
import { requireUnderstoodResponse } from "./require-understood.ts";
import { parseUsage } from "./usage.ts";

export interface DecodedTurn {
  readonly request: JsonObject;
  /** What the model answered; several where the caller may choose. Never empty. */
  readonly responses: readonly JsonObject[];
}

/** `memory` is the conversation's own: what its earlier requests said is not read again. */
export function decodeTurn(request: JsonObject, response: JsonObject, memory?: SpokenMemory): DecodedTurn {
  const api = apiOfResponse(response);
  return {
    request: api === undefined ? request : requestOf(request, api, memory),
    responses: decodeResponses(request, response),
  };
}

/** `request` is the one it answers, as the API has it. */
export function decodeResponses(request: JsonObject, response: JsonObject): readonly JsonObject[] {
  const api = apiOfResponse(response);
  return (api?.choices?.(response) ?? [response]).map((choice) => {
    const unknown = new UnknownCounter();
    const payload = api?.decodeResponse(choice, unknown, request) ?? payloadOf(choice as JsonObject, unknown);
    requireUnderstoodResponse(payload, unknown);
    return payload;
  });
}

/** A payload in the shape a response has; under the same id, and with nothing else of it. */
export function encodeLike(response: JsonObject, payload: JsonObject): JsonObject {
  const api = apiOfResponse(response);
  return api === undefined ? payload : { ...identityOf(response), ...api.encodeResponse(payload) };
}

/** A request that is none of the API's is taken for a payload. What it lacks no rule can see, so nothing is lost. */
function requestOf(request: JsonObject, api: ProviderApi, memory: SpokenMemory | undefined): JsonObject {
  return api.messages(request) === undefined ? request : api.decodeRequest(request, new UnknownCounter(), memory);
}

/** A payload, a message of a chat, or a step of the AI SDK. */
function payloadOf(response: JsonObject, unknown: UnknownCounter): JsonObject {
  if (aiSdk.messages(response)?.length === 1 && aiSdk.recognise(response).score > 0)
    return responsePayload(aiSdk.reply(response, unknown));
  const content = member(response, "content");
  const says = typeof content === "string" || Array.isArray(content) || Array.isArray(member(response, "tool_calls"));
  if (!says) throw unknownResponse(response);
  const payload = withUsage(response);
  if (!Array.isArray(content) || content.every(isPart)) return payload;
  return { ...payload, content: parseParts(content, unknown) };
}

/** A message may carry its API's own names of the counts; a budget that does not know them would never be used up. */
function withUsage(response: JsonObject): JsonObject {
  const written = member(response, "usage");
  if (member(written, "input_tokens") !== undefined || member(written, "output_tokens") !== undefined) return response;
  const usage = parseUsage(written);
  return usage === undefined ? response : { ...response, usage };
}

const PART = /^(?:text|tool_use|thinking|tool_result|image)$/;

function isPart(part: Json): boolean {
  return PART.test(stringMember(part, "type") ?? "");
}

function unknownResponse(response: JsonObject): SpoorError {
  const keys = Object.keys(response).slice(0, 8).join(", ") || "no members of its own (is it a promise? await it)";
  return new SpoorError("trace.unknown-format", `The response is of no known shape: it has ${keys}.`, {
    hint: "Hand over the response of an API (OpenAI, Anthropic, Gemini, Bedrock), of the AI SDK, or {content, tool_calls}.",
  });
}

const IDENTITY = ["id", "created", "created_at", "responseId"];

function identityOf(response: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(response).filter(([key]) => IDENTITY.includes(key)));
}
