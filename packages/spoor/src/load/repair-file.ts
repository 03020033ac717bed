/**
 * An agent log whose writer was killed in the middle of a line: that line is cut off. The bytes are kept first, in `.run` beside
 * the file, where no command looks; then the file is shortened, which happens as a whole or not at all. Anything else that is
 * wrong with a file is left as it is.
 */
import { type FileHandle, open, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { isClosingRecord } from "@spoor/core/internal/trace/recording-facts";
import { agentlog } from "../formats/agentlog.ts";
import { MAX_LINE_BYTES } from "./lines.ts";
import { makeFolder } from "./make-folder.ts";
import { writeWhole } from "./write-file.ts";

/** Records are shorter than this, whole or torn. */
const MOST_TORN_BYTES = MAX_LINE_BYTES;

export interface Repair {
  /** What was cut off. */
  readonly bytes: number;
  /** Where the bytes are. */
  readonly kept: string;
}

/** Undefined when its last line is whole, or when it is no agent log: then there is nothing to repair. */
export async function repairFile(path: string): Promise<Repair | undefined> {
  // Opening a pipe would wait for its writer; whatever else is no file cannot be shortened either.
  if (!(await stat(path)).isFile()) return undefined;
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    const from = await startOfTornLine(file, size);
    if (from === undefined) return undefined;
    if (size - from > MOST_TORN_BYTES)
      throw notRepaired(
        path,
        `what would be cut off is longer than ${MOST_TORN_BYTES / 1024 ** 2} MiB, and no torn line`,
      );
    const torn = await readAt(file, from, size - from);
    if (from === 0) {
      if (!LOOKS_LIKE_RECORD.test(torn.toString("latin1", 0, 200))) return undefined;
      throw notRepaired(path, "not one record in it is whole");
    }
    if (!(await beginsLikeAgentlog(file))) return undefined;
    if (await endsClosed(file, from))
      throw notRepaired(path, "its recorder had closed it, so what follows is not the recorder's");
    const kept = join(dirname(path), ".run", `${basename(path)}.cut-at-${from}`);
    await keep(kept, torn).catch((error: unknown) => {
      throw notRepaired(path, `what is cut off cannot be kept: ${(error as Error).message}`, error);
    });
    await shorten(path, from, size);
    return { bytes: size - from, kept };
  } finally {
    await file.close();
  }
}

async function keep(kept: string, torn: Buffer): Promise<void> {
  await makeFolder(dirname(kept), { mode: 0o700 });
  await writeWhole(kept, torn, { durable: true, mode: 0o600 });
}

async function shorten(path: string, to: number, from: number): Promise<void> {
  const file = await open(path, "r+").catch((error: unknown) => {
    throw notRepaired(path, `it cannot be written: ${(error as Error).message}`, error);
  });
  try {
    if ((await file.stat()).size !== from) throw notRepaired(path, "it is being written");
    await file.truncate(to);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Undefined when the last line is whole, with or without the end of a line. */
async function startOfTornLine(file: FileHandle, size: number): Promise<number | undefined> {
  if (size === 0 || (await readAt(file, size - 1, 1))[0] === NEWLINE) return undefined;
  const from = await startOfLastLine(file, size);
  if (size - from > MOST_TORN_BYTES) return from;
  return isWhole(await readAt(file, from, size - from)) ? undefined : from;
}

const NEWLINE = 10;
const LOOKS_LIKE_RECORD = /^\s*\{\s*"(?:version|id|kind)"/;
const BLOCK_BYTES = 1 << 16;

/** Backwards in blocks: a torn line may be megabytes long, the file gigabytes. */
async function startOfLastLine(file: FileHandle, size: number): Promise<number> {
  for (let end = size; end > 0; ) {
    const start = Math.max(0, end - BLOCK_BYTES);
    const at = (await readAt(file, start, end - start)).lastIndexOf(NEWLINE);
    if (at >= 0) return start + at + 1;
    end = start;
  }
  return 0;
}

async function beginsLikeAgentlog(file: FileHandle): Promise<boolean> {
  const line = await lineAt(file, 0);
  return line !== undefined && agentlog.recognise({ lines: [line] }).score >= 0.5;
}

async function endsClosed(file: FileHandle, end: number): Promise<boolean> {
  const line = await lineAt(file, await startOfLastLine(file, end - 1));
  return line !== undefined && isClosingRecord(line as unknown as TraceRecord);
}

/** The line that begins there, read; undefined when it is no JSON. */
async function lineAt(file: FileHandle, from: number) {
  const parts: Buffer[] = [];
  for (let at = from; ; at += BLOCK_BYTES) {
    const block = await readAt(file, at, BLOCK_BYTES);
    const end = block.indexOf(NEWLINE);
    parts.push(end < 0 ? block : block.subarray(0, end));
    if (end >= 0 || block.length < BLOCK_BYTES) break;
  }
  try {
    return parseJson(Buffer.concat(parts).toString("utf8"));
  } catch {
    return undefined;
  }
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}

/** Only the end of the line is missing: it is read as any other. */
function isWhole(line: Buffer): boolean {
  try {
    parseJson(line.toString("utf8"));
    return true;
  } catch {
    return false;
  }
}

function notRepaired(path: string, why: string, cause?: unknown): SpoorError {
  return new SpoorError("trace.not-repaired", `${path} cannot be repaired: ${why}.`, {
    at: { file: path },
    consequence: "The file is as it was.",
    cause,
  });
}
