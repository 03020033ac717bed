/** A record of a table: a header of types, then the values. */
import type { SqlValue } from "../../formats/database.ts";
import type { TextEncoding } from "./pages.ts";
import { DamagedDatabase } from "./sqlite-error.ts";

/** Values of a record, at most `columns` of them: a row that is older than a column ends before it. */
export function readRecord(payload: Buffer, columns: number, encoding: TextEncoding): SqlValue[] {
  const header = readVarint(payload, 0);
  const end = Number(header.value);
  if (end < header.next || end > payload.length) throw new DamagedDatabase("a row has a header that does not fit");
  const values: SqlValue[] = [];
  let at = end;
  for (let next = header.next; next < end && values.length < columns; ) {
    const type = readVarint(payload, next);
    next = type.next;
    if (next > end) throw new DamagedDatabase("a row has a header that does not fit");
    const size = sizeOf(type.value);
    if (at + size > payload.length) throw new DamagedDatabase("a row ends early");
    values.push(readValue(payload, at, Number(type.value), size, encoding));
    at += size;
  }
  return values;
}

export interface Varint {
  readonly value: bigint | number;
  readonly next: number;
}

/** One to nine bytes, the highest bit of each saying whether another follows. */
export function readVarint(bytes: Buffer, from: number): Varint {
  let value = 0;
  for (let index = 0; index < 7; index++) {
    const byte = byteAt(bytes, from + index);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, next: from + index + 1 };
  }
  let long = BigInt(value);
  const eighth = byteAt(bytes, from + 7);
  long = (long << 7n) | BigInt(eighth & 0x7f);
  if (eighth < 0x80) return { value: safe(long), next: from + 8 };
  return { value: safe(BigInt.asIntN(64, (long << 8n) | BigInt(byteAt(bytes, from + 8)))), next: from + 9 };
}

function byteAt(bytes: Buffer, at: number): number {
  const byte = bytes[at];
  if (byte === undefined) throw new DamagedDatabase("a number ends early");
  return byte;
}

const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

function sizeOf(type: bigint | number): number {
  const number = Number(type);
  if (number >= 12) return Math.floor((number - 12) / 2);
  const size = number < 0 ? undefined : SIZES[number];
  if (size === undefined) throw new DamagedDatabase(`a value has the unknown type ${type}`);
  return size;
}

function readValue(bytes: Buffer, at: number, type: number, size: number, encoding: TextEncoding): SqlValue {
  if (type === 0) return null;
  if (type === 7) return bytes.readDoubleBE(at);
  if (type === 8 || type === 9) return type - 8;
  if (type === 6) return safe(bytes.readBigInt64BE(at));
  if (type < 6) return bytes.readIntBE(at, size);
  const content = bytes.subarray(at, at + size);
  if (type % 2 === 0) return content;
  if (encoding === "utf8") return content.toString("utf8");
  if (encoding === "utf16le") return content.toString("utf16le");
  return Buffer.from(content.subarray(0, size - (size % 2)))
    .swap16()
    .toString("utf16le");
}

function safe(value: bigint): bigint | number {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
