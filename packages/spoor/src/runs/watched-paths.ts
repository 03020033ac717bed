/** What of a project is looked at: what the configuration says, else every file that nobody but a person writes. */
import { relative, sep } from "node:path";
import { globMatches, isGlob } from "@spoor/core/internal/text/glob";
import { configPaths, resolveConfigPath } from "../config/config-paths.ts";
import type { LoadedConfig } from "../config/load-config.ts";

/** Folders that tools fill. Hidden ones, such as `.spoor` and `.git`, are passed over anyway. */
const NEVER = /^(node_modules|bower_components|__pycache__|venv|dist|build|coverage|target|tmp|temp|logs?)$/i;
const WRITTEN = /(\.(log|tmp|swp|swx|bak|pid|lock|pyc|db|sqlite3?|agentlog|jsonl)|~)$|^(4913|#.*#)$/i;

/** `outputs`: files and folders that the command itself writes. */
export function watchedPaths(loaded: LoadedConfig, outputs: readonly string[] = []): (path: string) => boolean {
  const { run, report } = loaded.config;
  const { folder } = loaded;
  const slashed = (path: string) => path.split(sep).join("/");
  const matchers = (run?.watch ?? []).map((path) => fits(slashed(resolveConfigPath(loaded, path, folder))));
  const written = [
    ...configPaths(loaded, "diff.baseline", folder),
    ...Object.values(report).filter((file) => file !== undefined),
    ...outputs.map((file) => relative(folder, file)),
  ].map((path) => fits(slashed(path)));
  return (path) => {
    const parts = path.replace(/\/$/, "").split("/");
    const isFolder = path.endsWith("/");
    const names = isFolder ? parts : parts.slice(0, -1);
    if (names.some((name) => NEVER.test(name) || (name.startsWith(".") && name !== "."))) return false;
    if (written.some((matches) => matches(parts.join("/")))) return false;
    // A folder may hold what a glob asks for.
    if (matchers.length > 0) return isFolder || matchers.some((matches) => matches(path));
    const name = parts.at(-1)!;
    return isFolder || !(WRITTEN.test(name) || name.startsWith("."));
  };
}

/** A glob, a file, or everything in a folder. */
function fits(path: string): (candidate: string) => boolean {
  if (path === ".") return () => true;
  if (isGlob(path)) return (candidate) => globMatches(path, candidate);
  return (candidate) => candidate === path || candidate.startsWith(`${path}/`);
}
