/**
 * Bodies as text, whatever they were packed in: gzip, br, deflate, several of them after each other, and a stream of events that is
 * flushed in mid-archive. What cannot be unpacked is known by its size.
 */
import type { Transform } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import zlib from "node:zlib";

export interface BodyDecoder {
  write(chunk: Buffer): void;
  /** No more will come. `done` is called once everything was handed on, or nothing more can be. */
  end(done: (outcome: "whole" | "undecodable") => void): void;
}

/** A body that unpacks to more than this is no model's answer. */
const MOST_DECODED = 256 * 1024 * 1024;

/** Undefined for codings that nobody here can read. */
export function createBodyDecoder(coding: string | undefined, onText: (text: string) => void): BodyDecoder | undefined {
  const names = codingsOf(coding);
  const text = new StringDecoder("utf8");
  const tell = (decoded: string) => {
    if (decoded !== "") onText(decoded);
  };
  if (names.length === 0)
    return {
      write: (chunk) => tell(text.write(chunk)),
      end(done) {
        tell(text.end());
        done("whole");
      },
    };
  const makers = names.map((name) => unpackers[name]);
  if (makers.includes(undefined)) return undefined;
  return unpacking(makers as Unpacker[], text, tell);
}

/** A whole body at once; undefined when it cannot be read. */
export function decodeBody(body: Buffer, coding: string | undefined): string | undefined {
  try {
    let bytes = body;
    for (const name of codingsOf(coding).reverse()) {
      const unpack = wholeUnpackers[name];
      if (unpack === undefined) return undefined;
      bytes = unpack(bytes);
    }
    return bytes.toString("utf8");
  } catch {
    return undefined;
  }
}

type Unpacker = (first: Buffer) => Transform;

const flushed = { finishFlush: zlib.constants.Z_SYNC_FLUSH };
const gunzip: Unpacker = () => zlib.createGunzip(flushed);
const unpackers: Readonly<Record<string, Unpacker>> = {
  gzip: gunzip,
  "x-gzip": gunzip,
  br: () => zlib.createBrotliDecompress({ finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH }),
  // The name means zlib's format; some servers send the bare one.
  deflate: (first) => (isZlib(first) ? zlib.createInflate(flushed) : zlib.createInflateRaw(flushed)),
};

const limited = { maxOutputLength: MOST_DECODED };
const wholeUnpackers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => zlib.gunzipSync(bytes, limited),
  "x-gzip": (bytes) => zlib.gunzipSync(bytes, limited),
  br: (bytes) => zlib.brotliDecompressSync(bytes, limited),
  deflate: (bytes) => (isZlib(bytes) ? zlib.inflateSync(bytes, limited) : zlib.inflateRawSync(bytes, limited)),
};

function unpacking(makers: readonly Unpacker[], text: StringDecoder, tell: (decoded: string) => void): BodyDecoder {
  let chain: Transform[] | undefined;
  let outcome: "whole" | "undecodable" | undefined;
  let onDone: ((outcome: "whole" | "undecodable") => void) | undefined;
  let decoded = 0;
  const settle = (how: "whole" | "undecodable") => {
    if (outcome !== undefined) return;
    outcome = how;
    for (const part of chain ?? []) part.destroy();
    onDone?.(how);
  };
  const open = (first: Buffer): Transform[] => {
    // The coding that was applied last is taken off first.
    const parts = [...makers].reverse().map((make) => make(first));
    for (const part of parts) part.on("error", () => settle("undecodable"));
    for (const [index, part] of parts.entries()) if (index > 0) parts[index - 1]!.pipe(part);
    parts
      .at(-1)!
      .on("data", (bytes: Buffer) => {
        decoded += bytes.length;
        if (decoded > MOST_DECODED) settle("undecodable");
        else tell(text.write(bytes));
      })
      .on("end", () => {
        tell(text.end());
        settle("whole");
      });
    return parts;
  };
  return {
    write(chunk) {
      if (outcome !== undefined || chunk.length === 0) return;
      chain ??= open(chunk);
      chain[0]!.write(chunk);
    },
    end(done) {
      onDone = done;
      if (outcome !== undefined) done(outcome);
      else if (chain === undefined) settle("whole");
      else chain[0]!.end();
    },
  };
}

function codingsOf(coding: string | undefined): string[] {
  const names = (coding ?? "").split(",").map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== "" && name !== "identity");
}

/** Method 8 and a header that is a multiple of 31 (RFC 1950). */
function isZlib(bytes: Buffer): boolean {
  return bytes.length >= 2 && (bytes[0]! & 0x0f) === 8 && bytes.readUInt16BE(0) % 31 === 0;
}
