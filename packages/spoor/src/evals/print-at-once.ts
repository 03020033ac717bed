import { writeSync } from "node:fs";

/**
 * What a thread prints goes through the thread that began it, and only while both have time: of one that never returns, or is ended,
 * the last words would be lost, which are the ones somebody wants to read. So it writes itself, and waits where the reader is slow.
 */
export function printAtOnce(stream: NodeJS.WritableStream, fd: number): void {
  stream.write = (
    chunk: string | Uint8Array,
    encoding?: BufferEncoding | ((error?: Error | null) => void),
    written?: (error?: Error | null) => void,
  ) => {
    const isEncoded = typeof encoding === "string";
    writeAll(fd, typeof chunk === "string" ? Buffer.from(chunk, isEncoded ? encoding : "utf8") : chunk);
    const done = isEncoded || encoding === undefined ? written : encoding;
    if (done !== undefined) process.nextTick(done);
    return true;
  };
}

function writeAll(fd: number, bytes: Uint8Array): void {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let from = 0; from < bytes.length; ) {
    try {
      from += writeSync(fd, bytes, from);
    } catch (error) {
      // Nobody reads any more: as for whoever prints into a closed pipe, that is no error of his.
      if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
      Atomics.wait(pause, 0, 0, 1);
    }
  }
}
