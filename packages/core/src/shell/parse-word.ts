/** Words: quotes, escapes, variables, substitutions, braces. What a part is worth is decided when the script is followed. */
import type { Cursor } from "./cursor.ts";
import type { Part, Script, Word } from "./script.ts";

/** Reads the statements of `$( … )` up to the closing bracket, and goes past it. */
export type ReadNested = (cursor: Cursor) => Script;
/** Reads a script that was quoted inside another (backticks). */
export type ReadText = (text: string) => Script;

export interface WordReaders {
  readonly nested: ReadNested;
  readonly text: ReadText;
}

const DELIMITER = /[\s;&|()<>]/;
const MAX_BRACES = 64;

/** The word that begins here; empty when none does. */
export function readWord(cursor: Cursor, readers: WordReaders): Word {
  // Most words are letters up to the next blank, and this runs before every command of a guarded agent.
  const start = cursor.at;
  const letters = cursor.takePlain();
  if (letters !== "" && (cursor.isAtEnd || cursor.here === " "))
    return [{ kind: "text", text: letters, isQuoted: false }];
  cursor.at = start;
  return readParts(cursor, readers, (character) => DELIMITER.test(character));
}

function readParts(cursor: Cursor, readers: WordReaders, ends: (character: string) => boolean): Word {
  return cursor.nest(() => readPartsHere(cursor, readers, ends));
}

function readPartsHere(cursor: Cursor, readers: WordReaders, ends: (character: string) => boolean): Word {
  const parts: Part[] = [];
  let plain = "";
  const flush = () => {
    if (plain !== "") parts.push({ kind: "text", text: plain, isQuoted: false });
    plain = "";
  };
  while (!cursor.isAtEnd) {
    const letters = cursor.takePlain();
    if (letters !== "") {
      plain += letters;
      continue;
    }
    const part = readExtendedGlob(cursor, readers) ?? readProcess(cursor, readers);
    if (part === undefined && ends(cursor.here)) break;
    const special = part ?? readSpecial(cursor, readers);
    if (special === undefined) plain += cursor.text[cursor.at++];
    else if (special !== "nothing") {
      flush();
      parts.push(special);
    }
  }
  flush();
  return parts;
}

function readSpecial(cursor: Cursor, readers: WordReaders): Part | "nothing" | undefined {
  switch (cursor.here) {
    case "\\": {
      cursor.at++;
      if (cursor.take("\n")) return "nothing";
      const text = cursor.here;
      cursor.at++;
      return { kind: "text", text, isQuoted: true };
    }
    case "'":
      return { kind: "text", text: readSingleQuoted(cursor), isQuoted: true };
    case '"':
      cursor.at++;
      return readDoubleQuoted(cursor, readers);
    case "`":
      return readBackticks(cursor, readers, false);
    case "$":
      return readDollar(cursor, readers, false);
    case "{":
      return readBraces(cursor, readers);
    default:
      return undefined;
  }
}

function readSingleQuoted(cursor: Cursor): string {
  const close = cursor.text.indexOf("'", cursor.at + 1);
  if (close < 0) cursor.fail("a single quote is not closed");
  const text = cursor.text.slice(cursor.at + 1, close);
  cursor.at = close + 1;
  return text;
}

/** One part for all that stands between the quotes, so that the whole is never split. */
function readDoubleQuoted(cursor: Cursor, readers: WordReaders): Part {
  const start = cursor.at - 1;
  const parts = readQuotedParts(cursor, readers, '"');
  if (!cursor.take('"')) cursor.fail("a double quote is not closed", start);
  if (parts.length === 0) return { kind: "text", text: "", isQuoted: true };
  return parts.length === 1 ? parts[0]! : { kind: "alternatives", words: [parts] };
}

/** Parts with the rules inside double quotes, up to `end` (or the end of the text), which stays. */
export function readQuotedParts(cursor: Cursor, readers: WordReaders, end: string): Part[] {
  const parts: Part[] = [];
  let plain = "";
  const push = (part: Part) => {
    if (plain !== "") parts.push({ kind: "text", text: plain, isQuoted: true });
    plain = "";
    parts.push(part);
  };
  while (!cursor.isAtEnd && (end === "" || cursor.here !== end)) {
    if (cursor.take("\\\n")) continue;
    const escaped = cursor.match(/\\([$`"\\])/y);
    if (escaped !== null) plain += escaped[1];
    else if (cursor.here === "`") push(readBackticks(cursor, readers, true));
    else if (cursor.here === "$") {
      const part = readDollar(cursor, readers, true);
      if (part === undefined) plain += cursor.text[cursor.at++];
      else push(part);
    } else plain += cursor.text[cursor.at++];
  }
  if (plain !== "") parts.push({ kind: "text", text: plain, isQuoted: true });
  return parts;
}

function readBackticks(cursor: Cursor, readers: WordReaders, isQuoted: boolean): Part {
  const found = cursor.match(/`((?:[^`\\]|\\[\s\S])*)`/y) ?? cursor.fail("a backtick is not closed");
  return { kind: "output", script: readers.text(found[1]!.replace(/\\([`\\$])/g, "$1")), isQuoted };
}

