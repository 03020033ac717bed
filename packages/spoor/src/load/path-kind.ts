import { statSync } from "node:fs";
import { givenText, mayLook } from "./fence.ts";

/**
 * What stands at a path that somebody wrote, links followed. Undefined also for what cannot be looked at: a name that is too long or has a NUL in it, a
 * file where a folder would be, a link in a circle.
 */
export function pathKind(path: string): "file" | "folder" | "other" | undefined {
  if (givenText(path) !== undefined) return "file";
  if (!mayLook(path)) return undefined;
  try {
    const status = statSync(path);
    return status.isFile() ? "file" : status.isDirectory() ? "folder" : "other";
  } catch {
    return undefined;
  }
}
