import { describe, expect, it } from "vitest";
import { loadUnzstd } from "./unpack-zstd.ts";

const MAGIC = [0x28, 0xb5, 0x2f, 0xfd];

/** A frame written by hand after RFC 8878: a window of 1 KiB, and one last block that is raw, or one byte repeated. */
function frame(content: string | { readonly byte: number; readonly times: number }): Buffer {
  const [kind, size, body] =
    typeof content === "string"
      ? [0, Buffer.byteLength(content), Buffer.from(content)]
      : [1, content.times, Buffer.from([content.byte])];
  const block = Buffer.alloc(3);
  block.writeUIntLE(1 | (kind << 1) | (size << 3), 0, 3);
  return Buffer.concat([Buffer.from([...MAGIC, 0, 0]), block, body]);
}

describe("zstd", async () => {
  const unzstd = (await loadUnzstd())!;

  it("unpacks a raw block, a repeated byte, and frames one after the other", () => {
    expect(unzstd(frame("hello"), 5).toString()).toBe("hello");
    expect(unzstd(frame({ byte: 0x61, times: 700 }), 700).toString()).toBe("a".repeat(700));
    expect(unzstd(Buffer.concat([frame("one "), frame("two")]), 7).toString()).toBe("one two");
  });

  it("stops at the size that was promised", () => {
    expect(() => unzstd(frame({ byte: 0x61, times: 700 }), 10)).toThrow();
    expect(() => unzstd(Buffer.concat([frame("one "), frame("two")]), 4)).toThrow();
  });

  it("refuses a frame that asks for gigabytes, one that ends early, and what is no frame", () => {
    const greedy = frame("hello");
    greedy[5] = 21 << 3;
    expect(() => unzstd(greedy, 5)).toThrow();
    expect(() => unzstd(frame("hello").subarray(0, 9), 5)).toThrow();
    expect(() => unzstd(Buffer.from("no frame at all"), 5)).toThrow();
  });
});
