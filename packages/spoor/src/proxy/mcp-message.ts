/** Messages of the Model Context Protocol: JSON-RPC, one object each. What is not understood is passed on as it is. */
import { isObject, type Json, type JsonObject, member } from "@spoor/core/internal/trace/json";

/** A request's id, with its type: 1 and "1" are two. */
export function idKey(message: Json): string | undefined {
  const id = member(message, "id");
  return typeof id === "string" || typeof id === "number" ? JSON.stringify(id) : undefined;
}

/** The method of a request or notification; undefined for a response. */
export function methodOf(message: Json): string | undefined {
  const method = member(message, "method");
  return typeof method === "string" ? method : undefined;
}

export function isResponse(message: Json): boolean {
  return isObject(message) && message["method"] === undefined && idKey(message) !== undefined;
}

/** A refusal as the protocol wants it: the result of the tool, which the model can read. */
export function refusedResult(request: Json, reason: string): JsonObject {
  return {
    jsonrpc: "2.0",
    id: member(request, "id") ?? null,
    result: { isError: true, content: [{ type: "text", text: reason }] },
  };
}

/** An answer to a request that is not fit to be judged. */
export function invalidRequest(request: Json, message: string): JsonObject {
  return { jsonrpc: "2.0", id: member(request, "id") ?? null, error: { code: -32602, message } };
}
