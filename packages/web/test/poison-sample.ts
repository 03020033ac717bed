/** A sample of a format with an attack in every text it can hold and still be read as the same run. */
import { readFileSync } from "node:fs";
import { extname } from "node:path";
import { buildTrace, type Json } from "@spoor/core";
import { isObject, stringifyJson } from "@spoor/core/internal/trace/json";
import { writeKeyValues } from "../../server/test/write-key-values.ts";
import { loadOtlpProtobuf } from "../../spoor/src/formats/otel/otlp-protobuf.ts";
import { openSqlite } from "../../spoor/src/load/sqlite/open-sqlite.ts";
import {
  type Fixture,
  formatNamed,
  importBytes,
  importSample,
  importValues,
  readSample,
} from "../../spoor/test/fixtures.ts";

export const ATTACK = [
  "@acme/security &commat;octocat closes #7 #123",
  "<img src=x onerror=window.pwned=1></script><script>window.pwned=1</script><!--",
  "[click](http://evil.example) ![p](http://evil.example/p.png) http://evil.example/a www.evil.example ftp://evil.example",
  "\u001b[31m\u009b31m\u202e\u2066\u200b\u0007 ` ``` | a | b | ]]> ~~x~~ ##[add-mask]x",
  "\n::error file=x::pwned\n### heading\n| --- |",
].join(" ");

/** A trace of the attack that every surface leaves readable. */
export const SEEN = /acme/;
/** Control characters, and marks that reorder or hide text; line ends are ours, and so is the space without width that keeps a word from being a mention. */
export const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200c-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/;

export const MARKDOWN_TAGS = new Set(
  "h3 p table thead tbody tr th td ul li code pre details summary sub strong".split(" "),
);

/** Members that say what something is: with another word in them it is nothing that a reader knows, and counted as such. */
const WHAT_IT_IS = /^(type|role|kind)$/;

export interface PoisonedSample {
  readonly before: string | Uint8Array;
  readonly after: string | Uint8Array;
  readonly ending: string;
  /** The members that hold the attack. */
  readonly keys: readonly string[];
}

