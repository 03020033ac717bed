/**
 * Whether two messages say the same. Agents send their history anew with every request, and not word for word: a clock in the
 * system prompt, a mark for the cache that moves, a text that becomes a block, a beginning that was cut off to save tokens.
 */
import { responseParts } from "./content.ts";
import { isObject, type Json, type JsonObject, jsonEqual, member, stringMember } from "./json.ts";
import type { MessageList } from "./message-list.ts";

/** The messages that someone said; what the agent's maker prepends is not part of a conversation. */
export function spokenOf(messages: MessageList): Json[] {
  return messages.slice().filter((message) => {
    const role = member(message, "role");
    return role !== "system" && role !== "developer";
  });
}

export function sameMessage(left: Json | undefined, right: Json | undefined): boolean {
  if (jsonEqual(left, right)) return true;
  return isObject(left) && isObject(right) && jsonEqual(plain(left), plain(right));
}

/** Without marks, with a text alone written as the block it stands for. */
function plain(message: JsonObject): Json {
  const content = member(message, "content");
  const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return withoutMarks({ ...message, ...(parts === undefined ? {} : { content: parts }) });
}

const MARKS: ReadonlySet<string> = new Set(["cache_control", "cachePoint", "providerOptions", "providerMetadata"]);

function withoutMarks(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutMarks);
  if (!isObject(value)) return value;
  const kept: Record<string, Json> = {};
  for (const key of Object.keys(value)) if (!MARKS.has(key)) kept[key] = withoutMarks(value[key]!);
  return kept;
}

/** What a response says, as far as the next request must repeat it: its text and the ids of its calls. */
interface Answer {
  readonly text: string;
  readonly callIds: readonly string[];
}

/**
 * Whether a request repeats a response. It would stand among the last messages, so only the latest answers are looked at. A response
 * that says too little is not known again: two conversations may both hear "OK".
 */
export function quotesResponse(messages: MessageList | undefined, response: Json): boolean {
  const quoted = latestAnswers(messages);
  if (quoted.length === 0) return false;
  const answer = readAnswer(response);
  if (answer === undefined || (answer.callIds.length === 0 && answer.text.length < SHORTEST)) return false;
  return quoted.some((message) => {
    const said = readAnswer(message);
    return said?.text === answer.text && jsonEqual(said.callIds, answer.callIds);
  });
}

const SHORTEST = 24;
const LATEST = 2;

function latestAnswers(messages: MessageList | undefined): readonly Json[] {
  const answers: Json[] = [];
  for (let index = (messages?.length ?? 0) - 1; index >= 0 && answers.length < LATEST; index--) {
    const message = messages!.at(index);
    if (isObject(message) && message["role"] === "assistant") answers.push(message);
  }
  return answers;
}

function readAnswer(message: Json): Answer | undefined {
  if (!isObject(message)) return undefined;
  const parts = responseParts(message);
  const texts = parts.flatMap((part) => (member(part, "type") === "text" ? [stringMember(part, "text") ?? ""] : []));
  const callIds = parts.flatMap((part) =>
    member(part, "type") === "tool_use" ? [stringMember(part, "id") ?? ""] : [],
  );
  return { text: texts.join("\n").trim(), callIds };
}
