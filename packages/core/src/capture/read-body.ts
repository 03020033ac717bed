/**
 * The JSON of a body, whatever a program sent: 64-bit integers keep their digits, half a surrogate pair becomes U+FFFD (it has no
 * UTF-8 form, so nothing that holds one could be hashed), nesting beyond what a line of a recording may hold is kept as its size.
 */
import { isObject, type Json, type JsonObject, setMember, stringifyJson } from "../trace/json.ts";
import { JsonSyntaxError, parseJson } from "../trace/parse-json.ts";

/** A record's envelope and the lists in a payload stand around a value; together they stay within what a reader takes. */
const MAX_DEPTH = 110;
/** Deeper than this nobody meant it, and walking it would need the stack of the application. */
const PARSED_DEPTH = 2_000;

/** Undefined when the text is no JSON. */
export function readBody(text: string): Json | undefined {
  try {
    return boundDepth(parse(text.toWellFormed()), MAX_DEPTH);
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof RangeError) return undefined;
    throw error;
  }
}

function parse(text: string): Json {
  try {
    return parseJson(text, PARSED_DEPTH);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return parseJson(text.replace(ESCAPE, wellFormedEscape), PARSED_DEPTH);
  }
}

/** A whole pair, half a pair, or any other escape: taken together, so that an escaped backslash is never read as one. */
const ESCAPE = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[dD][89a-fA-F][0-9a-fA-F]{2}|\\./gs;

function wellFormedEscape(found: string): string {
  return found.length === 6 ? "\\ufffd" : found;
}

/** The very same value where nothing is too deep. */
function boundDepth(value: Json, depth: number): Json {
  if (typeof value !== "object" || value === null) return value;
  if (depth === 0) return `[nested too deeply: ${stringifyJson(value).length} characters]`;
  if (!isObject(value)) {
    let copy: Json[] | undefined;
    for (let index = 0; index < value.length; index++) {
      const bounded = boundDepth(value[index]!, depth - 1);
      if (bounded !== value[index]) copy ??= [...value];
      if (copy !== undefined) copy[index] = bounded;
    }
    return copy ?? value;
  }
  let copy: Record<string, Json> | undefined;
  for (const [key, item] of Object.entries(value)) {
    const bounded = boundDepth(item, depth - 1);
    if (bounded === item) continue;
    copy ??= { ...value };
    setMember(copy, key, bounded);
  }
  return copy ?? value;
}

/** A payload as a record can hold it: reading arguments out of their text may have made it deeper. */
export function boundRecord<T extends Json>(payload: T): T {
  return boundDepth(payload, MAX_DEPTH) as T;
}

/** A residue nests twice as deeply as the body it is about; beyond what a record can hold, it is the body. */
export function boundResidue(residue: JsonObject | undefined, body: Json): JsonObject | undefined {
  return residue === undefined || boundDepth(residue, MAX_DEPTH) === residue ? residue : { is: body };
}

/** A value of the application's, which may be anything, as one that can be hashed and written. */
export function tidyJson(value: unknown): Json {
  if (value === undefined) return null;
  try {
    return readBody(stringifyJson(value as Json)) ?? null;
  } catch {
    // It holds itself, or refuses to be written down.
    return "[not JSON]";
  }
}
