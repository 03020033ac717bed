/**
 * Each file and what the service calls it. Runs are told apart by it, as by the paths of a command: as it was typed, but without the folders above
 * the project, which are nobody's business elsewhere.
 */
import { basename, isAbsolute, join, relative, resolve } from "node:path";
import { findFiles } from "../load/find-files.ts";

export function pushNames(paths: readonly string[], cwd: string): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const path of paths)
    for (const file of findFiles(path)) {
      const inside = relative(cwd, resolve(cwd, file));
      const isOutside = isAbsolute(inside) || inside.startsWith("..");
      const below = relative(path, file);
      names.set(file, isOutside ? outsideName(path, below, file) : inside);
    }
  return names;
}

/** A glob names no folder that its files are below. */
function outsideName(path: string, below: string, file: string): string {
  return below.startsWith("..") ? basename(file) : join(basename(path), below);
}
