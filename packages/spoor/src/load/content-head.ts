/** The beginning of some content: what can be told from it about the rest. */
import { isUtf8 } from "node:buffer";
import { MAX_LINE_BYTES } from "./lines.ts";

interface Head {
  readonly bytes: Buffer;
  readonly done: boolean;
}

/** Enough of the content to see one whole line, or all of it when it is short. */
export async function readHead(chunks: AsyncIterator<Buffer>): Promise<Head> {
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

export async function* resume(head: Buffer, chunks: AsyncIterator<Buffer>, done: boolean): AsyncGenerator<Buffer> {
  yield head;
  if (done) return;
  for (;;) {
    const next = await chunks.next();
    if (next.done) return;
    yield next.value;
  }
}

/** NUL bytes and invalid UTF-8 in the first stretch, unless the text merely begins with a bad line. */
export function isBinary(head: Buffer, done: boolean): boolean {
  const sample = head.subarray(0, 4096);
  if (sample.includes(0)) return true;
  const first = sample.find((byte) => byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf);
  const looksLikeJson = first === 0x7b || first === 0x5b;
  return !looksLikeJson && !isUtf8(done ? sample : sample.subarray(0, Math.max(0, sample.length - 4)));
}

/** True when the first line that is not blank is a JSON value of its own, so that the content can be lines. */
export function beginsWithWholeLine(head: Buffer, done: boolean): boolean {
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

export function firstTextLine(head: Buffer, done: boolean): string | undefined {
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
