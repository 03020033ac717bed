/**
 * One meaning of values on both engines. Text: PostgreSQL refuses NUL, the embedded engine cuts the text off at it, and neither keeps half a surrogate
 * pair; both become U+FFFD on the way in, also in what is asked for, so that a name is found again by the name it was given. JSON escapes them and
 * keeps them; bytes are kept as they are.
 */

export function bound(value: unknown): unknown {
  if (typeof value === "string") return cleanText(value);
  if (value === undefined) return null;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (typeof value === "number") return Object.is(value, -0) ? 0 : value;
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return value;
}

export function cleanText(text: string): string {
  return text.isWellFormed() && !text.includes("\0") ? text : text.toWellFormed().replaceAll("\0", "\uFFFD");
}

/** A row as both engines mean it: bytes as `Uint8Array`, numbers as numbers, nothing that the driver added. */
export function plainRow(row: Record<string, unknown>): Record<string, unknown> {
  const plain: Record<string, unknown> = {};
  for (const key of Object.keys(row)) {
    if (key !== "_metadata") plain[key] = plainValue(row[key]);
  }
  return plain;
}

function plainValue(value: unknown): unknown {
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (Buffer.isBuffer(value)) return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  if (typeof value === "bigint") return Number(value);
  return value;
}
