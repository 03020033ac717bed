/** Files → batches for threads, or the answer that threads do not pay. */
import { statSync } from "node:fs";

/** Below this a thread takes longer to start than it saves. */
const LEAST_BYTES = 12_000_000;
/** What a small file costs beside its bytes: opening, recognising, naming. */
const FILE_BYTES = 3_000;
/** So much is read between two messages, and so little is waited for at the end. */
const BATCH_BYTES = 400_000;

export function batchesOf(files: readonly string[]): readonly (readonly string[])[] {
  const batches: string[][] = [];
  let size = 0;
  for (const file of files) {
    const own = weightOf(file);
    const batch = batches.at(-1);
    if (batch === undefined || size + own > BATCH_BYTES) {
      batches.push([file]);
      size = own;
    } else {
      batch.push(file);
      size += own;
    }
  }
  return batches;
}

/** One file cannot be shared out; standard input belongs to the main thread. */
export function paysInThreads(files: readonly string[], least = LEAST_BYTES): boolean {
  if (files.length < 2 || files.includes("-")) return false;
  let sum = 0;
  let largest = 0;
  for (const file of files) {
    const own = weightOf(file);
    sum += own;
    largest = Math.max(largest, own);
    if (sum - largest >= least) return true;
  }
  return false;
}

/** A file that cannot be looked at weighs little: reading it will say why. */
function weightOf(file: string): number {
  try {
    return FILE_BYTES + statSync(file).size;
  } catch {
    return FILE_BYTES;
  }
}
