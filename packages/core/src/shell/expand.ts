/** What a word becomes: variables, substitutions and braces worked out as far as the script says, in every way it may go. */
import { OPEN_WORD, type ShellWord, SOME_NAME, UNKNOWN } from "./command.ts";
import type { Part, Script, Word } from "./script.ts";

export interface Expander {
  /** The values a variable may have; undefined when the script does not set it. */
  valuesOf(name: string): readonly string[] | undefined;
  setVariable(name: string, values: readonly string[]): void;
  /** Follows a script and gives what it prints, as far as that is known. */
  run(script: Script): string;
  /** Follows a script whose output the word names as a file. */
  feed(script: Script): void;
}

/** The file that stands for `<( … )`. */
export const MADE_FILE = "/dev/fd/63";

/** More ways than this are one unknown. */
const MAX_WAYS = 32;

/** A word that is plain text, as most are. */
export function plainWord(word: Word): ShellWord | undefined {
  const [only] = word;
  return word.length === 1 && only!.kind === "text" ? { text: textOf(only!, true), isOpen: false } : undefined;
}

/** Each way is the words (none, one or several) that the one written word becomes. */
export function expandWord(word: Word, expander: Expander): readonly (readonly ShellWord[])[] {
  const plain = plainWord(word);
  if (plain !== undefined) return [[plain]];
  return allWays(braceWords(word).map((one) => expandParts(one, expander)));
}

/** Every combination of one way from each. */
export function allWays(choices: readonly (readonly (readonly ShellWord[])[])[]): readonly (readonly ShellWord[])[] {
  if (choices.every((choice) => choice.length === 1)) {
    const words: ShellWord[] = [];
    for (const [only] of choices) words.push(...only!);
    return [words];
  }
  let ways: readonly (readonly ShellWord[])[] = [[]];
  for (const choice of choices) {
    if (ways.length * choice.length > MAX_WAYS) return [[OPEN_WORD]];
    ways = ways.flatMap((way) => choice.map((next) => [...way, ...next]));
  }
  return ways;
}

/** `a{b,c}` as two words, before anything else is worked out. */
function braceWords(word: Word): readonly Word[] {
  let words: Word[] = [[]];
  for (const [index, one] of word.entries()) {
    // `$x{1,2}` is `$x1 $x2`: the braces come first, and other variables are meant.
    const part = one.kind === "variable" && isBraces(word[index + 1]) ? ANYTHING : one;
    const choices = isBraces(part) ? part.words.flatMap(braceWords) : [[part]];
    words = words.flatMap((before) => choices.map((choice) => [...before, ...choice]));
    if (words.length > MAX_WAYS) return [[ANYTHING]];
  }
  return words;
}

const ANYTHING: Part = { kind: "unknown", scripts: [], isQuoted: false };

function isBraces(part: Part | undefined): part is Part & { readonly kind: "alternatives" } {
  return part?.kind === "alternatives" && part.words.length > 1;
}

/** A word in the making: those that are finished, and the one still open. */
interface Way {
  readonly done: readonly ShellWord[];
  readonly current: ShellWord | undefined;
}

function expandParts(word: Word, expander: Expander): (readonly ShellWord[])[] {
  let ways: readonly Way[] = [{ done: [], current: undefined }];
  for (const [index, part] of inlined(word).entries()) {
    const values = valuesOfPart(part, expander, index === 0);
    ways = ways.flatMap((way) => values.map((value) => append(way, value, isSplit(part))));
    if (ways.length > MAX_WAYS) return [[OPEN_WORD]];
  }
  return ways.map(({ done, current }) => (current === undefined ? done : [...done, current]));
}

/** The parts of `"a $b"`, which are held together only so that braces leave them alone. */
function inlined(word: Word): readonly Part[] {
  return word.flatMap((part) =>
    part.kind === "alternatives" ? part.words.flatMap((one) => [EMPTY, ...inlined(one)]) : [part],
  );
}

/** Quotes around nothing are a word. */
const EMPTY: Part = { kind: "text", text: "", isQuoted: true };

function isSplit(part: Part): boolean {
  return (part.kind === "variable" || part.kind === "output" || part.kind === "unknown") && !part.isQuoted;
}

function valuesOfPart(part: Part, expander: Expander, isFirst: boolean): readonly string[] {
  switch (part.kind) {
    case "text":
      return [textOf(part, isFirst)];
    case "process":
      expander.feed(part.script);
      return [MADE_FILE];
    case "output":
      return [expander.run(part.script)];
    case "unknown":
      for (const script of part.scripts) expander.run(script);
      for (const name of part.sets ?? []) expander.setVariable(name, [UNKNOWN]);
      return [UNKNOWN];
    case "alternatives":
      return [UNKNOWN];
    case "variable":
      return variableValues(part, expander);
  }
}

/** A quoted tilde is a name like any other. */
function textOf({ text, isQuoted }: Part & { readonly kind: "text" }, isFirst: boolean): string {
  return isFirst && isQuoted && text.startsWith("~") ? `./${text}` : text;
}

function variableValues(part: Part & { readonly kind: "variable" }, expander: Expander): readonly string[] {
  const { name, fallback, isSet } = part;
  if (NUMBERS.test(name)) return ["0"];
  const values = expander.valuesOf(name) ?? fromOutside(name, fallback !== undefined);
  if (fallback === undefined) return values;
  const stand = expandParts(fallback, expander).map((words) => words.map(({ text }) => text).join(" "));
  const both = [...new Set([...values.filter((value) => value !== ""), ...stand])];
  if (isSet) expander.setVariable(name, both);
  return both;
}

const NUMBERS = /^(?:[$?!#]|RANDOM|UID|EUID|SECONDS|LINENO|BASHPID|PPID)$/;

/** Of the variables that a script finds and does not set, two matter for where files are. */
function fromOutside(name: string, hasFallback: boolean): readonly string[] {
  if (name === "HOME") return ["~"];
  // Where it is not set, `$TMPDIR/x` is `/x`.
  if (name === "TMPDIR") return hasFallback ? [`/tmp/${SOME_NAME}`] : [`/tmp/${SOME_NAME}`, ""];
  return [UNKNOWN];
}

function append({ done, current }: Way, value: string, isSplit: boolean): Way {
  const open = isSplit && value.includes(UNKNOWN);
  if (!isSplit) return { done, current: joined(current, value, false) };
  const [first = "", ...rest] = value.split(/[ \t\n]+/);
  let way: Way = first === "" ? { done, current } : { done, current: joined(current, first, open) };
  for (const piece of rest) {
    const finished = way.current === undefined ? way.done : [...way.done, way.current];
    way = { done: finished, current: piece === "" ? undefined : joined(undefined, piece, open) };
  }
  return way;
}

function joined(current: ShellWord | undefined, text: string, isOpen: boolean): ShellWord {
  return { text: (current?.text ?? "") + text, isOpen: isOpen || current?.isOpen === true };
}
