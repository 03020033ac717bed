/**
 * Lines of an agent log → values, where a request repeats the conversation so far. Most of such a file is said again and again: of a
 * line whose messages begin with the very characters of the request before it only the rest is parsed, and both share one list
 * (message-list.ts). A log of long conversations is read in less time than JSON.parse of its lines takes, and its memory grows with
 * what was said, not with how often.
 *
 * Nothing is believed: the characters must be equal, what follows must go on with the list or end it, and the list must turn out to
 * be the messages of the payload. Otherwise, and for every fault, the whole line is parsed as any other.
 */
import type { Json } from "@spoor/core";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { withMessages } from "@spoor/core/internal/trace/message-list";
import { parseJson, parseRecordedJson, type RecordedJson } from "@spoor/core/internal/trace/parse-json";

const REQUEST = /"kind": ?"chat_request"/;
const MESSAGES = '"messages":';
/** Stands for what is left out while the rest is parsed. */
const KEPT = "(the messages of the request before)";
/** A shorter line is parsed faster than it is compared. */
const SHORTEST = 2_000;
/** Characters that must agree before anything longer is looked at. */
const GLANCE = 64;
/** Requests in a row that only begin alike: conversations are interleaved, and looking for more costs time. */
const PATIENCE = 8;

/** A request as it was written. */
interface Written {
  readonly text: string;
  /** Where its first message begins. */
  readonly from: number;
  /** Up to here it is known to be whole messages. */
  readonly upTo: number;
  /** The list that requests share, once there are two. */
  readonly items: Json[] | undefined;
}

export class RequestLines {
  private latest: Written | undefined;
  private disappointments = 0;

  parse(text: string): RecordedJson {
    const from = text.length < SHORTEST || this.disappointments > PATIENCE ? -1 : firstMessage(text);
    if (from < 0) return parseRecordedJson(text);
    const { latest } = this;
    const value =
      latest !== undefined && text.startsWith(latest.text.slice(latest.from, latest.from + GLANCE), from)
        ? this.goOn(latest, text, from)
        : undefined;
    if (value !== undefined) return { value, notNumbers: 0 };
    const read = parseRecordedJson(text);
    this.latest = { text, from, upTo: from, items: undefined };
    return read;
  }

  private goOn(latest: Written, text: string, from: number): Json | undefined {
    this.disappointments++;
    const end = endOfList(latest.text, latest.upTo);
    const said = latest.text.slice(latest.from, end);
    const upTo = from + said.length;
    const next = text[upTo];
    if (said === "" || (next !== "," && next !== "]") || !text.startsWith(said, from)) return undefined;
    const value = parseRest(text.slice(0, from), text.slice(upTo));
    const payload = isObject(value) ? member(value, "payload") : undefined;
    const messages = member(payload, "messages");
    if (!isObject(payload) || !Array.isArray(messages) || messages[0] !== KEPT) return undefined;
    // Read anew and not taken from the earlier value, of which nobody has checked yet where these messages stand.
    const items = latest.items ?? (parseJson(`[${said}]`) as Json[]);
    for (let index = 1; index < messages.length; index++) items.push(messages[index]);
    this.disappointments = 0;
    this.latest = { text, from, upTo, items };
    (value as Record<string, Json>)["payload"] = withMessages(payload, items);
    return value;
  }
}

/** Where the first message of a request begins, or -1. A key is never inside of a text: there its quotes would be escaped. */
function firstMessage(text: string): number {
  const key = text.indexOf(MESSAGES);
  if (key < 0) return -1;
  const open = key + MESSAGES.length + (text[key + MESSAGES.length] === " " ? 1 : 0);
  return text[open] === "[" && REQUEST.test(text.slice(0, key)) ? open + 1 : -1;
}

/** The line without the messages that are known; undefined where it is no JSON, or says itself what stands for them. */
function parseRest(before: string, after: string): Json | undefined {
  if (before.includes(KEPT) || after.includes(KEPT)) return undefined;
  try {
    return parseJson(`${before}"${KEPT}"${after}`);
  } catch {
    return undefined;
  }
}

/** The place of the bracket that ends a list, from a place between two of its values. The text is known to be JSON. */
function endOfList(text: string, from: number): number {
  let depth = 0;
  for (let at = from; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22:
        at = endOfString(text, at);
        break;
      case 0x5b:
      case 0x7b:
        depth++;
        break;
      case 0x5d:
      case 0x7d:
        if (depth === 0) return at;
        depth--;
        break;
    }
  }
  return text.length;
}

/** From an opening quote to the one that closes it; `indexOf` passes over long texts far faster than a loop. */
function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
