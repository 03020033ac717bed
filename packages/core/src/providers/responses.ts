/**
 * OpenAI Responses API: responses, pairs of request and response (chained by `previous_response_id` or by repeated
 * history), and bare lists of items. The items of one response, calls and messages alike, are one turn.
 */
import { isObject, type Json, member, stringMember } from "../trace/json.ts";
import type { ModelResponse } from "./conversation.ts";
import type { UnknownCounter } from "./count-unknown.ts";
import { parseExchange } from "./exchange.ts";
import { defineProviderApi, type Spoken, type Wire } from "./provider-api.ts";
import { NOT_RECOGNISED, type Recognition } from "./recognition.ts";
import { parseResponseItem } from "./response-items.ts";
import { encodeResponsesRequest, encodeResponsesResponse } from "./responses-encode.ts";
import { parseUsage } from "./usage.ts";

const wire: Wire = {
  name: "responses",
  recognise,
  isResponse: (value) =>
    Array.isArray(member(value, "output")) &&
    (member(value, "object") === "response" || hasItems(member(value, "output"))),
  messages: (request) => {
    const input = Array.isArray(request) ? request : member(request, "input");
    if (typeof input === "string") return [{ role: "user", content: input }];
    return Array.isArray(input) ? input : undefined;
  },
  system: (request) => member(request, "instructions"),
  parse,
  reply,
  notParams: new Set([
    ...["model", "input", "instructions", "tools", "output", "usage", "id", "object", "created_at", "status", "error"],
    ...["incomplete_details", "previous_response_id", "metadata", "text", "completed_at"],
  ]),
  encodeRequest: encodeResponsesRequest,
  encodeResponse: encodeResponsesResponse,
};

export const responses = defineProviderApi(wire);

const ITEM =
  /^(?:function_call|function_call_output|custom_tool_call|reasoning|web_search_call|local_shell_call|mcp_call)$/;

function hasItems(list: Json | undefined): boolean {
  return (
    Array.isArray(list) &&
    list.some((item) => ITEM.test(stringMember(item, "type") ?? "") || member(item, "type") === "message")
  );
}

function recognise(value: Json): Recognition {
  const { request, response } = parseExchange(value, wire);
  if (response !== undefined)
    return { score: member(response, "object") === "response" ? 0.96 : 0.75, has: ["output"] };
  const input = wire.messages(request ?? null);
  if (input === undefined) return NOT_RECOGNISED;
  if (input.some((item) => ITEM.test(stringMember(item, "type") ?? ""))) return { score: 0.9, has: ["input"] };
  const isRequest =
    isObject(request) && Object.hasOwn(request, "input") && stringMember(request, "model") !== undefined;
  return isRequest ? { score: 0.6, has: ["model", "input"] } : NOT_RECOGNISED;
}

function parse(item: Json, unknown: UnknownCounter): readonly Spoken[] {
  const parsed = parseResponseItem(item, unknown);
  switch (parsed.kind) {
    case "model":
      return parsed.result === undefined
        ? [{ kind: "model", parts: parsed.parts }]
        : [{ kind: "model", parts: [...parsed.parts, resultPart(parsed.result)] }];
    case "output":
      return [{ kind: "result", callId: parsed.callId, output: parsed.output, isError: parsed.isError }];
    case "said":
      return [parsed];
    case "none":
      return [];
  }
}

/** A tool that ran at the provider answers inside the response. */
function resultPart(result: { callId: string | undefined; output: Json | undefined; isError: boolean }) {
  return {
    type: "tool_result",
    ...(result.callId === undefined ? {} : { tool_use_id: result.callId }),
    ...(result.output === undefined ? {} : { content: result.output }),
    is_error: result.isError,
  };
}

function reply(response: Json, unknown: UnknownCounter): ModelResponse {
  const output = member(response, "output");
  const items = Array.isArray(output) ? output : [];
  const parts = items
    .flatMap((item) => parse(item, unknown))
    .flatMap((spoken) => (spoken.kind === "model" ? spoken.parts : []));
  return {
    parts,
    model: stringMember(response, "model"),
    usage: parseUsage(member(response, "usage")),
    stopReason: stopOf(
      response,
      parts.some((part) => part["type"] === "tool_use"),
    ),
  };
}

/** The API has no stop reason; what it has says the same: a status, why it is incomplete, and what was asked for. */
function stopOf(response: Json, asksForTool: boolean): string | undefined {
  const status = stringMember(response, "status");
  if (status === "incomplete") {
    const reason = stringMember(member(response, "incomplete_details"), "reason");
    return reason === "max_output_tokens" ? "max_tokens" : reason;
  }
  if (status === "failed") return "error";
  if (status === "completed") return asksForTool ? "tool_use" : "end_turn";
  return status;
}
