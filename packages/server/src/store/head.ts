import { constants, gunzipSync } from "node:zlib";
import type { Arrival } from "./arrival.ts";

/** Of a body that was rejected, so much is kept to be looked at. */
const HEAD_BYTES = 64 * 1024;
/** At most a thousand times as much comes of it. */
const PACKED_BYTES = 16 * 1024;

/** The beginning of a body, decoded as far as it can be. */
export function headOf({ codec, body }: Pick<Arrival, "codec" | "body">): Uint8Array {
  if (codec === "plain") return body.slice(0, HEAD_BYTES);
  try {
    // Of the packed bytes only the beginning is unpacked: what follows may be a bomb.
    const packed = body.subarray(0, PACKED_BYTES);
    const head = gunzipSync(packed, { finishFlush: constants.Z_SYNC_FLUSH });
    return new Uint8Array(head.subarray(0, HEAD_BYTES));
  } catch {
    return body.slice(0, HEAD_BYTES);
  }
}
