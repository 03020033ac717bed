/** What a tool gave back. LangChain wraps it in a ToolMessage, which also knows the call's id and whether it failed. */
import type { Json } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";

export interface ToolOutput {
  readonly output?: Json;
  readonly callId?: string;
  readonly failed?: true;
}

export function parseToolOutput(value: Json | undefined): ToolOutput {
  if (value === undefined) return {};
  const message = toolMessageOf(value);
  if (message === undefined) {
    // An MCP result says so itself when the tool failed; the protocol call still succeeded.
    return isObject(value) && member(value, "isError") === true ? { output: value, failed: true } : { output: value };
  }
  const callId = stringMember(message, "tool_call_id");
  const output = member(message, "content");
  return {
    ...(output === undefined ? {} : { output }),
    ...(callId === undefined ? {} : { callId }),
    ...(member(message, "status") === "error" ? { failed: true } : {}),
  };
}

function toolMessageOf(value: Json): Json | undefined {
  const wrapped = member(value, "output");
  if (isObject(wrapped) && toolMessageOf(wrapped) !== undefined) return toolMessageOf(wrapped);
  const kwargs = member(value, "kwargs");
  const message = isObject(kwargs) ? kwargs : value;
  return stringMember(message, "tool_call_id") !== undefined && member(message, "content") !== undefined
    ? message
    : undefined;
}
