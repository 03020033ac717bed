/**
 * JSON text → value, exactly. `JSON.parse` does the work; the few texts in which it would lose something (integers beyond
 * 2^53, numbers that overflow, half surrogate pairs) and the ones it refuses are read again by the strict parser below,
 * which keeps integers of 64 bits as bigint and can say where and why a text is wrong.
 */
import type { Json } from "./json.ts";
import { setMember } from "./json.ts";

/** Why a text is not JSON: `offset` in UTF-16 units from the start; `begin` where the unfinished thing begins. */
export class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly offset: number;
  readonly begin: number | undefined;
  constructor(message: string, offset: number, begin?: number) {
    super(message);
    this.offset = offset;
    this.begin = begin;
  }
}

/** Nesting allowed in one line or document, its own outermost value included. */
export const MAX_JSON_DEPTH = 127;

const SURROGATE_ESCAPE = /\\u[dD][89a-fA-F]/;
const WHOLE_PAIR = /\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/g;

export function parseJson(text: string, maxDepth = MAX_JSON_DEPTH): Json {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return parseStrictly(text, maxDepth);
  }
  // Looking at the parsed value is several times cheaper than looking for long numbers in the text.
  if (needsCare(value, maxDepth) || mayHoldHalfPair(text)) return parseStrictly(text, maxDepth);
  return value;
}

export interface RecordedJson {
  readonly value: Json;
  /** How many NaN, Infinity and -Infinity were read as "no number". */
  readonly notNumbers: number;
}

/**
 * The same for what a program recorded. Python writes NaN, Infinity and -Infinity where a figure is missing, which is no JSON: such a
 * member is left out, such an item of a list is null, and they are counted. Every other fault stays one. Texts without any cost
 * nothing more: they are only looked for once a text has been refused.
 */
export function parseRecordedJson(text: string, maxDepth = MAX_JSON_DEPTH): RecordedJson {
  try {
    return { value: parseJson(text, maxDepth), notNumbers: 0 };
  } catch (error) {
    if (!(error instanceof JsonSyntaxError) || !/NaN|Infinity/.test(text)) throw error;
    const parser = new StrictParser(text, maxDepth, true);
    const value = parser.document();
    return { value, notNumbers: parser.notNumbers };
  }
}

/** True when a number may have been rounded or have overflowed, or when the value is nested too deeply. */
function needsCare(value: Json, depth: number): boolean {
  if (typeof value === "number") return value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER;
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) if (needsCare(value[index], depth - 1)) return true;
    return false;
  }
  for (const key in value) if (needsCare((value as { [key: string]: Json })[key]!, depth - 1)) return true;
  return false;
}

/** `includes` finds them far faster than a pattern could, which then has few texts to look at; most texts have no such escape at all. */
function mayHoldHalfPair(text: string): boolean {
  if (!text.includes("\\u") || (!text.includes("\\ud") && !text.includes("\\uD"))) return false;
  return SURROGATE_ESCAPE.test(text.replace(WHOLE_PAIR, ""));
}

/** The slow way: a recursive-descent parser of RFC 8259, one function per kind of value. */
export function parseStrictly(text: string, maxDepth = MAX_JSON_DEPTH): Json {
  const parser = new StrictParser(text, maxDepth, false);
  return parser.document();
}

const NOT_A_NUMBER = /NaN|-?Infinity/y;
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** Stands for a value that is no number until its place is known. */
const NO_NUMBER = Symbol("no number");

class StrictParser {
  notNumbers = 0;
  private at = 0;
  private readonly text: string;
  private readonly maxDepth: number;
  private readonly toleratesNoNumbers: boolean;

  constructor(text: string, maxDepth: number, toleratesNoNumbers: boolean) {
    this.text = text;
    this.maxDepth = maxDepth;
    this.toleratesNoNumbers = toleratesNoNumbers;
  }

  document(): Json {
    this.space();
    if (this.at >= this.text.length) throw this.error("there is nothing here");
    const value = this.value(0);
    if (value === NO_NUMBER) throw new JsonSyntaxError("there is no value but one that is no number", 0);
    this.space();
    if (this.at < this.text.length) throw this.error("something follows after the value has ended");
    return value;
  }

  private value(depth: number): Json | typeof NO_NUMBER {
    const char = this.text[this.at];
    switch (char) {
      case "{":
        return this.object(depth + 1);
      case "[":
        return this.array(depth + 1);
      case '"':
        return this.string();
      case "t":
        return this.word("true", true);
      case "f":
        return this.word("false", false);
      case "n":
        return this.word("null", null);
      case undefined:
        throw this.error("the text ends where a value should stand");
      default:
        return this.noNumber() ? NO_NUMBER : this.number();
    }
  }

