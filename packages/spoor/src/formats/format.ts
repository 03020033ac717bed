/**
 * What a trace format is: how to recognise it by content, and how to turn it into records. Pure: text and values in,
 * records out; files, gzip and standard input are the business of `load/`.
 *
 * A new format is one file, one test and one line in formats.ts.
 */
import type { Json } from "@spoor/core";
import type { Clock } from "@spoor/core/internal/providers/clock";
import { NOT_RECOGNISED, type Recognition } from "@spoor/core/internal/providers/recognition";
import type { ImportedTrace } from "@spoor/core/internal/trace/imported-trace";
import type { Database, TableShape } from "./database.ts";

export { type ImportedTrace, NOT_RECOGNISED, type Recognition };

/**
 * What files differ in: results of calls, whether calls failed, when things happened, token counts, which sub-agent acted, and
 * what requests carried beside their messages (instructions, tools, settings).
 */
export const formatFields = ["results", "errors", "times", "tokens", "sub-agents", "requests"] as const;
export type FormatField = (typeof formatFields)[number];

export interface Format {
  /** The name `--from` takes. */
  readonly name: string;
  /** What people call it: "Claude Code session". */
  readonly title: string;
  /** Where such a file lies, or how to export one, in one line for `spoor formats`. */
  readonly origin: string;
  /** What such a file can tell beside texts and calls; what is not listed it cannot. Held to the fixtures by a test. */
  readonly tells: readonly FormatField[];
  /**
   * Keys of JSON objects (the document itself, or its lines) of which a candidate has at least one: content without any is not even
   * shown to `recognise`. Absent where no key is a must, empty for what is no JSON. Held to all fixtures and their mutations by a test.
   */
  readonly marks?: readonly string[];
  /** It may also be a table of rows under an index (see data-frame.ts): an object of objects is shown to it whatever its keys are. */
  readonly isTable?: true;
  /** How well the content fits. Called with the first values of the content; never throws. */
  recognise(sample: Sample): Recognition;
  /** For formats that are one JSON document. */
  readDocument?(document: Json, context: ReadContext): ImportedTrace[];
  /** For formats with one JSON value per line. */
  openLines?(context: ReadContext): LineReader;
  /** For formats that are text for people. */
  readText?(text: string, context: ReadContext): ImportedTrace[];
  /** For formats that are not text at all. A promise, because their decoders are loaded only when needed. */
  readBytes?(bytes: Uint8Array, context: ReadContext): Promise<ImportedTrace[]>;
  /** For formats that are an archive of JSON files. */
  readArchive?(archive: Archive, context: ReadContext): ImportedTrace[];
  /** For formats that are the database of a tool. */
  readDatabase?(database: Database, context: ReadContext): ImportedTrace[];
}

/** The files inside an archive, read one at a time. */
export interface Archive {
  readonly names: readonly string[];
  readJson(name: string): Json;
}

/** Lines that are looked at before the format of a stream is decided. */
export const SAMPLE_LINES = 50;

/** The beginning of some content. Exactly one of `document`, `text` and `bytes` matters for formats that are not lines. */
export interface Sample {
  /** The first values (at most 50) when the content is one JSON value per line; a one-line document counts too. */
  readonly lines?: readonly Json[];
  /** The whole document when the content is one JSON value. */
  readonly document?: Json;
  /** How the content begins when it is text and no JSON. */
  readonly text?: string;
  /** The content's first bytes when it is not text. */
  readonly bytes?: Uint8Array;
  /** The names of the files inside when the content is an archive. */
  readonly entries?: readonly string[];
  /** The tables inside when the content is a database. */
  readonly tables?: readonly TableShape[];
}

export interface ReadContext {
  /** The file's name as the user gave it, for errors. */
  readonly file: string;
  readonly lenient: boolean;
  /** Only what was done will be asked of the traces: a reader may drop what was said, or throw `ContentNeeded` if it has to look back. */
  readonly onlySteps?: boolean;
  /** Throws a SpoorError that names the file, the line or the path inside the document; `hint` is what to do about it. */
  fail(message: string, at?: { line?: number; path?: string; hint?: string }): never;
}

/** Under `onlySteps`: what was dropped is needed after all, so the content has to be read again and kept. */
export class ContentNeeded extends Error {
  override readonly name = "ContentNeeded";
}

export interface LineReader {
  /** `arrived`: when the line came, for a stream that is read while it is written and has no clock of its own. */
  line(value: Json, lineNumber: number, arrived?: Clock): void;
  finish(): ImportedTrace[];
  /** Whether the content may end in the middle of a line: its writer can have been killed. Without this it may not. */
  mayEndTorn?(): boolean;
}

/** Reads a format in which every line is a trace of its own. */
export function traceLines(read: (value: Json, lineNumber: number) => ImportedTrace): LineReader {
  const traces: ImportedTrace[] = [];
  return {
    line: (value, lineNumber) => {
      traces.push(read(value, lineNumber));
    },
    finish: () => traces,
  };
}

/** Reads a format whose lines are the elements of what would otherwise be one document. */
export function collectLines(read: (values: Json[], arrivals: Arrivals) => ImportedTrace[]): LineReader {
  const values: Json[] = [];
  const arrivals = new Map<Json, Clock>();
  return {
    line: (value, _lineNumber, arrived) => {
      values.push(value);
      if (arrived !== undefined) arrivals.set(value, arrived);
    },
    finish: () => read(values, arrivals),
  };
}

/** When each line of a live stream came; empty for a file. */
export type Arrivals = ReadonlyMap<Json, Clock>;
