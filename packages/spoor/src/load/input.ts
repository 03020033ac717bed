/**
 * Bytes from a file or from standard input, in chunks. Gzip is recognised by its first two bytes, never by the name.
 * A gzip that ends early is an error that says so; under `lenient` the good part is used and marked `truncated`.
 */
import { closeSync, createReadStream, fstatSync, statSync } from "node:fs";
import { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { SpoorError } from "@spoor/core/internal/errors";
import { changedFile, openForReading, readUnchanged, readUnchangedChunks, type Seen } from "./changed-file.ts";
import { openInFence } from "./fence.ts";
import { readPipe } from "./read-pipe.ts";
import { whyUnreadable } from "./why-unreadable.ts";

export interface InputOptions {
  readonly lenient: boolean;
  /** What `-` means. */
  readonly stdin?: Readable;
  /** The content itself; `file` is then only what errors call it. */
  readonly bytes?: Buffer;
}

export interface Input {
  readonly file: string;
  readonly chunks: AsyncIterable<Buffer>;
  /** All of it, when it is not large and not packed: a folder of thousands of files is read without waiting. */
  readonly whole?: Buffer;
  /** What the file looked like when reading it began; undefined for what is no file. */
  readonly seen?: Seen;
  /** True once a gzip turned out to be cut short (known only after reading to the end). */
  truncated(): boolean;
}

const CHUNK_BYTES = 1 << 20;
/** A file up to this size is read at once: a stream of chunks makes reading it a third slower, and this much memory is there. */
const WHOLE_BYTES = 32 << 20;

export function openInput(file: string, options: InputOptions): Input {
  const state = { truncated: false };
  const { source, seen } =
    options.bytes === undefined && file !== "-"
      ? openFile(file)
      : { source: options.bytes ?? options.stdin ?? process.stdin };
  return {
    file,
    chunks: readChunks(file, source, options, state),
    truncated: () => state.truncated,
    ...(Buffer.isBuffer(source) && !isGzip(source) ? { whole: source } : {}),
    ...(seen === undefined ? {} : { seen }),
  };
}

export function isGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

async function* readChunks(
  file: string,
  source: Readable | Buffer,
  options: InputOptions,
  state: { truncated: boolean },
): AsyncGenerator<Buffer> {
  const iterator = (
    Buffer.isBuffer(source) ? oneChunk(source) : source[Symbol.asyncIterator]()
  ) as AsyncIterator<Buffer>;
  try {
    const first = await iterator.next();
    if (first.done) return;
    const rest = prepend(first.value, iterator);
    if (isGzip(first.value)) yield* gunzip(file, rest, options, state);
    else yield* rest;
  } catch (error) {
    throw readError(file, error);
  }
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

async function* prepend(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  for (;;) {
    const next = await rest.next();
    if (next.done) return;
    yield next.value;
  }
}

async function* gunzip(
  file: string,
  chunks: AsyncIterable<Buffer>,
  options: InputOptions,
  state: { truncated: boolean },
): AsyncGenerator<Buffer> {
  const unzip = createGunzip({ chunkSize: CHUNK_BYTES });
  const feeding = feed(unzip, chunks);
  try {
    for await (const chunk of unzip) yield chunk as Buffer;
    await feeding;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === "Z_BUF_ERROR" && options.lenient) {
      state.truncated = true;
      return;
    }
    throw gzipError(file, error);
  }
}

/** What a file that begins like gzip and cannot be unpacked is refused with; any other error as it is. */
export function gzipError(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "Z_BUF_ERROR") {
    return new SpoorError("trace.truncated-gzip", `${file} ends early: the gzip stream is cut short.`, {
      at: { file },
      consequence: "A trace without its end can hide a violation, so it is not used.",
      hint: 'Copy it again, or accept what could be read with --lenient (the report then says "truncated").',
      cause: error,
    });
  }
  if (code?.startsWith("Z_")) {
    return new SpoorError("trace.bad-gzip", `${file} is damaged: it begins like gzip but cannot be unpacked.`, {
      at: { file },
      consequence: "Nothing of it was used.",
      hint: "Copy it again from its source.",
      cause: error,
    });
  }
  return error;
}

async function feed(unzip: ReturnType<typeof createGunzip>, chunks: AsyncIterable<Buffer>): Promise<void> {
  try {
    for await (const chunk of chunks) {
      if (!unzip.write(chunk)) await drainedOrClosed(unzip);
      if (unzip.destroyed) return;
    }
    unzip.end();
  } catch (error) {
    unzip.destroy(error as Error);
  }
}

/** Leaves no listener behind: a long file waits often, and Node warns of many. */
function drainedOrClosed(unzip: ReturnType<typeof createGunzip>): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      unzip.off("drain", go).off("close", go);
      resolve();
    };
    unzip.on("drain", go).on("close", go);
  });
}

interface Opened {
  readonly source: Readable | Buffer;
  readonly seen?: Seen;
}

function openFile(file: string): Opened {
  try {
    const handle = openInFence(file);
    if (handle !== undefined) return readHandle(file, handle);
    const status = statSync(file);
    if (status.isDirectory()) {
      throw new SpoorError("input.is-folder", `${file} is a folder, not a file.`, { at: { file } });
    }
    if (status.isFile()) return readHandle(file, openForReading(file));
    if (status.isFIFO()) return { source: Readable.from(readPipe(file), { objectMode: false }) };
  } catch (error) {
    throw readError(file, error);
  }
  return { source: createReadStream(file, { highWaterMark: CHUNK_BYTES }) };
}

function readHandle(file: string, handle: number): Opened {
  let isStreamed = false;
  try {
    const seen = fstatSync(handle);
    if (!seen.isFile()) throw changedFile(file);
    isStreamed = seen.size > WHOLE_BYTES;
    const source = isStreamed
      ? Readable.from(closing(handle, readUnchangedChunks(file, handle)), { objectMode: false })
      : readUnchanged(file, handle);
    return { source, seen };
  } finally {
    if (!isStreamed) closeSync(handle);
  }
}

function* closing(handle: number, chunks: Iterable<Buffer>): Generator<Buffer> {
  try {
    yield* chunks;
  } finally {
    closeSync(handle);
  }
}

function readError(file: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof SpoorError || code === undefined) return error;
  const isMissing = code === "ENOENT" || code === "ENOTDIR";
  return new SpoorError(isMissing ? "input.missing" : "input.unreadable", `${file} ${whyUnreadable(error)}.`, {
    at: { file },
    ...(isMissing ? { hint: "Check the path; folders and globs like traces/*.json work too." } : {}),
    cause: error,
  });
}
