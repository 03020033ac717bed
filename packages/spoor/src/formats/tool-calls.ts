/** Bare lists of tool calls, in the shape of any SDK. */
import { toolCallsReader } from "@spoor/core/internal/providers/value-readers";
import { valueFormat } from "./provider-readers.ts";

export const toolCalls = valueFormat(
  toolCallsReader,
  "a list of calls: {name, arguments}, {toolName, input}, {tool, input}",
);