  private object(depth: number): Json {
    this.limit(depth);
    const begin = this.at++;
    const members: Record<string, Json> = {};
    this.space();
    if (this.text[this.at] === "}") {
      this.at++;
      return members;
    }
    for (;;) {
      this.space();
      if (this.text[this.at] !== '"') throw this.expected("a key in double quotes", begin, "an object never ends");
      const key = this.string();
      this.space();
      if (this.text[this.at] !== ":") throw this.expected('":" after a key', begin, "an object never ends");
      this.at++;
      this.space();
      const value = this.value(depth);
      if (value === NO_NUMBER) delete members[key];
      else setMember(members, key, value);
      this.space();
      const next = this.text[this.at];
      if (next === "}") break;
      if (next !== ",") throw this.expected('"," or "}"', begin, "an object never ends");
      this.at++;
    }
    this.at++;
    return members;
  }

  private array(depth: number): Json {
    this.limit(depth);
    const begin = this.at++;
    const items: Json[] = [];
    this.space();
    if (this.text[this.at] === "]") {
      this.at++;
      return items;
    }
    for (;;) {
      this.space();
      const value = this.value(depth);
      items.push(value === NO_NUMBER ? null : value);
      this.space();
      const next = this.text[this.at];
      if (next === "]") break;
      if (next !== ",") throw this.expected('"," or "]"', begin, "a list never ends");
      this.at++;
    }
    this.at++;
    return items;
  }

  private string(): string {
    const begin = this.at++;
    let result = "";
    for (;;) {
      PLAIN.lastIndex = this.at;
      PLAIN.test(this.text);
      result += this.text.slice(this.at, PLAIN.lastIndex);
      this.at = PLAIN.lastIndex;
      const char = this.text[this.at];
      if (char === '"') break;
      if (char === undefined) throw new JsonSyntaxError("a text never ends", this.at, begin);
      if (char !== "\\") throw this.error("a control character stands in a text; it must be escaped");
      result += this.escape(begin);
    }
    this.at++;
    if (!result.isWellFormed()) {
      throw new JsonSyntaxError("a text holds half of a surrogate pair, which is no character", begin);
    }
    return result;
  }

  private escape(begin: number): string {
    const char = this.text[this.at + 1];
    if (char === undefined) throw new JsonSyntaxError("a text never ends", this.at, begin);
    if (char === "u") {
      const hex = this.text.slice(this.at + 2, this.at + 6);
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw this.error("\\u needs four hex digits");
      this.at += 6;
      return String.fromCharCode(Number.parseInt(hex, 16));
    }
    const plain = ESCAPES[char];
    if (plain === undefined) throw this.error(`"\\${char}" is no escape`);
    this.at += 2;
    return plain;
  }

  private noNumber(): boolean {
    if (!this.toleratesNoNumbers) return false;
    NOT_A_NUMBER.lastIndex = this.at;
    if (!NOT_A_NUMBER.test(this.text)) return false;
    this.at = NOT_A_NUMBER.lastIndex;
    this.notNumbers++;
    return true;
  }

  private number(): Json {
    NUMBER.lastIndex = this.at;
    const match = NUMBER.exec(this.text);
    if (match === null) throw this.error(`${describe(this.text[this.at]!)} cannot begin a value`);
    const text = match[0];
    const begin = this.at;
    this.at = NUMBER.lastIndex;
    if (match[1] === undefined && match[2] === undefined) {
      const value = Number(text);
      if (Number.isSafeInteger(value)) return value;
      if (text.length <= 20) {
        const exact = BigInt(text);
        if (exact >= -(2n ** 63n) && exact < 2n ** 64n) return exact;
      }
    }
    const value = Number(text);
    if (!Number.isFinite(value)) throw new JsonSyntaxError("a number is too large", begin);
    return value;
  }

  private word(text: string, value: Json): Json {
    if (!this.text.startsWith(text, this.at)) throw this.error(`${describe(this.text[this.at]!)} cannot begin a value`);
    this.at += text.length;
    return value;
  }

  private space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at);
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return;
      this.at++;
    }
  }

  private limit(depth: number): void {
    if (depth > this.maxDepth) throw this.error(`nested deeper than ${this.maxDepth} levels`);
  }

  private expected(what: string, begin: number, unfinished: string): JsonSyntaxError {
    if (this.at >= this.text.length) return new JsonSyntaxError(unfinished, this.at, begin);
    return this.error(`expected ${what}, found ${describe(this.text[this.at]!)}`);
  }

  private error(message: string): JsonSyntaxError {
    return new JsonSyntaxError(message, this.at);
  }
}

function describe(char: string): string {
  const code = char.charCodeAt(0);
  return code < 0x20 || code > 0x7e ? `U+${code.toString(16).toUpperCase().padStart(4, "0")}` : `"${char}"`;
}
