/** Content as the text a person reads: text as it is, texts of parts joined, everything else as JSON. */
import type { Json } from "@spoor/core";
import { member, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";

export function contentText(content: Json | undefined): string {
  if (content === undefined || content === null) return "";
  if (typeof content === "string") return content;
  if (!Array.isArray(content) || content.length === 0) return stringifyJson(content);
  const texts = content.map(partText);
  return texts.every((text) => text !== undefined) ? texts.join("\n") : stringifyJson(content);
}

function partText(part: Json): string | undefined {
  if (typeof part === "string") return part;
  return member(part, "type") === "text" ? (stringMember(part, "text") ?? stringMember(part, "value")) : undefined;
}
