import { sha256Hex } from "#sha256";
import type { Json } from "../trace/json.ts";
import { canonicalJson } from "./canonical-json.ts";

const CONTENT_ID = /^sha256:[0-9a-f]{64}$/;

/** `sha256:` and the hash of the payload's canonical bytes. Nothing else of a record takes part. */
export function contentId(payload: Json): string {
  return `sha256:${sha256Hex(canonicalJson(payload))}`;
}

export function isContentId(text: string): boolean {
  return text.length === 71 && CONTENT_ID.test(text);
}

/** The first `hexLength` digits of the hash of a value's canonical JSON. */
export function digestJson(value: Json, hexLength: number): string {
  return sha256Hex(canonicalJson(value)).slice(0, hexLength);
}

/** A JSON text to remember something by: itself where it is short, else its hash. */
export function shortKey(json: string): string {
  return json.length <= MAX_KEY ? json : `#${sha256Hex(json)}`;
}

const MAX_KEY = 128;

/** The hash of a plain text, cut to `hexLength` digits. */
export function digestText(text: string, hexLength = 64): string {
  return sha256Hex(text).slice(0, hexLength);
}
