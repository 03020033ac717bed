/**
 * The body of an ingest request within every limit: bytes as they were sent, bytes as they are meant, and the room they take up until `done`. A body that
 * is gzip by its own first bytes is unpacked too, whatever its head says: as files are.
 */
import type { IncomingMessage } from "node:http";
import { isGzip } from "spoor/internal/load/input";
import { codingOf, collectBody, RefusedBody, unpackBody } from "spoor/internal/record/otlp/otlp-body";
import type { Codec } from "../store/store.ts";
import type { HeldBodies } from "./held-bodies.ts";
import type { Limits } from "./limits.ts";

export interface TakenBody {
  readonly sent: Buffer;
  readonly codec: Codec;
  readonly bytes: Buffer;
}

export interface BodyRoom {
  readonly held: HeldBodies;
  readonly limits: Limits;
  readonly unpacking: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Calls `use` with the body; what it held is free again when `use` is done. */
export async function withBody<T>(
  request: IncomingMessage,
  { held, limits, unpacking }: BodyRoom,
  use: (body: TakenBody) => Promise<T>,
): Promise<T> {
  const coding = codingOf(request);
  const room = held.enter();
  try {
    const sent = await collectBody(request, limits.wireBytes, room.add);
    const codec: Codec = coding === "gzip" || isGzip(sent) ? "gzip" : "plain";
    if (codec === "plain") return await use({ sent, codec, bytes: sent });
    const bytes = await unpacking(() => unpackBody(sent, "gzip", limits));
    // Unpacked by nobody's limit: a reader of files would go on unpacking.
    if (isGzip(bytes)) throw new RefusedBody(400, "what is inside the gzip is gzip again");
    room.add(bytes.length);
    return await use({ sent, codec, bytes });
  } finally {
    room.leave();
  }
}
