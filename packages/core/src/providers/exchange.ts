/** A logged call of a model API: a request with its response or its error, or one half alone. */
import { isObject, type Json, member, stringMember } from "../trace/json.ts";
import type { MessageReader } from "./provider-api.ts";

export interface Exchange {
  readonly request?: Json | undefined;
  readonly response?: Json | undefined;
  readonly error?: Json | undefined;
}

/** The two halves of a logged call; a lone request or response is a half. */
export function parseExchange(value: Json, wire: Pick<MessageReader, "isResponse">): Exchange {
  if (wire.isResponse(value)) return { request: lacksRequest(value) ? undefined : value, response: value };
  const batched = batchedOf(value);
  const answer = batched.answer ?? bodyOf(member(value, "response"));
  const request = bodyOf(member(value, "request") ?? member(value, "body")) ?? requestAround(value, answer);
  if (request === undefined && answer === undefined && batched.error === undefined) return { request: value };
  const error = batched.error ?? errorOf(member(value, "error")) ?? errorOf(member(answer, "error"));
  return { request, ...(wire.isResponse(answer) ? { response: answer } : { error: error ?? answer }) };
}

/** A line of the results of a message batch: `{custom_id, result: {type, message}}`. */
function batchedOf(value: Json): { answer?: Json; error?: Json } {
  const result = member(value, "result");
  const ended = stringMember(result, "type");
  if (stringMember(value, "custom_id") === undefined || ended === undefined) return {};
  const answer = member(result, "message");
  return answer === undefined ? { error: failureOf(result) ?? { message: `the request was ${ended}` } } : { answer };
}

/** An error stands in an envelope that is one too. */
function failureOf(result: Json | undefined): Json | undefined {
  const error = member(result, "error");
  return member(error, "error") ?? error;
}

/** Some write the answer into the request it belongs to. */
function requestAround(value: Json, answer: Json | undefined): Json | undefined {
  if (answer === undefined || !isObject(value) || !Array.isArray(member(value, "messages"))) return undefined;
  const { response: _answer, error: _error, ...request } = value;
  return request;
}

/** A stored completion may carry the request it answers. */
function lacksRequest(value: Json): boolean {
  return !Array.isArray(member(value, "messages")) && !Array.isArray(member(value, "input"));
}

/** HTTP logs and batch files keep the JSON under `body`. */
function bodyOf(value: Json | undefined): Json | undefined {
  const body = member(value, "body");
  return body === undefined ? value : body;
}

function errorOf(error: Json | undefined): Json | undefined {
  return error === null ? undefined : error;
}
