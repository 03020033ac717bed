/** Paths as a shell writes them: `~` is home, everything else begins at `/` or at the folder a script began in (`.`). */
import { UNKNOWN } from "./command.ts";

/** The path without detours: `/a/./b/../c/` is `/a/c`. Above the root there is only the root; above the beginning, `..` stays. */
export function resolvePath(folder: string, path: string): string {
  const isFromElsewhere = path.startsWith("/") || path === "~" || path.startsWith("~/") || path.startsWith(UNKNOWN);
  const whole = isFromElsewhere ? path : `${folder}/${path}`;
  const root = whole.startsWith("/") ? "/" : "";
  const names: string[] = [];
  for (const name of whole.split("/")) {
    if (name === "" || name === ".") continue;
    const last = names.at(-1);
    if (name !== "..") names.push(name);
    else if (last === undefined && root === "/") continue;
    // The parent of something unknown is unknown; that of home is a folder of homes.
    else if (last === undefined || last === ".." || last === "~" || last.includes(UNKNOWN)) names.push(name);
    else names.pop();
  }
  return root + names.join("/") || ".";
}
