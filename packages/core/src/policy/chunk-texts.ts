/**
 * The texts of retrieved chunks, in the shapes that retrievers return: texts, lists of them, objects that hold one under a usual
 * name, and the wrappers around those (LangChain and LlamaIndex documents, matches and hits of vector stores, search results with
 * content blocks). What has none of these is counted, so that nobody takes it for "nothing was retrieved".
 */
import { isObject, type Json, type JsonObject } from "../trace/json.ts";

export interface ChunkTexts {
  readonly texts: readonly string[];
  /** Chunks in which no text was found. */
  readonly unreadable: number;
}

export function chunkTexts(values: readonly Json[]): ChunkTexts {
  const texts: string[] = [];
  let unreadable = 0;
  for (const value of values) {
    // The value at the path is one chunk or a list of them; an empty list is a search without hits.
    for (const chunk of Array.isArray(value) ? value : [value]) {
      const before = texts.length;
      collect(chunk, texts, 0);
      if (texts.length === before && !isEmpty(chunk)) unreadable++;
    }
  }
  return { texts, unreadable };
}

/** What holds the text itself, by usage; compared without case, `_` and `-`. */
const TEXT_KEYS = new Set([
  "text",
  "content",
  "contents",
  "pagecontent",
  "body",
  "snippet",
  "snippets",
  "chunk",
  "chunktext",
  "chunkcontent",
  "passage",
  "passages",
  "paragraph",
  "excerpt",
  "highlight",
  "highlights",
  "document",
  "markdown",
  "rawcontent",
  "textcontent",
  "quote",
]);

/** What wraps such objects. */
const WRAPPER_KEYS = new Set([
  "documents",
  "docs",
  "doc",
  "node",
  "nodes",
  "chunks",
  "results",
  "result",
  "matches",
  "hits",
  "items",
  "entries",
  "data",
  "payload",
  "metadata",
  "source",
  "sources",
  "fields",
  "kwargs",
  "context",
  "contexts",
  "output",
]);

/** No retriever nests deeper; it also ends what refers to itself. */
const MAX_DEPTH = 8;

function collect(value: Json, into: string[], depth: number): void {
  if (typeof value === "string") into.push(value);
  else if (depth > MAX_DEPTH) return;
  else if (Array.isArray(value)) for (const item of value) collect(item, into, depth + 1);
  else if (isObject(value)) collectObject(value, into, depth);
}

/** Texts under their own names; only where there are none, what the wrappers hold: metadata is not the chunk. */
function collectObject(chunk: JsonObject, into: string[], depth: number): void {
  const before = into.length;
  for (const key of Object.keys(chunk)) if (TEXT_KEYS.has(plain(key))) collect(chunk[key]!, into, depth + 1);
  if (into.length > before) return;
  for (const key of Object.keys(chunk)) {
    // A text directly under a wrapper is its name (`source: "faq.md"`), not what was retrieved.
    if (WRAPPER_KEYS.has(plain(key)) && typeof chunk[key] === "object") collectWrapped(chunk[key]!, into, depth + 1);
  }
}

function collectWrapped(value: Json, into: string[], depth: number): void {
  if (depth > MAX_DEPTH) return;
  if (Array.isArray(value)) for (const item of value) collect(item, into, depth + 1);
  else if (isObject(value)) collectObject(value, into, depth);
}

function plain(key: string): string {
  return key.toLowerCase().replace(/[_-]/g, "");
}

/** A search without hits, bare or in its wrapper: `[]`, `{"documents": [[]]}`. */
function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (Array.isArray(value)) return value.every(isEmpty);
  if (!isObject(value)) return false;
  const known = Object.keys(value).filter((key) => TEXT_KEYS.has(plain(key)) || WRAPPER_KEYS.has(plain(key)));
  return known.some((key) => Array.isArray(value[key])) && known.every((key) => isEmpty(value[key]));
}
