/** `.run/run.json`: how a recording came about. Names of variables, never their values. */
import { join } from "node:path";
import { makeFolderSync } from "./make-folder.ts";
import { writeNewFile } from "./write-new-file.ts";

export interface RunInfo {
  readonly startedAt: string;
  readonly door: string;
  readonly command?: readonly string[];
  /** Names of the variables that were set for it. */
  readonly variables?: readonly string[];
  readonly runtime?: string;
}

/** The first to come writes it; a process that joins a recording leaves it as it is. */
export function writeRunInfo(folder: string, info: RunInfo): void {
  const inside = join(folder, ".run");
  makeFolderSync(inside, { mode: 0o700 });
  const { startedAt, door, command, variables, runtime } = info;
  const value = { schema: "spoor.recording/1", started_at: startedAt, door, runtime, command, variables };
  writeNewFile(join(inside, "run.json"), `${JSON.stringify(value, undefined, 2)}\n`);
}
