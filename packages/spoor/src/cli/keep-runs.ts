/** Runs that were made become the files of a folder of the project, all of them or none: half of a baseline would be another one. */
import { readdirSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { LoadedConfig } from "../config/load-config.ts";
import { readWholeBytes } from "../load/read-text.ts";
import { unwritableError } from "../load/write-file.ts";
import { DECISIONS_JOURNAL, finishTogether, writeTogether } from "../store/write-together.ts";

export interface KeptRuns {
  /** The folder of the runs that were made; it goes when they are kept. */
  readonly made: string;
  /** Where they are kept. */
  readonly target: string;
  /** Whether a file there goes that no run replaces. */
  readonly isOutdated: (name: string) => boolean;
}

export async function keepRuns({ folder }: LoadedConfig, { made, target, isOutdated }: KeptRuns): Promise<void> {
  const journal = join(folder, DECISIONS_JOURNAL);
  await finishTogether(journal);
  const names = recordingsIn(made);
  const outdated = recordingsIn(target).filter((name) => !names.includes(name) && isOutdated(name));
  await writeTogether(journal, [
    ...outdated.map((name) => ({ file: join(target, name), remove: true as const })),
    ...names.map((name) => ({ file: join(target, name), content: readWholeBytes(join(made, name)) })),
  ]);
  await rm(made, { recursive: true, force: true }).catch((error) => {
    throw unwritableError(made, error);
  });
}

/** None where there is no such folder yet. */
function recordingsIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".agentlog"));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
