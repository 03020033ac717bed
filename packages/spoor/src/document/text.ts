/** Sentences of a document: `say` puts words and names together without deciding how a name is quoted. */
import { type FilterToken, writeTraceFilter } from "@spoor/core/internal/gate/trace-filter";
import { present } from "@spoor/core/internal/trace/present";
import type { Command, Inline, Link, Mark, MarkSymbol, Name, Styled, Text, Tone } from "./document.ts";

import { ANYWHERE, typedCommand } from "./typed-command.ts";

type Part = Text | Inline | number | undefined;

/** say`${name(tool)} now runs without ${name(before)} before it` */
export function say(strings: TemplateStringsArray, ...parts: readonly Part[]): Text {
  const text: Inline[] = [];
  for (const [index, string] of strings.entries()) {
    if (string !== "") text.push(string);
    const part = parts[index];
    if (part === undefined || part === "") continue;
    if (typeof part === "number") text.push(String(part));
    else if (isText(part)) text.push(...part);
    else text.push(part);
  }
  return text;
}

/** Several texts after each other; empty ones leave no space behind. */
export function sentences(...parts: readonly (Text | string | undefined)[]): Text {
  return joined(
    parts.map((part) => (typeof part === "string" ? [part] : (part ?? []))),
    " ",
  );
}

/** Texts with something between them; empty ones are passed over. */
export function joined(texts: readonly Text[], between: string): Text {
  const text: Inline[] = [];
  for (const part of texts) {
    if (part.length === 0 || (part.length === 1 && part[0] === "")) continue;
    if (text.length > 0) text.push(between);
    text.push(...part);
  }
  return text;
}

/** `a`, `a and b`, `a, b and c`. */
export function listed(texts: readonly Text[], joiner = "and"): Text {
  if (texts.length <= 1) return texts[0] ?? [];
  return joined([joined(texts.slice(0, -1), ", "), texts[texts.length - 1]!], ` ${joiner} `);
}

export function name(text: string): Name {
  return { kind: "name", text };
}

/** `spoor show FILE`, as the reader types it. */
export function command(text: string): Command {
  return { kind: "command", text };
}

export function styled(tone: Tone, ...parts: readonly (Text | Inline)[]): Styled {
  return { kind: "styled", tone, text: parts.flatMap((part) => (isText(part) ? part : [part])) };
}

export function link(anchor: string, ...parts: readonly (Text | Inline)[]): Link {
  return { kind: "link", anchor, text: parts.flatMap((part) => (isText(part) ? part : [part])) };
}

/** A number or a word that leads to the traces which it counts. */
export function listLink(token: FilterToken, ...parts: readonly (Text | Inline)[]): Link {
  return { ...link("traces", ...parts), only: writeTraceFilter({ tokens: [token] }) };
}

export function symbol(mark: Mark): MarkSymbol {
  return { kind: "mark", mark };
}

function isText(part: Text | Inline): part is Text {
  return Array.isArray(part);
}

/** A stretch of text that looks the same throughout. */
export interface Run {
  readonly text: string;
  readonly isName: boolean;
  readonly tones: readonly Tone[];
  readonly anchor?: string;
  readonly only?: string;
  readonly page?: string;
  /** A symbol instead of text. */
  readonly mark?: Mark;
}

/** A text as the flat stretches that writers work on; `program` is how its reader starts the tool. */
export function runsOf(text: Text, program = ANYWHERE, tones: readonly Tone[] = [], inside?: Link): Run[] {
  const runs: Run[] = [];
  const place = inside === undefined ? {} : present({ anchor: inside.anchor, only: inside.only, page: inside.page });
  const add = (words: string, isName: boolean) => runs.push({ text: words, isName, tones, ...place });
  for (const part of text) {
    if (typeof part === "string") add(part, false);
    else if (part.kind === "name") add(part.text, true);
    else if (part.kind === "command") add(typedCommand(part.text, program), true);
    else if (part.kind === "mark") runs.push({ text: "", isName: false, tones, mark: part.mark });
    else if (part.kind === "styled") runs.push(...runsOf(part.text, program, [...tones, part.tone], inside));
    else runs.push(...runsOf(part.text, program, tones, part));
  }
  return runs;
}

/** The words alone, as written: for sorting, for messages of other formats, never for a screen. */
export function plainText(text: Text): string {
  return runsOf(text)
    .map((run) => run.text)
    .join("");
}

export function isEmpty(text: Text | undefined): boolean {
  return text === undefined || text.every((part) => part === "");
}

/** Plain words begin with a capital letter; a name at the beginning stays as it is. */
export function capitalised([first, ...rest]: Text): Text {
  if (typeof first !== "string") return first === undefined ? [] : [first, ...rest];
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest];
}
