import { isAbsolute, relative, sep } from "node:path";

/** True for the folder itself and everything below it; links are the caller's business. */
export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === "" || (!isAbsolute(way) && way !== ".." && !way.startsWith(`..${sep}`));
}
