/**
 * Lines of text from chunks of bytes: checked UTF-8, at most 16 MiB each, numbered from 1. A line ends with `\n`; a
 * trailing `\r` is not part of it; a byte order mark at the very beginning is skipped.
 */
import { isUtf8 } from "node:buffer";
import { SpoorError } from "@spoor/core/internal/errors";

export const MAX_LINE_BYTES = 16 * 1024 * 1024;
/** A line of which more than this was seen has no end that anyone waits for, not even to skip it. */
const ENDLESS_BYTES = 1024 ** 3;

/** Called for every line, blank ones included; it returns false to stop the reading. `ended`: a line break follows. */
export type VisitLine = (text: string, lineNumber: number, ended: boolean) => boolean;
export type OnBadLine = (error: SpoorError, lineNumber: number, ended: boolean) => void;

export async function forEachLine(
  file: string,
  chunks: AsyncIterable<Buffer>,
  visit: VisitLine,
  onBadLine: OnBadLine = (error) => {
    throw error;
  },
): Promise<void> {
  const splitter = new LineSplitter(file, visit, onBadLine);
  for await (const chunk of chunks) if (!splitter.add(chunk)) return;
  splitter.finish();
}

/** The same over bytes that are all there. */
export function forEachLineOf(file: string, bytes: Buffer, visit: VisitLine, onBadLine: OnBadLine): void {
  const splitter = new LineSplitter(file, visit, onBadLine);
  if (splitter.add(bytes)) splitter.finish();
}

class LineSplitter {
  private carried: Buffer[] = [];
  private carriedBytes = 0;
  private lineNumber = 0;
  private stopped = false;
  private ended = true;
  private readonly file: string;
  private readonly visit: VisitLine;
  private readonly onBadLine: OnBadLine;

  constructor(file: string, visit: VisitLine, onBadLine: OnBadLine) {
    this.file = file;
    this.visit = visit;
    this.onBadLine = onBadLine;
  }

  /** False once the visitor has seen enough. */
  add(chunk: Buffer): boolean {
    let from = 0;
    const last = chunk.lastIndexOf(10);
    if (last >= 0) {
      if (this.carriedBytes > 0) {
        const end = chunk.indexOf(10);
        this.carry(chunk.subarray(0, end));
        this.emitCarried();
        from = end + 1;
      }
      // One check for the whole chunk; only when it fails is each line looked at alone.
      const clean = isUtf8(chunk.subarray(from, last + 1));
      while (from <= last && !this.stopped) {
        const end = chunk.indexOf(10, from);
        this.emit(chunk, from, end, clean);
        from = end + 1;
      }
    }
    if (from < chunk.length && !this.stopped) this.carry(chunk.subarray(from));
    return !this.stopped;
  }

  finish(): void {
    this.ended = false;
    if (this.carriedBytes > 0 && !this.stopped) this.emitCarried();
  }

  private carry(bytes: Buffer): void {
    this.carriedBytes += bytes.length;
    // Beyond the limit only the length matters: a line without end must not fill the memory.
    if (this.carriedBytes <= MAX_LINE_BYTES) this.carried.push(bytes);
    // A device has no other line than this one: nobody would ever hear of it.
    if (this.carriedBytes > ENDLESS_BYTES) throw this.tooLong();
  }

  private emitCarried(): void {
    const tooLong = this.carriedBytes > MAX_LINE_BYTES;
    const bytes = Buffer.concat(this.carried);
    this.carried = [];
    this.carriedBytes = 0;
    if (tooLong) this.reject(this.tooLong());
    else this.emit(bytes, 0, bytes.length, false);
  }

  private emit(bytes: Buffer, from: number, end: number, clean: boolean): void {
    if (end - from >= MAX_LINE_BYTES) {
      this.reject(this.tooLong());
      return;
    }
    let to = end;
    while (to > from && bytes[to - 1] === 13) to--;
    if (this.lineNumber === 0 && bytes[from] === 0xef && bytes[from + 1] === 0xbb && bytes[from + 2] === 0xbf)
      from += 3;
    if (!clean && !isUtf8(bytes.subarray(from, to))) {
      this.reject(this.notUtf8(bytes.subarray(from, to)));
      return;
    }
    this.lineNumber++;
    if (!this.visit(bytes.toString("utf8", from, to), this.lineNumber, this.ended)) this.stopped = true;
  }

  private reject(error: SpoorError): void {
    this.lineNumber++;
    this.onBadLine(error, this.lineNumber, this.ended);
  }

  private tooLong(): SpoorError {
    const line = this.lineNumber + 1;
    return new SpoorError("trace.line-too-large", `${this.file}:${line} is longer than 16 MiB.`, {
      at: { file: this.file, line, column: 1 },
      hint: "To skip it and count it, add --lenient.",
    });
  }

  private notUtf8(bytes: Buffer): SpoorError {
    const line = this.lineNumber + 1;
    const column = firstBadByte(bytes) + 1;
    return new SpoorError("trace.bad-utf8", `${this.file}:${line}:${column} is not valid UTF-8.`, {
      at: { file: this.file, line, column },
      hint: "Save the file as UTF-8. To skip such lines and count them, add --lenient.",
    });
  }
}

/** Longest valid prefix, by bisection: `isUtf8` is far faster than any loop of ours. */
export function firstBadByte(bytes: Buffer): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (isValidPrefix(bytes, middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A prefix may end inside a character; up to three bytes of it are tolerated. */
function isValidPrefix(bytes: Buffer, length: number): boolean {
  for (let trim = 0; trim <= 3 && trim <= length; trim++) {
    if (isUtf8(bytes.subarray(0, length - trim))) {
      const tail = bytes.subarray(length - trim, length);
      return (
        trim === 0 || (tail[0]! >= 0xc2 && tail[0]! <= 0xf4 && tail.subarray(1).every((byte) => (byte & 0xc0) === 0x80))
      );
    }
  }
  return false;
}
