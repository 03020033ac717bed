/**
 * Streams of Gemini: every event is a response of its own with the next parts. Texts of one kind that follow each other
 * are one part; a signature ends it.
 */
import { isObject, type Json, type JsonObject, member, numberMember, setMember, stringMember } from "../trace/json.ts";
import { entryAt, textPieces } from "./event-stream.ts";
import type { StreamCodec, StreamEvent } from "./provider-api.ts";

type Fields = Record<string, Json>;

export const geminiStream: StreamCodec = {
  fold() {
    let head: Fields | undefined;
    const candidates = new Map<number, Candidate>();
    let error: Json | undefined;
    return {
      event(chunk) {
        head ??= {};
        for (const [key, value] of Object.entries(chunk)) if (key !== "candidates") setMember(head, key, value);
        error ??= member(chunk, "error");
        const list = member(chunk, "candidates");
        for (const entry of Array.isArray(list) ? list.filter(isObject) : []) {
          const index = numberMember(entry, "index") ?? 0;
          entryAt(candidates, index, () => new Candidate()).add(entry);
        }
      },
      body() {
        if (head === undefined) return undefined;
        const sorted = [...candidates].sort(([left], [right]) => left - right);
        return { ...head, ...(sorted.length === 0 ? {} : { candidates: sorted.map(([, one]) => one.body()) }) };
      },
      ended: () =>
        error === undefined && candidates.size > 0 && [...candidates.values()].every((candidate) => candidate.ended),
    };
  },

  encode(body, pieceLength) {
    const { candidates, ...head } = body as Fields;
    const list = Array.isArray(candidates) ? candidates.filter(isObject) : [];
    if (list.length === 0) return [{ data: body }];
    return list.flatMap((candidate) => encodeCandidate(head, candidate, pieceLength));
  },
};

class Candidate {
  ended = false;
  private readonly rest: Fields = {};
  private readonly content: Fields = {};
  private parts: Fields[] | undefined;

  add(entry: JsonObject): void {
    for (const [key, value] of Object.entries(entry)) if (key !== "content") setMember(this.rest, key, value);
    this.ended ||= typeof member(entry, "finishReason") === "string";
    const content = member(entry, "content");
    if (!isObject(content)) return;
    for (const [key, value] of Object.entries(content)) if (key !== "parts") setMember(this.content, key, value);
    const parts = member(content, "parts");
    if (!Array.isArray(parts)) return;
    this.parts ??= [];
    for (const part of parts.filter(isObject)) addPart(this.parts, part);
  }

  body(): JsonObject {
    const content = { ...this.content, ...(this.parts === undefined ? {} : { parts: this.parts }) };
    return { ...(Object.keys(content).length === 0 ? {} : { content }), ...this.rest };
  }
}

function addPart(parts: Fields[], part: JsonObject): void {
  const last = parts.at(-1);
  if (last === undefined || !continues(last, part)) {
    parts.push({ ...part });
    return;
  }
  last["text"] = `${stringMember(last, "text")}${stringMember(part, "text")}`;
  const signature = member(part, "thoughtSignature");
  if (signature !== undefined) last["thoughtSignature"] = signature;
}

function continues(last: JsonObject, part: JsonObject): boolean {
  const plain = Object.keys(part).every((key) => ["text", "thought", "thoughtSignature"].includes(key));
  const open = Object.keys(last).every((key) => key === "text" || key === "thought");
  const texts = typeof member(last, "text") === "string" && typeof member(part, "text") === "string";
  return plain && open && texts && (member(last, "thought") === true) === (member(part, "thought") === true);
}

function encodeCandidate(head: JsonObject, candidate: JsonObject, pieceLength: number): StreamEvent[] {
  const { content, ...rest } = candidate as Fields;
  const { parts, ...around } = isObject(content) ? (content as Fields) : ({} as Fields);
  const pieces = (Array.isArray(parts) ? parts.filter(isObject) : []).flatMap((part) => cutPart(part, pieceLength));
  const index = rest["index"] === undefined ? {} : { index: rest["index"] };
  const events = pieces.map((part): StreamEvent => {
    return { data: { ...head, candidates: [{ ...index, content: { ...around, parts: [part] } }] } };
  });
  const last =
    content === undefined ? rest : { content: { ...around, ...(parts === undefined ? {} : { parts: [] }) }, ...rest };
  return [...events, { data: { ...head, candidates: [last] } }];
}

function cutPart(part: JsonObject, pieceLength: number): JsonObject[] {
  const { text, thoughtSignature, ...rest } = part as Fields;
  if (typeof text !== "string" || Object.keys(rest).some((key) => key !== "thought")) return [part];
  const pieces: JsonObject[] = textPieces(text, pieceLength).map((piece) => ({ ...rest, text: piece }));
  if (pieces.length === 0) pieces.push({ ...rest, text: "" });
  if (thoughtSignature !== undefined) pieces.push({ ...rest, text: "", thoughtSignature });
  return pieces;
}
