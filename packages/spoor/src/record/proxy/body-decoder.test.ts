import zlib from "node:zlib";
import { describe, expect, it } from "vitest";
import { createBodyDecoder, decodeBody } from "./body-decoder.ts";

const TEXT = 'data: {"text":"wörter ☀ 🌍"}\n\n'.repeat(20);
const packed: [string | undefined, Buffer][] = [
  [undefined, Buffer.from(TEXT)],
  ["identity", Buffer.from(TEXT)],
  ["gzip", zlib.gzipSync(TEXT)],
  ["X-GZIP", zlib.gzipSync(TEXT)],
  ["br", zlib.brotliCompressSync(TEXT)],
  ["deflate", zlib.deflateSync(TEXT)],
  ["deflate", zlib.deflateRawSync(TEXT)],
  ["gzip, br", zlib.brotliCompressSync(zlib.gzipSync(TEXT))],
];

/** The text that came out, and how it ended. */
function decoded(coding: string | undefined, bytes: Buffer, size: number): Promise<[string, string]> {
  let text = "";
  const decoder = createBodyDecoder(coding, (piece) => {
    text += piece;
  })!;
  for (let at = 0; at < bytes.length; at += size) decoder.write(bytes.subarray(at, at + size));
  return new Promise((resolve) => decoder.end((outcome) => resolve([text, outcome])));
}

describe.each(packed)("%s", (coding, bytes) => {
  it.each([3, 7, 64, 1 << 20])("in pieces of %i bytes", async (size) => {
    expect(await decoded(coding, bytes, size)).toEqual([TEXT, "whole"]);
  });

  it("at once", () => {
    expect(decodeBody(bytes, coding)).toBe(TEXT);
  });
});

it("events are read as they are flushed, before the archive ends", async () => {
  const archive = zlib.createGzip();
  const pieces: Buffer[] = [];
  archive.on("data", (piece: Buffer) => pieces.push(piece));
  let read: (text: string) => void = () => undefined;
  const decoder = createBodyDecoder("gzip", (text) => read(text))!;
  for (const event of ["data: 1\n\n", "data: 2\n\n"]) {
    const came = new Promise<string>((resolve) => {
      read = resolve;
    });
    archive.write(event);
    await new Promise<void>((resolve) => archive.flush(zlib.constants.Z_SYNC_FLUSH, resolve));
    for (const piece of pieces.splice(0)) decoder.write(piece);
    expect(await came).toBe(event);
  }
});

it("an archive that is cut off gives what was in it", async () => {
  const whole = zlib.gzipSync(TEXT, { level: 0 });
  const [text, outcome] = await decoded("gzip", whole.subarray(0, whole.length - 100), 50);
  expect(TEXT.startsWith(text)).toBe(true);
  expect(text.length).toBeGreaterThan(100);
  expect(outcome).toBe("whole");
});

it.each(["gzip", "br", "deflate"])("what is not %s, though it says so, ends undecodable", async (coding) => {
  const [, outcome] = await decoded(coding, Buffer.from("this is plain text, not an archive at all"), 8);
  expect(outcome).toBe("undecodable");
  expect(decodeBody(Buffer.from("plain"), coding)).toBeUndefined();
});

it.each(["zstd", "gzip, zstd", "aws-chunked"])("nobody here reads %s", (coding) => {
  expect(createBodyDecoder(coding, () => undefined)).toBeUndefined();
  expect(decodeBody(Buffer.from("x"), coding)).toBeUndefined();
});

it("nothing at all is an empty body", async () => {
  expect(await decoded("gzip", Buffer.alloc(0), 1)).toEqual(["", "whole"]);
});
