/**
 * The policy that a hook's command line names, wherever in the project the agent stands: a relative name is looked for in
 * the project's folder where the agent gives one, then in the folder of the hook and of the event and above them.
 */
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, resolve } from "node:path";

export interface Places {
  /** The project, where the agent says it (`CLAUDE_PROJECT_DIR`). */
  readonly project: string | undefined;
  /** The folder in which the hook runs; agents move it when the session changes folder. */
  readonly hook: string;
  /** The folder of the event. */
  readonly event: string | undefined;
}

export interface FoundPolicy {
  /** What to load: a pack's name, or a full path. */
  readonly name: string;
  /** The folder it is relative to. */
  readonly root: string;
}

/** Undefined when no folder has it. */
export function findPolicy(name: string, places: Places): FoundPolicy | undefined {
  const first = places.project ?? places.hook;
  if (name.startsWith("spoor:")) return { name, root: first };
  if (isAbsolute(name)) return { name, root: first };
  const starts = [places.hook, places.event].filter((folder) => folder !== undefined);
  const folders = [...(places.project === undefined ? [] : [places.project]), ...starts.flatMap(upwards)];
  const root = folders.find((folder) => existsSync(join(folder, name)));
  return root === undefined ? undefined : { name: join(resolve(root), name), root: resolve(root) };
}

/** The folder and all above it. */
function upwards(folder: string): string[] {
  const full = resolve(folder);
  const above = dirname(full);
  return above === full ? [full] : [full, ...upwards(above)];
}
