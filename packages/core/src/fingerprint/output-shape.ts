/**
 * What can be said about a tool's result without its content: the names of its fields, and how many results it lists.
 * Many recorders keep results as JSON text or as content parts; both are looked through.
 */
import { sortedKeys } from "../canonical/canonical-json.ts";
import { isObject, type Json, member } from "../trace/json.ts";

export interface OutputShape {
  /** Member names of an object, sorted; absent when the result is no object. */
  readonly keys?: readonly string[];
  /** How many results it lists: the length of a list, or of the one list an object holds. */
  readonly resultCount?: number;
  /** The member that holds that list. */
  readonly resultKey?: string;
  /** Nothing came back: null, an empty text, list or object, or an empty list of results. */
  readonly empty: boolean;
}

/** Longer texts are documents, not structured results; parsing them would cost more than it tells. */
const LONGEST_PARSED_TEXT = 1 << 20;
const RESULT_KEYS = ["results", "documents", "matches", "items", "hits", "data", "rows", "records"];

export function outputShape(output: Json): OutputShape {
  const value = unwrap(output);
  if (value === null || value === "") return { empty: true };
  if (Array.isArray(value)) return { resultCount: value.length, empty: value.length === 0 };
  if (!isObject(value)) return { empty: false };
  const keys = sortedKeys(value);
  const resultKey = listMember(value, keys);
  if (resultKey === undefined) return { keys, empty: keys.length === 0 };
  const resultCount = (value[resultKey] as readonly Json[]).length;
  return { keys, resultCount, resultKey, empty: resultCount === 0 };
}

function unwrap(output: Json): Json {
  if (typeof output === "string") return parsedText(output);
  if (Array.isArray(output) && output.length > 0 && output.every((part) => member(part, "type") === "text")) {
    const texts = output.map((part) => member(part, "text"));
    return texts.length === 1 && typeof texts[0] === "string" ? parsedText(texts[0]) : texts.join("\n");
  }
  return output;
}

function parsedText(text: string): Json {
  const trimmed = text.length > LONGEST_PARSED_TEXT ? "" : text.trim();
  const looksStructured =
    (trimmed.startsWith("{") && trimmed.endsWith("}")) || (trimmed.startsWith("[") && trimmed.endsWith("]"));
  if (!looksStructured) return text.trim() === "" ? "" : text;
  try {
    return JSON.parse(trimmed) as Json;
  } catch {
    return text;
  }
}

/** A list under a usual name, else the only list there is. */
function listMember(value: Json, keys: readonly string[]): string | undefined {
  const lists = keys.filter((key) => Array.isArray(member(value, key)));
  return RESULT_KEYS.find((key) => lists.includes(key)) ?? (lists.length === 1 ? lists[0] : undefined);
}
