import { responseText } from "./content.ts";
import { isObject, type JsonObject, member } from "./json.ts";

/** What the user said last before a turn: the last user message of its request that holds text, tool results aside. */
export function lastUserText(request: JsonObject): string {
  const messages = member(request, "messages");
  if (!Array.isArray(messages)) return "";
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    if (member(message, "role") === "assistant") return "";
    if (member(message, "role") !== "user" || !isObject(message)) continue;
    const text = responseText(message, "\n");
    if (text.trim() !== "") return text;
  }
  return "";
}
