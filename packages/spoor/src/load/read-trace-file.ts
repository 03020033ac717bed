/**
 * One file → its format and the records of its traces.
 *
 * Content is looked at in this order: bytes that are not text; a first line that is JSON by itself, then the content is
 * lines (and streams through the format's line reader) or a one-line document; anything else is one JSON document.
 */
import type { Readable } from "node:stream";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { RecordedJson } from "@spoor/core/internal/trace/parse-json";
import { present } from "@spoor/core/internal/trace/present";
import { documentSample, formatNamed, formatOf, linesSample } from "../formats/choose-format.ts";
import type { Format, ImportedTrace, ReadContext } from "../formats/format.ts";
import { requireAsSeen, type Seen } from "./changed-file.ts";
import { beginsWithWholeLine, firstTextLine, isBinary, readHead, resume } from "./content-head.ts";
import { createContext, type FileContext, importDocument } from "./file-context.ts";
import { type Input, openInput } from "./input.ts";
import { LineStream } from "./line-stream.ts";
import { forEachLine, forEachLineOf, type OnBadLine, type VisitLine } from "./lines.ts";
import { parseDocument, parseDocuments } from "./parse-document.ts";
import { withLargeDatabase } from "./sqlite/large-database.ts";
import { openSqlite } from "./sqlite/open-sqlite.ts";
import { type ByteSource, isSqlite } from "./sqlite/pages.ts";
import { readLogBeside } from "./sqlite/read-log-beside.ts";
import { emptyTrace, unknownFormat } from "./trace-errors.ts";
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
  /** What such content is called among traces, where its sender named a file. */
  readonly path?: string;
  /** An archive that holds more than so many bytes is refused (default 1 GiB). */
  readonly mostUnpacked?: number;
  /** Only what was done will be asked of the traces: what was said may be dropped while they are read. */
  readonly onlySteps?: boolean;
  /** A database on the disk of so many bytes or more is read page by page (default 256 MiB). */
  readonly largeDatabase?: number;
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

/** A database is known by its tables. */
const NO_BYTES = new Uint8Array();
const MAX_DOCUMENT_BYTES = 1024 ** 3;

export async function readTraceFile(file: string, options: LoadOptions): Promise<TraceFile> {
  const lenient = options.lenient ?? false;
  const context = createContext(file, lenient, options.bytes === undefined, options.onlySteps);
  const forced = options.from === undefined ? undefined : formatNamed(options.from);
  if (context.stands && file !== "-") {
    const large = withLargeDatabase(
      file,
      (source, seen) => readDatabase(file, source, context, forced, seen),
      options.largeDatabase,
    );
    if (large !== undefined) return large;
  }
  const input = openInput(file, present({ lenient, stdin: options.stdin, bytes: options.bytes }));
  const chunks = input.chunks[Symbol.asyncIterator]();
  const head = input.whole === undefined ? await readHead(chunks) : { bytes: input.whole, done: true };
  if (head.bytes.length === 0) throw emptyTrace(file);
  const rest = resume(head.bytes, chunks, head.done);
  if (forced !== undefined && isLinesOnly(forced)) return readLines(file, input, rest, context, forced);
  if (isBinary(head.bytes, head.done))
    return readBinary(file, await readAll(file, rest), context, forced, options.mostUnpacked, input.seen);
  const text = forced?.readText === undefined ? textFormatOf(head.bytes, head.done) : forced;
  if (text !== undefined && (forced === undefined || forced === text))
    return readText(text, input, await readAll(file, rest), context);
  if (beginsWithWholeLine(head.bytes, head.done)) return readLines(file, input, rest, context, forced);
  return readDocument(file, input, await readAll(file, rest), context, forced);
}

function isLinesOnly(format: Format): boolean {
  return format.openLines !== undefined && format.readDocument === undefined && format.readBytes === undefined;
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
  context: FileContext,
  forced: Format | undefined,
  mostUnpacked: number | undefined,
  seen: Seen | undefined,
): Promise<TraceFile> {
  if (isZip(bytes)) return readArchive(file, bytes, context, forced, mostUnpacked);
  if (isSqlite(bytes)) return readDatabase(file, bytes, context, forced, seen);
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
  mostUnpacked: number | undefined,
): Promise<TraceFile> {
  const zip = openZip(file, bytes, holdsZstd(file, bytes) ? await loadUnzstd() : undefined, mostUnpacked);
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

function readDatabase(
  file: string,
  content: Buffer | ByteSource,
  context: FileContext,
  forced: Format | undefined,
  seen: Seen | undefined,
): TraceFile {
  const database = openSqlite(file, content, context.stands ? readLogBeside(file) : undefined);
  const sample = { bytes: NO_BYTES, tables: database.tables };
  const format = forced ?? formatOf(sample);
  if (format?.readDatabase === undefined) throw unknownFormat(file, sample);
  const imported = format.readDatabase(database, context);
  // Its log is read after it, its pages when they are asked for: all of them must belong together.
  if (seen !== undefined) requireAsSeen(file, seen);
  return { format: format.name, imported, head: [], skippedLines: 0, torn: 0, notNumbers: 0, truncated: false };
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
