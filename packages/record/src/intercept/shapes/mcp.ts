/** What client and server of MCP have in common: the forms of a refusal and of a result, and how a result says that it is a failure. */
import { type Json, member, stringifyJson } from "@spoor/core/internal/trace/json";
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

/** A recording that only knows what the model was told has the text of a result, not its form. */
export function mcpResult(output: Json): unknown {
  if (Array.isArray(member(output, "content")) || member(output, "structuredContent") !== undefined) return output;
  const text = typeof output === "string" ? output : stringifyJson(output);
  return { content: [{ type: "text", text }] };
}
