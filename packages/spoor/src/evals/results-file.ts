/**
 * The results of a run on disk. Every finished run is one line, appended in one go, so that a killed process loses nothing but what
 * was still running, and several processes may write one file. When the last of them is done the file is put into the order of the plan:
 * the same file, however many workers there were and however often it was interrupted. What is no file (a device, a pipe) gets the lines as
 * they come.
 */
import { closeSync, fstatSync, ftruncateSync, openSync, readSync, statSync, truncateSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { makeFolder } from "../load/make-folder.ts";
import { writeDestination } from "../load/write-destination.ts";
import { unwritableError, writeFileAtomically } from "../load/write-file.ts";
import type { Owner } from "../store/file-lock.ts";
import { parseRecord, placeOf, readLines } from "./read-results.ts";
import { joinWriters, type Writers } from "./results-writers.ts";

export interface ResultsFile {
  readonly path: string;
  append(record: RunRecord): void;
  /** Puts the file in order: what the plan does not speak of first, then these places (read-results.ts). */
  finish(places: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

export interface OpenResultsOptions {
  /** What is in the file may go. */
  readonly overwrite: boolean;
}

export async function openResultsFile(path: string, { overwrite }: OpenResultsOptions): Promise<ResultsFile> {
  const destination = await destinationOf(path);
  if (destination.kind === "stream") return appendOnly(path, openSync(path, "a"));
  const file = destination.path;
  let isTorn = false;
  const writers = await joinWriters(file, async (others) => {
    if (others.length > 0 && overwrite) throw inUse(path, others[0]!);
    if (overwrite || !statSync(file, { throwIfNoEntry: false })) await writeFileAtomically(file, "");
    isTorn = mendTail(file, others.length > 0);
  });
  try {
    return orderly(path, file, openSync(file, "a"), writers, isTorn);
  } catch (error) {
    await writers.leave();
    throw unwritableError(path, error);
  }
}

export async function destinationOf(path: string) {
  try {
    await makeFolder(dirname(path));
    return await writeDestination(path);
  } catch (error) {
    throw unwritableError(path, error);
  }
}

export function inUse(path: string, { pid, host }: Owner): SpoorError {
  return new SpoorError("eval.results-in-use", `${path} is being written by process ${pid} on ${host}.`, {
    at: { file: path },
    consequence: "Nothing was run.",
    hint: "Wait for it, or name another file with --results.",
  });
}

/** A last line that a killed process left half written goes. While others write it may be theirs: then it is left behind a line break. */
function mendTail(file: string, hasOthers: boolean): boolean {
  let tail: { offset: number; isWhole: boolean } | undefined;
  const { size } = statSync(file);
  if (size === 0 || lastByte(file, size) === BREAK) return false;
  if (hasOthers) return true;
  for (const line of readLines(file))
    if (!line.isEnded) tail = { offset: line.offset, isWhole: parseRecord(line.text()) !== undefined };
  if (tail === undefined || tail.isWhole) return true;
  truncateSync(file, tail.offset);
  return false;
}

const BREAK = 10;

function lastByte(file: string, size: number): number {
  const handle = openSync(file, "r");
  try {
    const byte = Buffer.alloc(1);
    readSync(handle, byte, 0, 1, size - 1);
    return byte[0]!;
  } finally {
    closeSync(handle);
  }
}

function appendOnly(path: string, handle: number): ResultsFile {
  let isOpen = true;
  return {
    path,
    append(record) {
      if (isOpen) writeLine(path, handle, lineOf(record));
    },
    finish: close,
    close,
  };

  async function close(): Promise<void> {
    if (isOpen) closeSync(handle);
    isOpen = false;
  }
}

interface Range {
  readonly place: string;
  readonly offset: number;
  readonly length: number;
}

function orderly(path: string, file: string, handle: number, writers: Writers, isTorn: boolean): ResultsFile {
  const before = fstatSync(handle).size;
  const written: Range[] = [];
  let size = before;
  let isOpen = true;
  return {
    path,
    append(record) {
      if (!isOpen) return;
      const bytes = lineOf(record);
      const gap = isTorn && written.length === 0 ? 1 : 0;
      writeLine(path, handle, gap === 0 ? bytes : Buffer.concat([Buffer.from("\n"), bytes]), size);
      written.push({ place: placeOf(record), offset: size + gap, length: bytes.length });
      size += bytes.length + gap;
    },
    async finish(places) {
      close();
      await writers.alone(async () => {
        await writers.leave();
        if ((await writers.others()).length > 0) return;
        // Nobody else wrote and there was nothing before: what stands where is known without reading it again.
        const isOurs = before === 0 && statSync(file).size === size;
        const ordered = inOrder(isOurs ? written : rangesOf(file), places);
        if (!isOurs || !isSorted(ordered) || ordered.length !== written.length)
          await writeFileAtomically(file, bytesOf(file, ordered));
      });
    },
    async close() {
      close();
      await writers.leave();
    },
  };

  function close(): void {
    if (isOpen) closeSync(handle);
    isOpen = false;
  }
}

function lineOf(record: RunRecord): Buffer {
  return Buffer.from(`${stringifyJson(record as unknown as Json)}\n`);
}

/** One write; a line that does not fit is taken back whole where nobody else has written since. */
function writeLine(path: string, handle: number, bytes: Buffer, size?: number): void {
  let done = 0;
  try {
    while (done < bytes.length) done += writeSync(handle, bytes, done);
  } catch (error) {
    if (size !== undefined && done > 0 && fstatSync(handle).size === size + done) ftruncateSync(handle, size);
    throw unwritableError(path, error);
  }
}

function* rangesOf(file: string): Generator<Range> {
  for (const { offset, length, isEnded, text } of readLines(file)) {
    const record = parseRecord(text());
    // What is no result is not ours to remove; only a torn end is.
    if (record !== undefined) yield { place: record.key === "" ? `line ${offset}` : placeOf(record), offset, length };
    else if (isEnded) yield { place: `line ${offset}`, offset, length };
  }
}

/** Of two results of one run the later counts. */
function inOrder(ranges: Iterable<Range>, places: readonly string[]): Range[] {
  const last = new Map<string, Range>();
  for (const range of ranges) last.set(range.place, range);
  const planned = new Set(places);
  const others = [...last.values()].filter(({ place }) => !planned.has(place));
  return [...others, ...places.flatMap((place) => last.get(place) ?? [])];
}

function isSorted(ranges: readonly Range[]): boolean {
  return ranges.every(({ offset }, index) => index === 0 || ranges[index - 1]!.offset < offset);
}

const CHUNK = 1 << 20;

function* bytesOf(file: string, ranges: readonly Range[]): Generator<Uint8Array> {
  const handle = openSync(file, "r");
  try {
    for (let index = 0; index < ranges.length; ) {
      const { offset } = ranges[index]!;
      let end = offset;
      // Neighbours are copied together.
      while (index < ranges.length && ranges[index]!.offset === end) end += ranges[index++]!.length;
      for (let at = offset; at < end; ) {
        const chunk = Buffer.allocUnsafe(Math.min(CHUNK, end - at));
        const read = readSync(handle, chunk, 0, chunk.length, at);
        if (read === 0) break;
        at += read;
        yield chunk.subarray(0, read);
        if (at === end && chunk[read - 1] !== BREAK) yield Buffer.from("\n");
      }
    }
  } finally {
    closeSync(handle);
  }
}
