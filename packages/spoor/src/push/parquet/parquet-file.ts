/**
 * A Parquet file of flat rows: columns that may be empty, plain values, pages packed with gzip, a row group for every so many rows. Every reader of Parquet
 * reads these (DuckDB, Arrow, Spark, pandas), and it is two hundred lines instead of a database of seventy megabytes.
 * The format: https://parquet.apache.org/docs/file-format/
 */
import { gzipSync } from "node:zlib";
import { type Thrift, thrift, writeThrift } from "./compact-thrift.ts";

export type ColumnKind = "text" | "integer" | "number" | "boolean" | "time" | "date";
export type ColumnValue = string | number | bigint | boolean | undefined;

export interface Column<Row> {
  readonly name: string;
  /** `time`: milliseconds since 1970, UTC; `date`: days since then. */
  readonly kind: ColumnKind;
  /** Undefined is null: not known, never 0. */
  readonly value: (row: Row) => ColumnValue;
}

export interface ParquetFile<Row> {
  readonly rows: number;
  add(row: Row): void;
  /** The whole file, in pieces. */
  finish(): readonly Uint8Array[];
}

/** Rows whose values are held; what is before them is packed already. */
const GROUP_ROWS = 20_000;

export function createParquetFile<Row>(
  columns: readonly Column<Row>[],
  { groupRows = GROUP_ROWS }: { readonly groupRows?: number } = {},
): ParquetFile<Row> {
  const pieces: Uint8Array[] = [MAGIC];
  const groups: Thrift[] = [];
  let offset = MAGIC.length;
  let written = 0;
  let waiting = 0;
  // Values and not rows: a row may hold a whole recording.
  const held: ColumnValue[][] = columns.map(() => []);

  function closeGroup(): void {
    if (waiting === 0) return;
    const chunks = columns.map((column, place) => {
      const { bytes, plainBytes } = pageOf(column.kind, held[place]!.splice(0));
      const chunk = chunkOf(column, { offset, values: waiting, bytes: bytes.length, plainBytes });
      pieces.push(bytes);
      offset += bytes.length;
      return { chunk, plainBytes };
    });
    const plainBytes = chunks.reduce((sum, chunk) => sum + chunk.plainBytes, 0);
    groups.push(
      thrift.struct({
        1: thrift.list(
          "struct",
          chunks.map(({ chunk }) => chunk),
        ),
        2: thrift.i64(plainBytes),
        3: thrift.i64(waiting),
      }),
    );
    written += waiting;
    waiting = 0;
  }

  return {
    get rows() {
      return written + waiting;
    },
    add(row) {
      for (const [place, { value }] of columns.entries()) held[place]!.push(value(row));
      if (++waiting >= groupRows) closeGroup();
    },
    finish() {
      closeGroup();
      const footer = writeThrift({
        1: thrift.i32(1),
        2: thrift.list("struct", schemaOf(columns)),
        3: thrift.i64(written),
        4: thrift.list("struct", groups),
        6: thrift.text("spoor"),
      });
      const length = Buffer.alloc(4);
      length.writeUInt32LE(footer.length);
      return [...pieces, footer, length, MAGIC];
    },
  };
}

const MAGIC = Buffer.from("PAR1");
const PLAIN = 0;
const RLE = 3;
const GZIP = 2;
const OPTIONAL = 1;
const DATA_PAGE = 0;

/** The physical type, the older name of what it means, and the newer one. */
const KINDS: Readonly<Record<ColumnKind, { type: number; converted?: number; logical?: Thrift }>> = {
  boolean: { type: 0 },
  date: { type: 1, converted: 6, logical: thrift.struct({ 6: thrift.struct({}) }) },
  integer: { type: 2 },
  time: {
    type: 2,
    converted: 9,
    logical: thrift.struct({
      8: thrift.struct({ 1: thrift.boolean(true), 2: thrift.struct({ 1: thrift.struct({}) }) }),
    }),
  },
  number: { type: 5 },
  text: { type: 6, converted: 0, logical: thrift.struct({ 1: thrift.struct({}) }) },
};

