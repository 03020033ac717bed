/** What client and server of MCP have in common: the form of a refusal, and how a result says that it is a failure. */
import { memberOf } from "../tool-use.ts";

export function mcpRefusal(text: string): unknown {
  return { content: [{ type: "text", text }], isError: true };
}

export function mcpFailure(output: unknown): string | undefined {
  if (memberOf(output, "isError") !== true) return undefined;
  const content = memberOf(output, "content");
  const texts = Array.isArray(content) ? content.map((part) => memberOf(part, "text")) : [];
  return texts.filter((text) => typeof text === "string").join("\n") || "The tool reported an error.";
}