/** Undefined for a dollar sign that means itself. */
function readDollar(cursor: Cursor, readers: WordReaders, isQuoted: boolean): Part | undefined {
  // `$((a); b)` begins like arithmetic and is none.
  const arithmetic = cursor.startsWith("$((")
    ? cursor.attempt(() => readArithmetic(cursor, readers, "$(("))
    : undefined;
  if (arithmetic !== undefined) return { kind: "unknown", ...arithmetic, isQuoted };
  if (cursor.take("$(")) return { kind: "output", script: readers.nested(cursor), isQuoted };
  if (cursor.startsWith("${")) return readParameter(cursor, readers, isQuoted);
  if (!isQuoted && cursor.startsWith("$'")) return { kind: "text", text: readAnsiQuoted(cursor), isQuoted: true };
  if (!isQuoted && cursor.take('$"')) return readDoubleQuoted(cursor, readers);
  const name = cursor.match(/\$([A-Za-z_]\w*|[0-9@*#?$!_-])/y);
  return name === null ? undefined : { kind: "variable", name: name[1]!, isQuoted: isQuoted && name[1] !== "@" };
}

export interface Arithmetic {
  readonly scripts: readonly Script[];
  readonly sets: readonly string[];
}

/** Goes past `(( … ))`, or past `$(( … ))`. */
export function readArithmetic(cursor: Cursor, readers: WordReaders, open: "((" | "$(("): Arithmetic {
  cursor.take(open);
  const start = cursor.at;
  const scripts: Script[] = [];
  for (let depth = 0; !cursor.isAtEnd; ) {
    if (depth === 0 && cursor.startsWith("))")) {
      const sets = [
        ...cursor.text
          .slice(start, cursor.at)
          .matchAll(/([A-Za-z_]\w*)\s*(?:[-+*/%&|^]|<<|>>)?(?:=(?!=)|\+\+|--)|(?:\+\+|--)\s*([A-Za-z_]\w*)/g),
      ];
      cursor.at += 2;
      return { scripts, sets: sets.map(([, before, behind]) => (before ?? behind)!) };
    }
    const part = cursor.here === "$" || cursor.here === "`" ? readSpecial(cursor, readers) : undefined;
    if (part !== undefined && part !== "nothing") {
      scripts.push(...scriptsOf([part]));
      continue;
    }
    if (cursor.here === "(") depth++;
    else if (cursor.here === ")") depth--;
    cursor.at++;
  }
  return cursor.fail("an arithmetic expression is not closed", start);
}

/** `${X}`, `${X:-word}`; anything more clever has a value that is not known here. */
function readParameter(cursor: Cursor, readers: WordReaders, isQuoted: boolean): Part {
  const start = cursor.at;
  const plain = cursor.match(/\$\{([A-Za-z_]\w*|[0-9@*]+)(?=\}|:?[-=?])/y);
  if (plain === null) cursor.at += 2;
  const operator = plain === null ? undefined : cursor.match(/:?([-=?])/y)?.[1];
  const rest = readParts(cursor, readers, (character) => character === "}");
  if (!cursor.take("}")) cursor.fail("${ is not closed", start);
  if (plain === null) return { kind: "unknown", scripts: scriptsOf(rest), isQuoted };
  const hasFallback = operator === "-" || operator === "=";
  const isSet = operator === "=" ? { isSet: true as const } : {};
  return { kind: "variable", name: plain[1]!, isQuoted, ...(hasFallback ? { fallback: rest, ...isSet } : {}) };
}

const ANSI: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  v: "\v",
};

/** `$'…'` */
function readAnsiQuoted(cursor: Cursor): string {
  const found = cursor.match(/\$'((?:[^'\\]|\\[\s\S])*)'/y) ?? cursor.fail("a single quote is not closed");
  return found[1]!.replace(
    /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g,
    (_all, hex, short, long, octal, control, other) => {
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      if (control !== undefined) return String.fromCharCode(control.charCodeAt(0) & 0x1f);
      const code: string | undefined = hex ?? short ?? long;
      if (code !== undefined) return fromCodePoint(Number.parseInt(code, 16));
      return ANSI[other] ?? (/[\\'"?]/.test(other) ? other : `\\${other}`);
    },
  );
}

function fromCodePoint(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "\ufffd";
}

/** `{a,b}`; a brace that opens no list means itself. */
function readBraces(cursor: Cursor, readers: WordReaders): Part | undefined {
  const start = cursor.at;
  if (cursor.plainBraces.has(start)) return undefined;
  if (cursor.match(/\{-?\w+\.\.-?\w+(\.\.-?\d+)?\}/y) !== null)
    return { kind: "unknown", scripts: [], isQuoted: false };
  cursor.at++;
  const words: Word[] = [];
  while (words.length < MAX_BRACES) {
    words.push(readParts(cursor, readers, (character) => /[,}]/.test(character) || DELIMITER.test(character)));
    if (cursor.take("}")) {
      if (words.length > 1) return { kind: "alternatives", words };
      break;
    }
    if (!cursor.take(",")) break;
  }
  cursor.at = start;
  cursor.plainBraces.add(start);
  return undefined;
}

/** `!(a|b)`, `@(x)`: which names it takes is for the file system to say. */
function readExtendedGlob(cursor: Cursor, readers: WordReaders): Part | undefined {
  if (cursor.match(/[?*+@!]\(/y) === null) return undefined;
  const start = cursor.at;
  const inside = readParts(cursor, readers, (character) => character === ")");
  if (!cursor.take(")")) cursor.fail("a bracket is not closed", start);
  return { kind: "unknown", scripts: scriptsOf(inside), isQuoted: false };
}

/** `<( … )` */
function readProcess(cursor: Cursor, readers: WordReaders): Part | undefined {
  return cursor.take("<(") || cursor.take(">(") ? { kind: "process", script: readers.nested(cursor) } : undefined;
}

/** The scripts that run while the word is worked out. */
function scriptsOf(word: Word): readonly Script[] {
  return word.flatMap((part) => {
    if (part.kind === "output" || part.kind === "process") return [part.script];
    if (part.kind === "unknown") return part.scripts;
    if (part.kind === "alternatives") return part.words.flatMap(scriptsOf);
    return part.kind === "variable" && part.fallback !== undefined ? scriptsOf(part.fallback) : [];
  });
}
