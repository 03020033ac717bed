/**
 * New judgements of runs that are stored already. They are kept back until the last is there and then written in one go: whoever reads
 * the file finds the old judgements or the new ones, never some of each. What was not judged stands where it stood.
 */
import type { Json } from "@spoor/core";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { writeFileAtomically } from "../load/write-file.ts";
import { parseRecord, placeOf, readLines } from "./read-results.ts";
import { destinationOf, inUse, openResultsFile, type ResultsFile } from "./results-file.ts";
import { joinWriters } from "./results-writers.ts";

/** `source` holds the runs; it is the same file as `path`, or stays as it is. */
export async function openRegradedFile(source: string, path: string): Promise<ResultsFile> {
  const destination = await destinationOf(path);
  if (destination.kind === "stream") return openResultsFile(path, { overwrite: false });
  const file = destination.path;
  const writers = await joinWriters(file, async ([other]) => {
    if (other !== undefined) throw inUse(path, other);
  });
  const judged = new Map<string, RunRecord>();
  return {
    path,
    append: (record) => void judged.set(placeOf(record), record),
    finish: () =>
      writers.alone(async () => {
        // What another appends to a file that is being replaced would be lost.
        const [other] = await writers.others();
        if (other !== undefined) throw inUse(path, other);
        await writeFileAtomically(file, linesOf(source, judged));
        await writers.leave();
      }),
    close: () => writers.leave(),
  };
}

function* linesOf(source: string, judged: ReadonlyMap<string, RunRecord>): Generator<string> {
  const written = new Set<string>();
  for (const { text, isEnded } of readLines(source)) {
    const line = text();
    const record = parseRecord(line);
    // A torn end is no result.
    if (record === undefined && !isEnded) continue;
    const place = record === undefined || record.key === "" ? undefined : placeOf(record);
    const fresh = place === undefined ? undefined : judged.get(place);
    if (fresh === undefined) yield isEnded ? line : `${line}\n`;
    // Of two results of one run the earlier counted no more.
    else if (!written.has(place!)) yield `${stringifyJson(fresh as unknown as Json)}\n`;
    if (place !== undefined) written.add(place);
  }
}
