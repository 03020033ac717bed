/**
 * The rows of a table, in the order of their ids: a tree of pages with rows in its leaves, long rows continued on pages of their own.
 * A page belongs to one place only; one that is met again is damage. So is a page whose rows are longer than itself. Both together keep
 * time and memory in proportion to the file, whatever it says.
 */
import type { Pages } from "./pages.ts";
import { HEADER_BYTES } from "./pages.ts";
import { readVarint } from "./read-record.ts";
import { DamagedDatabase } from "./sqlite-error.ts";

export interface StoredRow {
  readonly id: bigint | number;
  readonly payload: Buffer;
}

const LEAF = 13;
const INTERIOR = 5;
const INDEX_PAGES: ReadonlySet<number> = new Set([2, 10]);

export function* walkTable(pages: Pages, root: number): Generator<StoredRow> {
  const seen = new Set<number>();
  const waiting = [root];
  while (waiting.length > 0) {
    const number = waiting.pop()!;
    const page = take(pages, number, seen);
    const start = number === 1 ? HEADER_BYTES : 0;
    const type = page[start];
    const cells = page.readUInt16BE(start + 3);
    const pointers = start + (type === INTERIOR ? 12 : 8);
    if (pointers + 2 * cells > pages.usable) throw new DamagedDatabase(`page ${number} counts ${cells} rows`);
    if (type === LEAF) yield* rowsOf(pages, page, pointers, cells, seen);
    else if (type === INTERIOR) {
      waiting.push(page.readUInt32BE(start + 8));
      for (let index = cells - 1; index >= 0; index--) waiting.push(childAt(pages, page, pointers + 2 * index));
    } else if (INDEX_PAGES.has(type!)) throw new DamagedDatabase("a table is kept WITHOUT ROWID, which is not read");
    else throw new DamagedDatabase(`page ${number} is no page of a table`);
  }
}

function take(pages: Pages, number: number, seen: Set<number>): Buffer {
  if (seen.has(number)) throw new DamagedDatabase(`page ${number} stands at two places`);
  seen.add(number);
  return pages.page(number);
}

function childAt(pages: Pages, page: Buffer, pointer: number): number {
  const at = page.readUInt16BE(pointer);
  if (at + 4 > pages.usable) throw new DamagedDatabase("a branch lies outside of its page");
  return page.readUInt32BE(at);
}

function* rowsOf(pages: Pages, page: Buffer, pointers: number, cells: number, seen: Set<number>): Generator<StoredRow> {
  let room = pages.usable;
  const content = page.subarray(0, pages.usable);
  for (let index = 0; index < cells; index++) {
    const size = readVarint(content, page.readUInt16BE(pointers + 2 * index));
    const id = readVarint(content, size.next);
    const length = Number(size.value);
    if (length < 0 || length > pages.count * pages.usable) throw new DamagedDatabase("a row is longer than the file");
    const here = bytesInPage(length, pages.usable);
    room -= here;
    if (room < 0 || id.next + here > content.length) throw new DamagedDatabase("the rows of a page do not fit into it");
    const local = content.subarray(id.next, id.next + here);
    if (here === length) yield { id: id.value, payload: local };
    else {
      if (id.next + here + 4 > content.length) throw new DamagedDatabase("the rows of a page do not fit into it");
      yield { id: id.value, payload: withOverflow(pages, local, length, content.readUInt32BE(id.next + here), seen) };
    }
  }
}

/** How much of a row stands in its leaf. */
function bytesInPage(length: number, usable: number): number {
  const most = usable - 35;
  if (length <= most) return length;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const rest = least + ((length - least) % (usable - 4));
  return rest <= most ? rest : least;
}

function withOverflow(pages: Pages, local: Buffer, length: number, first: number, seen: Set<number>): Buffer {
  const parts = [local];
  let missing = length - local.length;
  for (let number = first; missing > 0; ) {
    const page = take(pages, number, seen);
    const part = page.subarray(4, Math.min(pages.usable, 4 + missing));
    parts.push(part);
    missing -= part.length;
    number = page.readUInt32BE(0);
  }
  return Buffer.concat(parts, length);
}
