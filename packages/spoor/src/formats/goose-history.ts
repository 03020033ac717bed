/**
 * What became of a message of goose. When the context runs full, no message is deleted: those the model no longer gets are marked so, and a summary that only
 * the model gets is put behind them, with a word of goose's own in the assistant's name.
 */
import type { Json, JsonObject } from "@spoor/core";
import { firstMember, parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { member, stringMember } from "@spoor/core/internal/trace/json";

/** `notice`: never the model's; `summary`: here the history begins anew; `word`: goose's own, not an answer of the model. */
export type Place = "said" | "notice" | "summary" | "word";

export function placesOf(messages: readonly JsonObject[], isCall: (message: JsonObject) => boolean): readonly Place[] {
  const isWord = (message: JsonObject | undefined) =>
    message !== undefined && member(message, "role") === "assistant" && isHidden(message) && !isCall(message);
  const isSummary = (message: JsonObject, index: number) =>
    member(message, "role") === "user" && isHidden(message) && !isCall(message) && isWord(messages[index + 1]);
  const lastSummary = messages.findLastIndex(isSummary);
  return messages.map((message, index) => {
    if (isWord(message)) return "word";
    if (isSummary(message, index)) return "summary";
    // Calls were made, whoever is shown them now; words before a summary were the model's until then.
    const isNotice = visibility(message, "agentVisible") === false && !isCall(message) && index > lastSummary;
    return isNotice ? "notice" : "said";
  });
}

/** A member as exports have it, or as a table keeps it: as text, under a name of its own. */
export function jsonOf(value: Json | undefined, key: string): Json | undefined {
  const text = stringMember(value, `${key}_json`);
  return firstMember(value, [key]) ?? (text === undefined ? undefined : parseJsonText(text));
}

function isHidden(message: JsonObject): boolean {
  return visibility(message, "userVisible") === false;
}

function visibility(message: JsonObject, key: string): Json | undefined {
  return member(jsonOf(message, "metadata"), key);
}
