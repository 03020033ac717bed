/**
 * One file → its format and the records of its traces.
 *
 * Content is looked at in this order: bytes that are not text; a first line that is JSON by itself, then the content is
 * lines (and streams through the format's line reader) or a one-line document; anything else is one JSON document.
 */
import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { JsonSyntaxError, type RecordedJson } from "@spoor/core/internal/trace/parse-json";
import { present } from "@spoor/core/internal/trace/present";
import { documentSample, formatNamed, formatOf, linesSample, SAMPLE_LINES } from "../formats/choose-format.ts";
import type { Format, ImportedTrace, LineReader, ReadContext } from "../formats/format.ts";
import { type Companions, findCompanions } from "./claude-companions.ts";
import { type Input, openInput } from "./input.ts";
import { forEachLine, forEachLineOf, MAX_LINE_BYTES, type OnBadLine, type VisitLine } from "./lines.ts";
import { parseDocument, parseDocuments } from "./parse-document.ts";
import { RequestLines } from "./request-lines.ts";
import { badJson, emptyTrace, unknownFormat } from "./trace-errors.ts";
import { loadUnzstd } from "./unpack-zstd.ts";
import { holdsZstd, isZip, openZip } from "./zip.ts";

export interface LoadOptions {
  /** Skip lines and accept ends that cannot be read, and count them. */
  readonly lenient?: boolean;
  /** A format's name: no recognition. */
  readonly from?: string;
  readonly stdin?: Readable;
  /** The content itself; the path is then only what errors call it. */
  readonly bytes?: Buffer;
  /** Called before each file; for progress. */
  readonly onFile?: (file: string, index: number, total: number) => void;
}

export interface TraceFile {
  readonly format: string;
  readonly imported: readonly ImportedTrace[];
  /** The document, or the first lines; empty for bytes. */
  readonly head: readonly Json[];
  readonly skippedLines: number;
  /** Last lines that break off and were dropped. */
  readonly torn: number;
  /** Values that were NaN or Infinity and are read as absent. */
  readonly notNumbers: number;
  readonly truncated: boolean;
}

const MAX_DOCUMENT_BYTES = 1024 ** 3;

export async function readTraceFile(file: string, options: LoadOptions): Promise<TraceFile> {
  const lenient = options.lenient ?? false;
  const input = openInput(file, present({ lenient, stdin: options.stdin, bytes: options.bytes }));
  const chunks = input.chunks[Symbol.asyncIterator]();
  const head = input.whole === undefined ? await readHead(chunks) : { bytes: input.whole, done: true };
  const context = createContext(file, lenient, options.bytes === undefined);
  const forced = options.from === undefined ? undefined : formatNamed(options.from);
  if (head.bytes.length === 0) throw emptyTrace(file);
  const rest = resume(head.bytes, chunks, head.done);
  if (forced !== undefined && isLinesOnly(forced)) return readLines(file, input, rest, context, forced);
  if (isBinary(head.bytes, head.done)) return readBinary(file, await readAll(file, rest), context, forced);
  const text = forced?.readText === undefined ? textFormatOf(head.bytes, head.done) : forced;
  if (text !== undefined && (forced === undefined || forced === text))
    return readText(text, input, await readAll(file, rest), context);
  if (beginsWithWholeLine(head.bytes, head.done)) return readLines(file, input, rest, context, forced);
  return readDocument(file, input, await readAll(file, rest), context, forced);
}

function isLinesOnly(format: Format): boolean {
  return format.openLines !== undefined && format.readDocument === undefined && format.readBytes === undefined;
}

interface Head {
  readonly bytes: Buffer;
  readonly done: boolean;
}

/** Enough of the content to see one whole line, or all of it when it is short. */
async function readHead(chunks: AsyncIterator<Buffer>): Promise<Head> {
  const parts: Buffer[] = [];
  let size = 0;
  for (;;) {
    const next = await chunks.next();
    if (next.done) return { bytes: Buffer.concat(parts), done: true };
    parts.push(next.value);
    size += next.value.length;
    if (hasTextLine(next.value) || size > MAX_LINE_BYTES) return { bytes: Buffer.concat(parts), done: false };
  }
}

