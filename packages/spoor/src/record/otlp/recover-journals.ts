/** Traces that a killed receiver had acknowledged and not yet written: what its journal holds is written now. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { createOtlpReceiver, OTLP_JOURNAL } from "./otlp-receiver.ts";

export interface RecoveredJournal {
  readonly folder: string;
  readonly spans: number;
  readonly traces: readonly string[];
}

/** In the recordings at or directly below the paths. One whose recorder is running is not touched: that is an error. */
export async function recoverJournals(paths: readonly string[]): Promise<RecoveredJournal[]> {
  const recovered: RecoveredJournal[] = [];
  for (const folder of paths.flatMap(recordingsAt)) {
    const { spans, traces } = await (await createOtlpReceiver({ folder })).close();
    recovered.push({ folder, spans, traces });
  }
  return recovered;
}

function recordingsAt(path: string): string[] {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return [];
  const below = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const folders = [path, ...below.map((entry) => join(path, entry.name))];
  return folders.filter((folder) => existsSync(join(folder, OTLP_JOURNAL)));
}