function schemaOf(columns: readonly Column<never>[]): Thrift[] {
  const root = thrift.struct({ 4: thrift.text("row"), 5: thrift.i32(columns.length) });
  const leaves = columns.map(({ name, kind }) => {
    const { type, converted, logical } = KINDS[kind];
    return thrift.struct({
      1: thrift.i32(type),
      3: thrift.i32(OPTIONAL),
      4: thrift.text(name),
      6: converted === undefined ? undefined : thrift.i32(converted),
      10: logical,
    });
  });
  return [root, ...leaves];
}

interface Chunk {
  readonly offset: number;
  readonly values: number;
  readonly bytes: number;
  readonly plainBytes: number;
}

function chunkOf({ name, kind }: Column<never>, { offset, values, bytes, plainBytes }: Chunk): Thrift {
  const meta = thrift.struct({
    1: thrift.i32(KINDS[kind].type),
    2: thrift.list("i32", [thrift.i32(PLAIN), thrift.i32(RLE)]),
    3: thrift.list("text", [thrift.text(name)]),
    4: thrift.i32(GZIP),
    5: thrift.i64(values),
    6: thrift.i64(plainBytes),
    7: thrift.i64(bytes),
    9: thrift.i64(offset),
  });
  return thrift.struct({ 2: thrift.i64(offset), 3: meta });
}

/** One page for each column of a group, with its header. */
function pageOf(kind: ColumnKind, values: readonly ColumnValue[]): { bytes: Buffer; plainBytes: number } {
  const there = values.filter((value) => value !== undefined);
  const plain = Buffer.concat([presence(values), plainValues(kind, there)]);
  const packed = gzipSync(plain);
  const header = writeThrift({
    1: thrift.i32(DATA_PAGE),
    2: thrift.i32(plain.length),
    3: thrift.i32(packed.length),
    5: thrift.struct({ 1: thrift.i32(values.length), 2: thrift.i32(PLAIN), 3: thrift.i32(RLE), 4: thrift.i32(RLE) }),
  });
  return { bytes: Buffer.concat([header, packed]), plainBytes: header.length + plain.length };
}

/** Which rows have a value: one run of bits in groups of eight, with its length before it. */
function presence(values: readonly ColumnValue[]): Buffer {
  const bits = packBits(values.map((value) => value !== undefined));
  const head: number[] = [];
  // The lowest bit says that it is a run of bits; groups are fewer than 2^20.
  for (let rest = bits.length * 2 + 1; ; rest >>>= 7) {
    if (rest < 0x80) {
      head.push(rest);
      break;
    }
    head.push((rest & 0x7f) | 0x80);
  }
  const length = Buffer.alloc(4);
  length.writeUInt32LE(head.length + bits.length);
  return Buffer.concat([length, Buffer.from(head), bits]);
}

function packBits(bits: readonly boolean[]): Buffer {
  const bytes = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [place, bit] of bits.entries()) if (bit) bytes[place >> 3]! |= 1 << (place & 7);
  return bytes;
}

function plainValues(kind: ColumnKind, values: readonly ColumnValue[]): Buffer {
  switch (kind) {
    case "boolean":
      return packBits(values.map((value) => value === true));
    case "text":
      return Buffer.concat(values.flatMap((value) => textOf(String(value))));
    case "number":
      return fixed(values, 8, (bytes, value, at) => bytes.writeDoubleLE(Number(value), at));
    case "date":
      return fixed(values, 4, (bytes, value, at) => bytes.writeInt32LE(Number(value), at));
    case "integer":
    case "time":
      return fixed(values, 8, (bytes, value, at) => bytes.writeBigInt64LE(BigInt.asIntN(64, wholeOf(value)), at));
  }
}

function wholeOf(value: ColumnValue): bigint {
  return typeof value === "bigint" ? value : BigInt(Math.round(Number(value)));
}

function textOf(text: string): [Buffer, Buffer] {
  const bytes = Buffer.from(text, "utf8");
  const length = Buffer.alloc(4);
  length.writeUInt32LE(bytes.length);
  return [length, bytes];
}

function fixed(
  values: readonly ColumnValue[],
  size: number,
  write: (bytes: Buffer, value: ColumnValue, at: number) => unknown,
): Buffer {
  const bytes = Buffer.alloc(values.length * size);
  for (const [place, value] of values.entries()) write(bytes, value, place * size);
  return bytes;
}
