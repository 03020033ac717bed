/** What a tool returned, as rules look at it: every text in it, and the data that conditions are looked up in. */
import { parseJsonText } from "../trace/call-shape.ts";
import { isObject, type Json, member, setMember } from "../trace/json.ts";

/** Every text of a value, names of members included: a model reads those too. */
export function textsOf(value: Json): readonly string[] {
  const texts: string[] = [];
  collect(value, texts);
  return texts;
}

function collect(value: Json, texts: string[]): void {
  if (typeof value === "string") texts.push(value);
  else if (Array.isArray(value)) for (const item of value) collect(item, texts);
  else if (isObject(value)) {
    for (const [key, item] of Object.entries(value)) {
      texts.push(key);
      collect(item, texts);
    }
  } else if (value !== null) texts.push(String(value));
}

/** The same value with each of its texts exchanged; names of members stay, so that it keeps its form. */
export function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (!isObject(value)) return value;
  const copy: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) setMember(copy, key, mapTexts(item, change));
  return copy;
}

/** The data of a result: what is structured in it, or what its text says where that is JSON. */
export function dataOf(output: Json): Json {
  const structured = member(output, "structuredContent");
  if (structured !== undefined && structured !== null) return structured;
  const blocks = Array.isArray(output) ? output : member(output, "content");
  if (Array.isArray(blocks) && blocks.length > 0 && blocks.every(isTextBlock))
    return dataOfText(blocks.map((block) => member(block, "text") as string).join("\n"));
  return typeof output === "string" ? dataOfText(output) : output;
}

function isTextBlock(block: Json): boolean {
  return member(block, "type") === "text" && typeof member(block, "text") === "string";
}

function dataOfText(text: string): Json {
  const parsed = parseJsonText(text);
  return parsed !== undefined && typeof parsed === "object" ? parsed : text;
}

/** How long a result is: characters of a text, else of its JSON. */
export function lengthOf(output: Json): number {
  return typeof output === "string" ? [...output].length : [...JSON.stringify(output, writeBig)].length;
}

function writeBig(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
