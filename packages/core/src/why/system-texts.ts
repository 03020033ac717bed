/** Where the system prompt stands in a request of OpenAI chat, OpenAI Responses, Anthropic messages and Gemini. */
import { splitLines } from "../diff/text-difference.ts";
import { isObject, type Json } from "../trace/json.ts";

/** A request that may be changed. */
export type OpenBody = { [key: string]: Json };

/** One text of several that are the system prompt together. */
export interface SystemText {
  readonly lines: readonly string[];
  /** Without lines the text is taken out: an empty one is refused by some APIs. */
  write(lines: readonly string[]): void;
}

export function systemTexts(body: OpenBody): SystemText[] {
  return [
    ...memberTexts(body, "system"),
    ...memberTexts(body, "instructions"),
    ...partTexts(body, "systemInstruction"),
    ...partTexts(body, "system_instruction"),
    ...messageTexts(body, "messages"),
    ...messageTexts(body, "input"),
  ];
}

/** A prompt for a request that has none. */
export function addSystemText(body: OpenBody, url: string, lines: readonly string[]): void {
  const text = lines.join("\n");
  if (/:(?:stream)?generatecontent\b/i.test(url) || "contents" in body)
    body["systemInstruction"] = { parts: [{ text }] };
  else if (/\/responses\b/.test(url) || "input" in body) body["instructions"] = text;
  else if (/\/messages\b/.test(url)) body["system"] = text;
  else if (Array.isArray(body["messages"])) body["messages"] = [{ role: "system", content: text }, ...body["messages"]];
}

function memberTexts(holder: OpenBody, key: string): SystemText[] {
  const value = holder[key];
  if (typeof value === "string") {
    return [
      {
        lines: splitLines(value),
        write(lines) {
          if (lines.length === 0) delete holder[key];
          else holder[key] = lines.join("\n");
        },
      },
    ];
  }
  return Array.isArray(value) ? listTexts(holder, key, value) : [];
}

/** Parts with a text each; a part that loses its text is taken out of the list. */
function listTexts(holder: OpenBody, key: string, list: readonly Json[]): SystemText[] {
  return list.flatMap((part): SystemText[] => {
    if (typeof part === "string") return [];
    if (!isObject(part) || typeof part["text"] !== "string") return [];
    const open = part as OpenBody;
    return [
      {
        lines: splitLines(part["text"]),
        write(lines) {
          open["text"] = lines.join("\n");
          if (lines.length === 0) holder[key] = (holder[key] as readonly Json[]).filter((one) => one !== part);
        },
      },
    ];
  });
}

function partTexts(body: OpenBody, key: string): SystemText[] {
  const value = body[key];
  if (typeof value === "string") return memberTexts(body, key);
  return isObject(value) ? memberTexts(value as OpenBody, "parts") : [];
}

/** The leading messages of the agent's maker. */
function messageTexts(body: OpenBody, key: string): SystemText[] {
  const list = body[key];
  if (!Array.isArray(list)) return [];
  const texts: SystemText[] = [];
  for (const message of list as readonly Json[]) {
    if (!isObject(message) || (message["role"] !== "system" && message["role"] !== "developer")) break;
    const open = message as OpenBody;
    for (const text of memberTexts(open, "content")) {
      texts.push({
        lines: text.lines,
        write(lines) {
          text.write(lines);
          const content = open["content"];
          const isEmpty = content === undefined || (Array.isArray(content) && content.length === 0);
          if (isEmpty) body[key] = (body[key] as readonly Json[]).filter((one) => one !== message);
        },
      });
    }
  }
  return texts;
}