/** Undefined for a sample that is not JSON. */
export function poisonSample({ format, path }: Fixture): PoisonedSample | undefined {
  const bytes = readFileSync(path);
  const sample = readSample(bytes);
  if (sample.bytes !== undefined || sample.text !== undefined) return undefined;
  const before = sample.document ?? sample.lines;
  const shape = shapeOf(before);
  if (shape === undefined) return undefined;
  let root = structuredClone(before) as Json;
  const keys: string[] = [];
  for (const key of keysOf(before)) {
    if (WHAT_IT_IS.test(key)) continue;
    const next = poison(root, key, undefined);
    if (shapeOf(next) !== shape) continue;
    root = next;
    keys.push(key);
  }
  return keys.length === 0
    ? undefined
    : { before: bytes.toString("utf8"), after: write(root), ending: extname(path), keys };

  /** How many turns and calls there are; undefined when it is no run. */
  function shapeOf(value: Json | readonly Json[]): string | undefined {
    const asked =
      sample.document === undefined
        ? { lines: value as readonly Json[] }
        : { document: value as Json, lines: [value as Json] };
    try {
      const traces = importValues(format, asked);
      const sizes = traces.map((trace) => [trace.turns.length, trace.toolCalls.length]);
      return traces.length === 0 ? undefined : JSON.stringify(sizes);
    } catch {
      return undefined;
    }
  }

  /** A document stays one: on a single line it would be a file of lines. */
  function write(value: Json | readonly Json[]): string {
    if (sample.document === undefined)
      return (value as readonly Json[]).map((line) => `${stringifyJson(line)}\n`).join("");
    const text = stringifyJson(value as Json);
    return bytes.toString("utf8").trim().includes("\n") ? text.replace(/^[{[]/, "$&\n") : text;
  }
}

/** The same for a sample that is text, protobuf or Cursor's database; undefined for archives and databases of formats that are JSON besides. */
export async function poisonOther({ format, path }: Fixture): Promise<PoisonedSample | undefined> {
  const bytes = readFileSync(path);
  const sample = readSample(bytes);
  if (sample.text !== undefined) return poisonText(format, sample.text, extname(path));
  if (format === "cursor") return poisonCursor(bytes, extname(path));
  return format === "otlp-protobuf" ? poisonProtobuf(bytes, extname(path)) : undefined;
}

/** As the JSON that its rows hold. */
async function poisonCursor(bytes: Buffer, ending: string): Promise<PoisonedSample> {
  const table = "cursorDiskKV";
  const database = openSqlite("sample", bytes);
  const rows = Array.from(database.rows(table), ({ key, value }) => [key as string, database.text(value)!] as const);
  let values = rows.map(([, text]) => JSON.parse(text) as Json);
  const shape = await shapeOf(values);
  const keys: string[] = [];
  for (const key of keysOf(values)) {
    // What names the messages of a chat: with another id there is none.
    if (/^(?:bubbleId|composerId)$/.test(key)) continue;
    const next = poison(values, key, undefined) as Json[];
    if ((await shapeOf(next)) !== shape) continue;
    values = next;
    keys.push(key);
  }
  return { before: bytes, after: written(values), ending, keys };

  function written(contents: readonly Json[]): Buffer {
    return writeKeyValues(
      table,
      rows.map(([key], index) => [key, stringifyJson(contents[index]!)]),
    );
  }

  async function shapeOf(contents: readonly Json[]): Promise<string> {
    const imported = await importBytes(formatNamed("cursor"), written(contents));
    return JSON.stringify(imported.map(({ records }) => [records.length, buildTrace(records).toolCalls.length]));
  }
}

/** Line by line, as long as it is the same run. */
function poisonText(format: string, text: string, ending: string): PoisonedSample {
  const attack = ATTACK.replaceAll("\n", " ");
  const shapeOf = (lines: readonly string[]) =>
    JSON.stringify(
      importSample(formatNamed(format), { text: lines.join("\n") }).map(({ records }) => {
        const { turns, toolCalls } = buildTrace(records);
        return [turns.length, toolCalls.length];
      }),
    );
  let lines: readonly string[] = text.split("\n");
  const shape = shapeOf(lines);
  const keys: string[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    const next = lines.with(index, `${line} ${attack}`);
    if (shapeOf(next) !== shape) continue;
    lines = next;
    keys.push(`line ${index + 1}`);
  }
  return { before: text, after: lines.join("\n"), ending, keys };
}

/** As the document that it says the same as. */
async function poisonProtobuf(bytes: Buffer, ending: string): Promise<PoisonedSample> {
  const { decode, encode } = await loadOtlpProtobuf();
  let document = decode(bytes);
  const shape = await shapeOf(document);
  const keys: string[] = [];
  for (const key of keysOf(document)) {
    if (!/^(?:stringValue|name|message|version|schemaUrl|traceState)$/.test(key)) continue;
    const next = poison(document, key, undefined);
    if ((await shapeOf(next)) !== shape) continue;
    document = next;
    keys.push(key);
  }
  return { before: bytes, after: encoded(document), ending, keys };

  function encoded(value: Json): Uint8Array {
    return encode("TracesData", withBytes(value) as never);
  }

  async function shapeOf(value: Json): Promise<string> {
    const imported = await importBytes(formatNamed("otlp-protobuf"), Buffer.from(encoded(value)));
    return JSON.stringify(imported.map(({ records }) => [records.length, buildTrace(records).toolCalls.length]));
  }
}

/** Ids are bytes there. */
function withBytes(value: Json): unknown {
  if (Array.isArray(value)) return value.map(withBytes);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === "string" && /^(?:trace|span|parentSpan)Id$/.test(key)
        ? Buffer.from(item, "hex")
        : withBytes(item),
    ]),
  );
}

function keysOf(value: Json | readonly Json[], under = "", found = new Set<string>()): Set<string> {
  if (typeof value === "string") found.add(under);
  else if (Array.isArray(value)) for (const item of value as readonly Json[]) keysOf(item, under, found);
  else if (isObject(value as Json))
    for (const [key, item] of Object.entries(value as { readonly [key: string]: Json })) keysOf(item, key, found);
  return found;
}

/** The attack behind every text under this key; in a text that is JSON itself, as a further member. */
function poison(value: Json, key: string, under: string | undefined): Json {
  if (typeof value === "string") return under === key ? attacked(value) : value;
  if (Array.isArray(value)) return (value as readonly Json[]).map((item) => poison(item, key, under));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, poison(item, key, name)]));
}

function attacked(text: string): string {
  if (!text.startsWith("{")) return `${text} ${ATTACK}`;
  try {
    return JSON.stringify({ ...(JSON.parse(text) as object), [`key ${ATTACK}`]: ATTACK });
  } catch {
    return `${text} ${ATTACK}`;
  }
}
