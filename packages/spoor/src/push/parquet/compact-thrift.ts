/**
 * Thrift's compact protocol, as far as the headers and the footer of Parquet need it: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
 * A struct is its fields by number, in ascending order; a field that is undefined is not written.
 */

export type Thrift =
  | { readonly type: "i32" | "i64"; readonly value: number }
  | { readonly type: "boolean"; readonly value: boolean }
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "list"; readonly of: "i32" | "text" | "struct"; readonly items: readonly Thrift[] }
  | { readonly type: "struct"; readonly fields: ThriftFields };

export type ThriftFields = Readonly<Record<number, Thrift | undefined>>;

export const thrift = {
  i32: (value: number): Thrift => ({ type: "i32", value }),
  i64: (value: number): Thrift => ({ type: "i64", value }),
  boolean: (value: boolean): Thrift => ({ type: "boolean", value }),
  text: (value: string): Thrift => ({ type: "text", value }),
  list: (of: "i32" | "text" | "struct", items: readonly Thrift[]): Thrift => ({ type: "list", of, items }),
  struct: (fields: ThriftFields): Thrift => ({ type: "struct", fields }),
};

export function writeThrift(fields: ThriftFields): Buffer {
  const bytes: number[] = [];
  writeStruct(bytes, fields);
  return Buffer.from(bytes);
}

const TYPES = { i32: 5, i64: 6, text: 8, list: 9, struct: 12 };
const TRUE = 1;
const FALSE = 2;
const STOP = 0;

function writeStruct(bytes: number[], fields: ThriftFields): void {
  let last = 0;
  for (const [key, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    const id = Number(key);
    // The value of a boolean is its type.
    const type = value.type === "boolean" ? (value.value ? TRUE : FALSE) : TYPES[value.type];
    // Numbers of fields grow by 1 to 15 in every struct of Parquet.
    bytes.push(((id - last) << 4) | type);
    last = id;
    writeValue(bytes, value);
  }
  bytes.push(STOP);
}

function writeValue(bytes: number[], value: Thrift): void {
  if (value.type === "struct") writeStruct(bytes, value.fields);
  else if (value.type === "list") writeList(bytes, value);
  else if (value.type === "text") {
    const text = Buffer.from(value.value, "utf8");
    writeVarint(bytes, text.length);
    for (const byte of text) bytes.push(byte);
  }
  // Zigzag; nothing that is written is negative.
  else if (value.type !== "boolean") writeVarint(bytes, value.value * 2);
}

function writeList(bytes: number[], { items, of }: Extract<Thrift, { readonly type: "list" }>): void {
  if (items.length < 15) bytes.push((items.length << 4) | TYPES[of]);
  else {
    bytes.push(0xf0 | TYPES[of]);
    writeVarint(bytes, items.length);
  }
  for (const item of items) writeValue(bytes, item);
}

/** Numbers up to 2^53. */
function writeVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  bytes.push(rest);
}
