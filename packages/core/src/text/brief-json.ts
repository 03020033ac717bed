/** JSON values in few words: what a person wants to see of arguments and results on one line. */
import { isObject, type Json, stringifyJson } from "../trace/json.ts";
import { count } from "./amounts.ts";
import { printable } from "./printable.ts";

/** A scalar as people write it: texts in quotes, numbers as they are, nested values as compact JSON. */
export function briefValue(value: Json): string {
  if (typeof value === "string") return `"${printable(value)}"`;
  return printable(stringifyJson(value));
}

/** `query "late parcel", limit 5`; a single argument needs no name. Nested objects are flattened to paths. */
export function briefArguments(input: Json | undefined): string {
  if (input === undefined) return "";
  if (!isObject(input)) return briefValue(input);
  const pairs = flatten(input, "");
  if (pairs.length === 1 && typeof pairs[0]!.value === "string") return briefValue(pairs[0]!.value);
  return pairs.map(({ path, value }) => `${printable(path)} ${briefValue(value)}`).join(", ");
}

/** Every leaf of an object with its path: `refund.amount`, `items[0].id`. Empty objects and lists are leaves. */
export function flatten(value: Json, path: string): { path: string; value: Json }[] {
  if (Array.isArray(value) && value.length > 0 && value.some((item) => typeof item === "object" && item !== null)) {
    return value.flatMap((item, index) => flatten(item, `${path}[${index}]`));
  }
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, item]) => flatten(item, path === "" ? key : `${path}.${key}`));
  }
  return [{ path, value }];
}

/** A result in few words: the text itself when it is one short line, otherwise how much there is. */
export function briefResult(output: Json | undefined): string {
  if (output === undefined || output === null) return "";
  const text = resultText(output);
  if (text === "") return "empty";
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.length > 1) return count(lines.length, "line");
  return printable(text);
}

/** The text of a result, whether it is a plain text, a list of text parts or any other JSON. */
export function resultText(output: Json): string {
  if (typeof output === "string") return output;
  if (
    Array.isArray(output) &&
    output.length > 0 &&
    output.every((part) => isObject(part) && typeof part["text"] === "string")
  ) {
    return output.map((part) => (part as { text: string }).text).join("\n");
  }
  return stringifyJson(output);
}
