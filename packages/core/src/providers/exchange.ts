/** A logged call of a model API: a request with its response or its error, or one half alone. */
import { type Json, member } from "../trace/json.ts";
import type { MessageReader } from "./provider-api.ts";

export interface Exchange {
  readonly request?: Json | undefined;
  readonly response?: Json | undefined;
  readonly error?: Json | undefined;
}

/** The two halves of a logged call; a lone request or response is a half. */
export function parseExchange(value: Json, wire: Pick<MessageReader, "isResponse">): Exchange {
  if (wire.isResponse(value)) return { request: lacksRequest(value) ? undefined : value, response: value };
  const request = bodyOf(member(value, "request") ?? member(value, "body"));
  const answer = bodyOf(member(value, "response"));
  if (request === undefined && answer === undefined) return { request: value };
  const error = errorOf(member(value, "error")) ?? errorOf(member(answer, "error"));
  return { request, ...(wire.isResponse(answer) ? { response: answer } : { error: error ?? answer }) };
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
