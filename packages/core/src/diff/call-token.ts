import { canonicalJson, sortedKeys } from "../canonical/canonical-json.ts";
import { digestText } from "../canonical/digest.ts";
import type { Json } from "../trace/json.ts";

/** What the diff compares of a tool call: its name and its arguments as recorded. */
export interface CallContent {
  /** `_` when the source gives no name. */
  readonly name: string;
  /** Absent when the source gives no arguments, which is not the same as `{}`. */
  readonly input?: Json;
}

const DIGEST_HEX_LENGTH = 16;

/**
 * `name(sorted,keys|digest)`: the shape of a call and, as 16 hex digits of SHA-256 over the canonical arguments, its
 * values. `delete_user(id="alice")` and `delete_user(id="bob")` are different tokens.
 */
export function callToken(call: CallContent): string {
  const digest = digestText(canonicalJson(call.input ?? null), DIGEST_HEX_LENGTH);
  return `${call.name}(${sortedKeys(call.input).join(",")}|${digest})`;
}

/** `name(key,key)`: a call without its values. */
export function callShape(call: CallContent): string {
  return `${call.name}(${sortedKeys(call.input).join(",")})`;
}

/**
 * A text that two calls share exactly when their tokens are equal. The digest only shortens the canonical arguments, so
 * comparing inside one run needs no hash.
 */
export function callIdentity(call: CallContent): string {
  return `${call.name}\u0000${canonicalJson(call.input ?? null)}`;
}