function hasTextLine(chunk: Buffer): boolean {
  return chunk.includes(10) && /\S/.test(chunk.toString("latin1", 0, Math.max(1, chunk.indexOf(10))));
}

async function* resume(head: Buffer, chunks: AsyncIterator<Buffer>, done: boolean): AsyncGenerator<Buffer> {
  yield head;
  if (done) return;
  for (;;) {
    const next = await chunks.next();
    if (next.done) return;
    yield next.value;
  }
}

async function readAll(file: string, chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    size += chunk.length;
    if (size > MAX_DOCUMENT_BYTES) {
      throw new SpoorError("trace.too-large", `${file} is larger than 1 GiB, which is too much for one document.`, {
        at: { file },
        hint: "Split it, or use a line-based format such as .agentlog.",
      });
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}

/** NUL bytes and invalid UTF-8 in the first stretch, unless the text merely begins with a bad line. */
function isBinary(head: Buffer, done: boolean): boolean {
  const sample = head.subarray(0, 4096);
  if (sample.includes(0)) return true;
  const first = sample.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
  const looksLikeJson = first === 0x7b || first === 0x5b;
  return !looksLikeJson && !isUtf8(done ? sample : sample.subarray(0, Math.max(0, sample.length - 4)));
}

/** True when the first line that is not blank is a JSON value of its own, so that the content can be lines. */
function beginsWithWholeLine(head: Buffer, done: boolean): boolean {
  const text = firstTextLine(head, done);
  if (text === undefined || !/^[[{]/.test(text))
    return text !== undefined && !/^[\s[{"\d-]/.test(text) && head.includes(10);
  try {
    JSON.parse(text);
    return true;
  } catch {
    // A first line that begins like an object and is no JSON: broken lines, or a document over many lines.
    return /^\{.*[^\s{[,:]/.test(text) && text.length > 2 && !isPrettyPrinted(text) && head.includes(10);
  }
}

/** The first line of an indented document is short and opens something. */
function isPrettyPrinted(line: string): boolean {
  return /[{[,]\s*$/.test(line) && line.length < 200;
}

function firstTextLine(head: Buffer, done: boolean): string | undefined {
  let from = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  while (from < head.length) {
    const newline = head.indexOf(10, from);
    if (newline < 0 && !done) return undefined;
    const text = head.toString("utf8", from, newline < 0 ? head.length : newline).trim();
    if (text !== "") return text;
    if (newline < 0) return undefined;
    from = newline + 1;
  }
  return undefined;
}

/** Text for people: its first line is no JSON, and a format knows it. */
function textFormatOf(head: Buffer, done: boolean): Format | undefined {
  const first = firstTextLine(head, done);
  return first === undefined || /^[[{"\d]/.test(first) ? undefined : formatOf({ text: first });
}

function readText(format: Format, input: Input, bytes: Buffer, context: ReadContext): TraceFile {
  const imported = format.readText!(bytes.toString("utf8").replace(/^\uFEFF/, ""), context);
  const truncated = input.truncated();
  return { format: format.name, imported, head: [], skippedLines: 0, torn: 0, notNumbers: 0, truncated };
}

async function readBinary(
  file: string,
  bytes: Buffer,
  context: ReadContext,
  forced: Format | undefined,
): Promise<TraceFile> {
  if (isZip(bytes)) return readArchive(file, bytes, context, forced);
  const format = forced ?? formatOf({ bytes });
  if (format?.readBytes === undefined) throw unknownFormat(file, { bytes });
  return {
    format: format.name,
    imported: await format.readBytes(bytes, context),
    head: [],
    skippedLines: 0,
    torn: 0,
    notNumbers: 0,
    truncated: false,
  };
}

async function readArchive(
  file: string,
  bytes: Buffer,
  context: ReadContext,
  forced: Format | undefined,
): Promise<TraceFile> {
  const zip = openZip(file, bytes, holdsZstd(file, bytes) ? await loadUnzstd() : undefined);
  const sample = { bytes, entries: zip.names };
  const format = forced ?? formatOf(sample);
  if (format?.readArchive === undefined) throw unknownFormat(file, sample);
  let notNumbers = 0;
  const readJson = (name: string): Json => {
    const read = parseDocument(`${file}/${name}`, zip.read(name));
    notNumbers += read.notNumbers;
    return read.value;
  };
  const imported = format.readArchive({ names: zip.names, readJson }, context);
  return { format: format.name, imported, head: [], skippedLines: 0, torn: 0, notNumbers, truncated: false };
}

function readDocument(
  file: string,
  input: Input,
  bytes: Buffer,
  context: ReadContext,
  forced: Format | undefined,
): TraceFile {
  const parsed = parseDocuments(file, bytes);
  if (parsed.length > 1) return readValues(file, input, parsed, context, forced);
  const { value, notNumbers } = parsed[0]!;
  const sample = documentSample(value);
  const format = forced ?? formatOf(sample);
  if (format === undefined) throw unknownFormat(file, sample);
  return {
    format: format.name,
    imported: importDocument(format, value, context),
    head: [value],
    skippedLines: 0,
    torn: 0,
    notNumbers,
    truncated: input.truncated(),
  };
}

/** Indented documents one after the other, as console exporters print them, are lines that happen to be long. */
function readValues(
  file: string,
  input: Input,
  parsed: readonly RecordedJson[],
  context: ReadContext,
  forced: Format | undefined,
): TraceFile {
  const values = parsed.map(({ value }) => value);
  const sample = linesSample(values);
  const format = forced ?? formatOf(sample);
  if (format?.openLines === undefined) throw unknownFormat(file, sample);
  const reader = format.openLines(context);
  for (const [index, value] of values.entries()) reader.line(value, index + 1);
  return {
    format: format.name,
    imported: reader.finish(),
    head: sample.lines ?? [],
    skippedLines: 0,
    torn: 0,
    notNumbers: parsed.reduce((sum, one) => sum + one.notNumbers, 0),
    truncated: input.truncated(),
  };
}

function importDocument(format: Format, value: Json, context: ReadContext): ImportedTrace[] {
  if (format.readDocument !== undefined) return format.readDocument(value, context);
  const reader = format.openLines?.(context);
  if (reader === undefined) return context.fail(`cannot be read as ${format.name}: that format is not JSON`);
  reader.line(value, 1);
  return reader.finish();
}

async function readLines(
  file: string,
  input: Input,
  chunks: AsyncIterable<Buffer>,
  context: FileContext,
  forced: Format | undefined,
): Promise<TraceFile> {
  const stream = new LineStream(file, context, forced);
  const visit: VisitLine = (text, line, ended) => {
    stream.add(text, line, ended);
    return true;
  };
  const onBadLine: OnBadLine = (error, _line, ended) => stream.refuse(error, ended);
  if (input.whole === undefined) await forEachLine(file, chunks, visit, onBadLine);
  else forEachLineOf(file, input.whole, visit, onBadLine);
  const read = stream.finish();
  const { skipped: skippedLines, torn, notNumbers, head } = stream;
  return { ...read, head, skippedLines, torn, notNumbers, truncated: input.truncated() };
}

/** Holds the first lines back until the format is known, then passes every line straight to its reader. */
class LineStream {
  skipped = 0;
  torn = 0;
  notNumbers = 0;
  /** The last line is no JSON and no line break follows it; what that means depends on the format. */
  private tornEnd: SpoorError | undefined;
  private readonly file: string;
  private readonly context: FileContext;
  private readonly lines = new RequestLines();
  private format: Format | undefined;
  private reader: LineReader | undefined;
  readonly head: Json[] = [];
  private companions: Companions | undefined;
  private held: { value: Json; line: number }[] = [];
  /** An error in a held line is thrown only if the content turns out to be lines at all. */
  private goodLines = 0;

  constructor(file: string, context: FileContext, forced: Format | undefined) {
    this.file = file;
    this.context = context;
    this.format = forced;
    this.reader = forced?.openLines?.(context);
  }

  add(text: string, line: number, ended: boolean): void {
    let value: Json;
    try {
      const recorded = this.lines.parse(text);
      value = recorded.value;
      this.notNumbers += recorded.notNumbers;
    } catch (error) {
      if (!(error instanceof JsonSyntaxError)) throw error;
      if (text.trim() !== "") this.refuse(badJson(this.file, text, error, line, this.goodLines), ended);
      return;
    }
    this.goodLines++;
    if (this.head.length < SAMPLE_LINES) this.head.push(value);
    if (this.reader !== undefined) this.pass(value, line);
    else {
      this.held.push({ value, line });
      if (this.held.length === SAMPLE_LINES && this.format === undefined) this.decide();
    }
  }

  refuse(error: SpoorError, ended: boolean): void {
    if (ended || error.code === "trace.line-too-large") this.reject(error);
    else this.tornEnd = error;
  }

  private reject(error: SpoorError): void {
    if (!this.context.lenient) throw error;
    this.skipped++;
  }

  finish(): { format: string; imported: readonly ImportedTrace[] } {
    if (this.tornEnd !== undefined) this.judgeTornEnd(this.tornEnd);
    if (this.held.length === 1 && this.reader === undefined) return this.finishDocument(this.held[0]!.value);
    if (this.reader === undefined) this.decide();
    for (const value of this.companions?.rest() ?? []) this.reader!.line(value, 0);
    return { format: this.format!.name, imported: this.reader!.finish() };
  }

  /** Dropped and counted where a writer can have been killed; everywhere else a line that cannot be read is an error. */
  private judgeTornEnd(error: SpoorError): void {
    const format =
      this.format ?? (this.held.length === 0 ? undefined : formatOf(linesSample(this.held.map((one) => one.value))));
    if (this.reader === undefined && format?.openLines !== undefined && this.held.length > 0) this.decide();
    if (this.reader?.mayEndTorn?.()) this.torn++;
    else this.reject(error);
  }

  /** A single line may be a whole document of a format that has no lines. */
  private finishDocument(value: Json): { format: string; imported: readonly ImportedTrace[] } {
    const sample = documentSample(value);
    const format = this.format ?? formatOf(sample);
    if (format === undefined) throw unknownFormat(this.file, sample);
    return { format: format.name, imported: importDocument(format, value, this.context) };
  }

  private decide(): void {
    const sample = linesSample(this.held.map((entry) => entry.value));
    if (this.held.length === 0) throw emptyTrace(this.file);
    this.format ??= formatOf(sample);
    if (this.format === undefined) throw unknownFormat(this.file, sample);
    if (this.format.openLines === undefined)
      this.context.fail(`is lines of JSON, but ${this.format.title} is one document`);
    this.reader = this.format.openLines(this.context);
    if (this.format.name === "claude-code" && this.context.stands)
      this.companions = findCompanions(this.file, this.context.lenient);
    for (const { value, line } of this.held) this.pass(value, line);
    this.held = [];
  }

  private pass(value: Json, line: number): void {
    try {
      for (const before of this.companions?.before(value) ?? []) this.reader!.line(before, 0);
      this.reader!.line(value, line);
    } catch (error) {
      if (!(error instanceof SpoorError) || !this.context.lenient) throw error;
      this.skipped++;
    }
  }
}

/** `stands`: the content is that of a file on the disk, which may have companions. */
interface FileContext extends ReadContext {
  readonly stands: boolean;
}

function createContext(file: string, lenient: boolean, stands: boolean): FileContext {
  return {
    file,
    stands,
    lenient,
    fail(message, { hint, ...at } = {}) {
      const place = at.line === undefined ? file : `${file}:${at.line}`;
      throw new SpoorError("trace.bad-record", `${place}${at.path === undefined ? "" : ` (${at.path})`} ${message}.`, {
        at: { file, ...at },
        hint:
          hint ??
          (at.line === undefined
            ? "Compare it with a file that works: spoor formats"
            : "To skip such lines and count them, add --lenient."),
      });
    },
  };
}
