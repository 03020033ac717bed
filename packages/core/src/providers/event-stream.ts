/**
 * Server-sent events, decoded to text before they come here: an event ends at a blank line (LF or CRLF), its `data:`
 * lines belong together. Each character is looked at once, so chunks of one byte cost no more than one large chunk.
 */
import { isObject, type Json, type JsonObject, stringifyJson } from "../trace/json.ts";
import { JsonSyntaxError, parseJson } from "../trace/parse-json.ts";
import { UnknownCounter } from "./count-unknown.ts";
import type { StreamCodec } from "./provider-api.ts";

export interface FoldedStream {
  /** What the same call without streaming would have returned, as far as it came; undefined when nothing came. */
  readonly response: JsonObject | undefined;
  /** False when the stream was cut before the model said that it had ended, or when an error ended it. */
  readonly complete: boolean;
  readonly events: number;
  /** Events whose data was no JSON object. */
  readonly bad: number;
  /** Events and deltas of unknown types: type → how many. */
  readonly unknown: Readonly<Record<string, number>>;
}

export interface StreamFold {
  push(text: string): void;
  finish(): FoldedStream;
}

export function foldStream(codec: StreamCodec): StreamFold {
  const counter = new UnknownCounter();
  const fold = codec.fold(counter);
  let line = "";
  let data: string[] = [];
  let events = 0;
  let bad = 0;

  return {
    push(text) {
      let from = 0;
      for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
        endLine(line + text.slice(from, end));
        line = "";
        from = end + 1;
      }
      line += text.slice(from);
    },
    finish() {
      // A server that closes right after its last line has still said all of it.
      if (line !== "") endLine(line);
      line = "";
      endEvent();
      return { response: fold.body(), complete: fold.ended(), events, bad, ...{ unknown: {}, ...counter.result() } };
    },
  };

  function endLine(ended: string): void {
    const written = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
    if (written === "") endEvent();
    else if (written.startsWith("data:")) data.push(written.slice(written[5] === " " ? 6 : 5));
  }

  function endEvent(): void {
    if (data.length === 0) return;
    const text = data.join("\n");
    data = [];
    events++;
    if (text === "[DONE]") return;
    try {
      const value = parseEvent(text);
      if (isObject(value)) fold.event(value);
      else bad++;
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      bad++;
    }
  }
}

/** A character may be cut in two between events; whoever reads the joined text makes it well-formed. */
function parseEvent(text: string): Json {
  try {
    return parseJson(text);
  } catch (error) {
    if (!/\\u[dD][89a-fA-F]/.test(text)) throw error;
    try {
      return JSON.parse(text) as Json;
    } catch {
      throw error;
    }
  }
}

/** Enough for a word: pieces as models send them. */
const PIECE_LENGTH = 8;

/** The text of a stream that says what `body` says. */
export function encodeStream(codec: StreamCodec, body: JsonObject, pieceLength = PIECE_LENGTH): string {
  return codec
    .encode(body, pieceLength)
    .map(({ name, data }) => {
      const text = data === "[DONE]" ? data : stringifyJson(data);
      return `${name === undefined ? "" : `event: ${name}\n`}data: ${text}\n\n`;
    })
    .join("");
}

/** A text in pieces that do not cut a character in two; no text has no pieces. */
export function textPieces(text: string, length: number): string[] {
  const pieces: string[] = [];
  let piece = "";
  for (const character of text) {
    piece += character;
    if (piece.length < length) continue;
    pieces.push(piece);
    piece = "";
  }
  return piece === "" ? pieces : [...pieces, piece];
}

/** The entry of a list that comes in any order, made when it is first named. */
export function entryAt<T>(entries: Map<number, T>, index: number, make: () => T): T {
  const known = entries.get(index);
  if (known !== undefined) return known;
  const made = make();
  entries.set(index, made);
  return made;
}
