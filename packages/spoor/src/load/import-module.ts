/**
 * Imports a module of the user's: JavaScript as it is, TypeScript with its types stripped. Newer Node does that by itself;
 * on older ones a loader hook is registered once, which also covers what the module imports.
 */
import { register } from "node:module";
import { extname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { packageFile } from "../package-files.ts";
import { refuseInFence } from "./fence.ts";

let registered = false;

export async function importModule(file: string): Promise<Record<string, unknown>> {
  refuseInFence(`Running ${file}`);
  const path = resolve(file);
  const stripsTypes = Boolean((process.features as { typescript?: unknown }).typescript);
  if (/^\.[cm]?ts$/.test(extname(path)) && !stripsTypes && !registered) {
    register(packageFile("dist/load/typescript-hooks.js"));
    registered = true;
  }
  return (await import(pathToFileURL(path).href)) as Record<string, unknown>;
}
