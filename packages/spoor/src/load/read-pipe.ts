/**
 * Reading a named pipe. Opening one waits for its writer, for ever when none comes, and nobody learns why: so it is opened
 * without waiting, and a writer has a while to turn up. Once there, it may take its time, as on standard input.
 */
import { closeSync, constants, openSync, readSync } from "node:fs";

const CHUNK_BYTES = 1 << 16;
const LOOK_AGAIN_MS = 5;
const PATIENCE_MS = 2_000;

export async function* readPipe(path: string): AsyncGenerator<Buffer> {
  const steps = pipeSteps(path);
  for (const step of steps) {
    if (step === "wait") await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    else yield step;
  }
}

/** The same at once, up to `most` bytes and one chunk. */
export function readPipeNow(path: string, most: number): Buffer {
  const chunks: Buffer[] = [];
  let size = 0;
  for (const step of pipeSteps(path)) {
    if (step === "wait") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
    else {
      chunks.push(step);
      size += step.length;
      if (size > most) break;
    }
  }
  return Buffer.concat(chunks);
}

function* pipeSteps(path: string): Generator<Buffer | "wait"> {
  const pipe = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    let hasWriter = false;
    for (let waits = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
      const size = readNow(pipe, chunk);
      hasWriter ||= size !== 0;
      if (size !== undefined && size > 0) yield chunk.subarray(0, size);
      else if (size === 0 && hasWriter) return;
      else if (!hasWriter && ++waits * LOOK_AGAIN_MS > PATIENCE_MS) throw nobodyWrites(path);
      else yield "wait";
    }
  } finally {
    closeSync(pipe);
  }
}

function nobodyWrites(path: string): Error {
  return Object.assign(new Error("nobody writes to the pipe"), { code: "ENOWRITER", path });
}

/** Undefined: a writer has it open and has written nothing yet. 0: nobody has it open. */
function readNow(pipe: number, chunk: Buffer): number | undefined {
  try {
    return readSync(pipe, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return undefined;
    throw error;
  }
}
