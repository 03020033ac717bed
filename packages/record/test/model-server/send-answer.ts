import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { constants, createGzip } from "node:zlib";
import type { Trouble } from "./by-words.ts";

export type HowItEnded = "whole" | "cut" | "error" | "left";

/** Sends an answer piece by piece, spoiled as told. A whole body is one piece; what breaks it off breaks it half-way. */
export async function sendAnswer(
  response: ServerResponse,
  pieces: readonly string[],
  streamed: boolean,
  trouble: Trouble & { readonly ending?: string },
): Promise<HowItEnded> {
  const left = once(response, "close").then(() => "left" as const);
  response.writeHead(200, {
    "content-type": streamed ? "text/event-stream" : "application/json",
    "x-request-id": "req_scripted",
    ...(trouble.gzip ? { "content-encoding": "gzip" } : {}),
  });
  const write = trouble.gzip ? gzipInto(response) : plainInto(response);
  const broken = trouble.breaks !== undefined && (trouble.breaks !== "error" || trouble.ending !== undefined);
  for (const piece of broken ? half(pieces) : pieces) {
    await Promise.race([write.write(piece), left]);
    if (response.destroyed) return "left";
    if (trouble.slow) await pause(SLOW_MS);
  }
  if (broken && trouble.breaks === "hang") return await left;
  if (broken && trouble.breaks === "cut") {
    // What was written has to be on its way before the connection ends.
    await pause(CUT_MS);
    response.destroy();
    return "cut";
  }
  if (broken && trouble.ending !== undefined) await write.write(trouble.ending);
  write.end();
  // `close` follows every end; only one that came before the last byte was handed over means that the client left.
  return await Promise.race([once(response, "finish").then(() => (broken ? "error" : "whole") as HowItEnded), left]);
}

const SLOW_MS = 20;
const CUT_MS = 10;

function half(pieces: readonly string[]): readonly string[] {
  if (pieces.length > 1) return pieces.slice(0, Math.ceil(pieces.length / 2));
  return pieces.map((piece) => piece.slice(0, Math.ceil(piece.length / 2)));
}

interface Target {
  write(text: string): Promise<void>;
  end(): void;
}

function plainInto(response: ServerResponse): Target {
  return {
    write: (text) => new Promise((resolve) => response.write(text, () => resolve())),
    end: () => response.end(),
  };
}

/** Every piece is flushed, as servers do that compress event streams. */
function gzipInto(response: ServerResponse): Target {
  const gzip = createGzip({ flush: constants.Z_SYNC_FLUSH });
  gzip.pipe(response);
  return {
    write: (text) => new Promise((resolve) => gzip.write(text, () => resolve())),
    end: () => gzip.end(),
  };
}
