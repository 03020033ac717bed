import { contentText } from "./content.ts";
import { isObject, type Json, member } from "./json.ts";
import type { MessageList } from "./message-list.ts";
import type { Exchange, Trace } from "./trace.ts";

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

/** Everything the user said in a run, in order, each thing once however often requests repeat it; sub-agents are not talked to by users. */
export function userTexts({ turns }: Pick<Trace, "turns">): string[] {
  const main = turns.filter((turn) => turn.agent === undefined && turn.parentCallId === undefined);
  const texts: string[] = [];
  let seen: MessageList | undefined;
  for (const { messages } of main.length > 0 ? main : turns) {
    if (messages === undefined) continue;
    const isSequel = seen !== undefined && messages.startsWith(seen);
    const fresh = isSequel
      ? messages.slice(seen!.length)
      : seen === undefined
        ? messages.slice()
        : sinceAnswer(messages);
    const said = fresh.filter(isObject).filter((message) => member(message, "role") === "user");
    const spoken = said.map((message) => contentText(message)).filter((text) => text.trim() !== "");
    // A request that does not carry the history on may say again what was said last.
    const again = !isSequel && spoken.length > 0 && spoken.every((text, at) => text === texts.at(at - spoken.length));
    if (!again) for (const text of spoken) texts.push(text);
    seen = messages;
  }
  return texts;
}

/** What stands after the model's last answer. */
export function sinceAnswer(messages: MessageList): Json[] {
  const all = messages.slice();
  return all.slice(all.findLastIndex((message) => member(message, "role") === "assistant") + 1);
}
