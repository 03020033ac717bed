/**
 * What nobody could read later is refused now, in the reader's own words: whoever sends it is still there to hear them. It is read as a file of that
 * name would be, and what was read is let go again: evaluation reads it from the store. Of a longer document it is enough that it parses and that a
 * format claims it: reading all of it once more would cost as much as everything else together, and what then turns out to hold nothing is put aside with the
 * reason by the evaluation.
 */
import { requireUnderstood } from "@spoor/core/internal/providers/require-understood";
import { beginsWithWholeLine } from "spoor/internal/load/content-head";
import { readTraceFile } from "spoor/internal/load/read-trace-file";
import { recogniseDocument } from "spoor/internal/load/recognise-document";
import { noTraces, notUnderstood } from "spoor/internal/load/trace-errors";

/** A document that says nothing is short, and short ones are read whole. */
const SHORT_BYTES = 4096;

/** The format's name. Throws a `SpoorError` of the reader. */
export async function checkContent(bytes: Buffer, name: string, mostUnpacked: number): Promise<string> {
  const recognised = bytes.length > SHORT_BYTES ? recogniseDocument(name, bytes) : undefined;
  if (recognised !== undefined) return recognised;
  const looked = beginning(bytes);
  const read = await readTraceFile(name, { bytes: looked, mostUnpacked });
  if (looked.length < bytes.length) return read.format;
  if (read.imported.every(({ records }) => records.length === 0)) {
    const notes = new Set(read.imported.flatMap((one) => one.notes ?? []));
    throw noTraces(name, read.format, [...notes]);
  }
  requireUnderstood(read.imported, notUnderstood(name, read.format, read.head));
  return read.format;
}

/** So much is read while others wait for their turn. */
const LOOKED_AT_BYTES = 1024 * 1024;

/** Of long lines their beginning, cut where a line ends; a document is one piece. */
function beginning(bytes: Buffer): Buffer {
  if (bytes.length <= LOOKED_AT_BYTES) return bytes;
  const head = bytes.subarray(0, LOOKED_AT_BYTES);
  const end = head.lastIndexOf(10);
  return end > 0 && beginsWithWholeLine(head, false) ? head.subarray(0, end + 1) : bytes;
}
