/**
 * Zstandard, which Node unpacks itself since 22.15 and an older Node with the help of `fzstd`. That package is loaded only by whoever
 * meets such bytes on an older Node, and only then: it is an optional dependency, and without it the caller says what else helps.
 */
import * as zlib from "node:zlib";

/** Unpacks at most `size` bytes; more is an error. */
export type Unzstd = (packed: Buffer, size: number) => Buffer;

type NodeUnzstd = (bytes: Buffer, limit: { maxOutputLength: number }) => Buffer;

/** Undefined where neither Node nor the optional package can do it. */
export async function loadUnzstd(): Promise<Unzstd | undefined> {
  // The types are those of the oldest Node that Spoor runs on.
  const ofNode = (zlib as { zstdDecompressSync?: NodeUnzstd }).zstdDecompressSync;
  if (ofNode !== undefined) return (packed, size) => ofNode(packed, { maxOutputLength: Math.max(1, size) });
  try {
    const { Decompress } = await import("fzstd");
    return (packed, size) => unpackStream(Decompress, packed, size);
  } catch {
    return undefined;
  }
}

/** As a stream, because a file may be several frames, and so that what is too large is noticed before all of it is there. */
function unpackStream(Decompress: typeof import("fzstd").Decompress, packed: Buffer, size: number): Buffer {
  if (windowOf(packed) > MAX_WINDOW) throw new RangeError("an entry needs more memory than it may take");
  const parts: Uint8Array[] = [];
  let unpacked = 0;
  const stream = new Decompress((part) => {
    unpacked += part.length;
    if (unpacked > size) throw new RangeError("an entry is larger than the directory says");
    // The library writes the next part over this one.
    parts.push(part.slice());
  });
  stream.push(packed, true);
  return Buffer.concat(parts);
}

/** What zstd itself takes at most without being asked. */
const MAX_WINDOW = 2 ** 27;

/** How far back a frame may refer, which is the memory it takes: a byte of its head (RFC 8878, section 3.1.1.1). */
function windowOf(frame: Buffer): number {
  const isSingleSegment = ((frame[4] ?? 0) & 0x20) !== 0;
  return isSingleSegment ? 0 : 2 ** (10 + ((frame[5] ?? 0) >> 3));
}
