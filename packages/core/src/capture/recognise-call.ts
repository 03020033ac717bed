/**
 * Which model API a request calls, by its address and its body. Embeddings, counts of tokens, lists of models and the like are no
 * turns of a model: undefined.
 */
import { bedrock } from "../providers/bedrock.ts";
import { chat } from "../providers/chat.ts";
import { gemini } from "../providers/gemini.ts";
import { messages } from "../providers/messages.ts";
import type { ProviderApi } from "../providers/provider-api.ts";
import { responses } from "../providers/responses.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";

export interface RecognisedCall {
  readonly api: ProviderApi;
  /** The request as the API's own clients would write it: with the model that some addresses name. */
  readonly body: JsonObject;
}

/** Whether a request may be a call of a model at all; a door need not read the body of one that is not. */
export function mayBeModelCall(method: string, url: string): boolean {
  return method.toUpperCase() === "POST" && !NO_TURN.test(pathOf(url));
}

export function recogniseCall(url: string, body: Json | undefined): RecognisedCall | undefined {
  const path = pathOf(url);
  if (!isObject(body) || NO_TURN.test(path)) return undefined;
  const api = apiOfPath(path, body) ?? apiOfBody(body);
  if (api === undefined || api.messages(body) === undefined) return continues(api, body);
  return { api, body: withModel(api, body, path) };
}

const NO_TURN =
  /(?:\/(?:embeddings|moderations|models|files|batches|fine_tuning|audio|images|videos|uploads|vector_stores|rerank|tokenize|count_tokens|input_tokens|threads|assistants|realtime|evals|containers|traces|spans|logs|metrics|ingest|ingestion)(?:\/[^:]*)?|\/messages\/count_tokens|:(?:countTokens|embedContent|batchEmbedContents|computeTokens|predict|batchGenerateContent))$/i;

function pathOf(url: string): string {
  const path = url.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, "").replace(/[?#].*$/s, "");
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

function apiOfPath(path: string, body: JsonObject): ProviderApi | undefined {
  if (/\/chat\/completions$/.test(path)) return chat;
  if (/\/responses$/.test(path)) return responses;
  if (/:(?:stream)?generateContent$/i.test(path)) return gemini;
  if (/\/model\/[^/]+\/converse(?:-stream)?$/.test(path)) return bedrock;
  // Other people's `/messages` (chats, tickets) name no model.
  if (/\/messages$/.test(path) && (stringMember(body, "model") !== undefined || isAnthropic(body))) return messages;
  if (/(?::(?:stream)?rawPredict|\/model\/[^/]+\/invoke(?:-with-response-stream)?)$/i.test(path) && isAnthropic(body))
    return messages;
  return undefined;
}

function isAnthropic(body: JsonObject): boolean {
  return stringMember(body, "anthropic_version") !== undefined;
}

/** A gateway may have addresses of its own; the body still is one of the APIs'. */
function apiOfBody(body: JsonObject): ProviderApi | undefined {
  if (stringMember(body, "model") === undefined) return undefined;
  const list = member(body, "messages");
  if (!Array.isArray(list) || list.length === 0) return undefined;
  if (!list.every((message) => stringMember(message, "role") !== undefined)) return undefined;
  if (isAnthropic(body)) return messages;
  return messages.recognise(body).score > chat.recognise(body).score ? messages : chat;
}

/** The Responses API may go on from what the provider keeps, with nothing new to say. */
function continues(api: ProviderApi | undefined, body: JsonObject): RecognisedCall | undefined {
  if (api !== responses) return undefined;
  const keeps = ["previous_response_id", "conversation", "prompt"].some((key) => member(body, key) !== undefined);
  return keeps ? { api, body: { ...body, input: [] } } : undefined;
}

function withModel(api: ProviderApi, body: JsonObject, path: string): JsonObject {
  const named = /\/models?\/([^/:]+(?::\d+)?)(?:[:/][^/]*)?$/.exec(path)?.[1];
  if (named === undefined) return body;
  const key = api === bedrock ? "modelId" : "model";
  return stringMember(body, key) === undefined ? { ...body, [key]: decodePath(named) } : body;
}

function decodePath(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
