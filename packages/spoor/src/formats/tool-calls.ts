/** Bare lists of tool calls, in the shape of any SDK, alone or under the key `tool_calls`; one such record per line. */
import { toolCallsReader } from "@spoor/core/internal/providers/value-readers";
import { collectLines, type Format } from "./format.ts";
import { valueFormat } from "./provider-readers.ts";

export const toolCalls: Format = {
  ...valueFormat(
    toolCallsReader,
    'a list of calls: {name, arguments}, {toolName, input}, {tool, input}; or {"tool_calls": […]}',
    ["results", "errors", "times"],
    ["tool_calls", "toolCalls"],
  ),
  openLines: (context) =>
    collectLines((values) =>
      values.flatMap((value, index) => {
        const line = index + 1;
        if (toolCallsReader.recognise(value).score === 0) return context.fail("holds no tool calls", { line });
        const traces = toolCallsReader.read(value);
        return values.length === 1 ? traces : traces.map((trace) => ({ entry: `line ${line}`, ...trace }));
      }),
    ),
};
