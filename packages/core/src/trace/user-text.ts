import { contentText } from "./content.ts";
import { isObject, member } from "./json.ts";
import type { Exchange } from "./trace.ts";

/** What the user said last before a turn: the last user message of its request that holds text, tool results aside. */
export function lastUserText({ messages }: Pick<Exchange, "messages">): string {
  if (messages === undefined) return "";
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages.at(index);
    if (member(message, "role") === "assistant") return "";
    if (member(message, "role") !== "user" || !isObject(message)) continue;
    const text = contentText(message);
    if (text.trim() !== "") return text;
  }
  return "";
}

/** What the user said first: it tells the task, where nothing else names it. */
export function firstUserText(first: Pick<Exchange, "messages"> | undefined): string {
  for (const message of first?.messages ?? []) {
    if (member(message, "role") !== "user" || !isObject(message)) continue;
    const text = contentText(message);
    if (text.trim() !== "") return text;
  }
  return "";
}
