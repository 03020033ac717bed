/** Where a project begins: files that eval files mention may not lie outside of it. */
import { existsSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isInside } from "../load/is-inside.ts";
import { pathKind } from "../load/path-kind.ts";

const MARKS = [".git", "spoor.config.yaml", "package.json", "pyproject.toml"];

/** The nearest folder upwards that looks like a project; the folder itself when none does. */
export function findProjectRoot(folder: string): string {
  for (let current = resolve(folder); ; current = dirname(current)) {
    if (MARKS.some((mark) => existsSync(join(current, mark)))) return current;
    if (dirname(current) === current) return resolve(folder);
  }
}

/** The folders from `folder` up to `root`, nearest first. */
export function foldersUpTo(folder: string, root: string): string[] {
  const folders: string[] = [];
  for (let current = resolve(folder); ; current = dirname(current)) {
    folders.push(current);
    if (current === root || dirname(current) === current) return folders;
  }
}

/** The same of something that is there, with links followed: one may have come with the files that mention it. */
export function isReallyInside(path: string, folder: string): boolean {
  return isInside(realpathSync(path), realpathSync(folder));
}

/** The first existing file of that name beside the eval file, in a folder above it, or in the working folder. */
export function findUpwards(name: string, folder: string, root: string, cwd: string): string | undefined {
  for (const base of [...foldersUpTo(folder, root), cwd]) {
    const path = resolve(base, name);
    if (!isInside(path, root) && !isInside(path, cwd)) continue;
    if (pathKind(path) === "file" && [root, cwd].some((one) => isReallyInside(path, one))) return path;
  }
  return undefined;
}
