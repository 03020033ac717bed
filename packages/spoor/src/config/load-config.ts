/**
 * Finds and reads the configuration. YAML and JSON problems are listed all at once with line and column; a TypeScript
 * configuration is a module whose default export is the same object. Paths in it resolve against the file's folder.
 */

import { existsSync } from "node:fs";
import { dirname, extname, join, relative, resolve } from "node:path";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { Problems } from "@spoor/core/internal/read/located";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { type Source, valueSource } from "@spoor/core/internal/read/source";
import { mayLook } from "../load/fence.ts";
import { importModule } from "../load/import-module.ts";
import { readText } from "../load/read-text.ts";
import { requireUnchanged } from "../load/trust/trust.ts";
import { type Config, configFile } from "./config.ts";

export const configNames = [
  "spoor.config.yaml",
  "spoor.config.yml",
  "spoor.config.json",
  "spoor.config.ts",
  "spoor.config.mts",
  "spoor.config.js",
  "spoor.config.mjs",
] as const;

export interface LoadedConfig {
  readonly file: string;
  /** The folder that paths in the configuration start from. */
  readonly folder: string;
  readonly config: Config;
}

export async function loadConfig(path: string | undefined, cwd: string): Promise<LoadedConfig> {
  const file = path ?? findConfig(cwd);
  if (file === undefined) {
    throw new SpoorError("config.missing", "There is no spoor.config.yaml here, nor in a folder above.", {
      consequence: "Nothing was evaluated, and nothing evaluated is no pass.",
      hint: "spoor init writes one after looking at the repository; --config FILE names another.",
    });
  }
  const full = resolve(cwd, file);
  const config = isModule(full) ? await readModule(full, file) : readDocument(full, file);
  return { file, folder: dirname(full), config };
}

/** The file is a program whose default export is the configuration. */
export function isModule(file: string): boolean {
  return /\.[cm]?[jt]s$/.test(extname(file));
}

/**
 * The configuration of the project one stands in, as the working folder sees it: in this folder, or the nearest above.
 * The search ends where the repository ends, so that a file lying higher up is never taken for this project's, and where
 * nothing may be read.
 */
export function findConfig(cwd: string): string | undefined {
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    if (!mayLook(folder)) return undefined;
    const found = configNames.find((name) => existsSync(join(folder, name)));
    if (found !== undefined) return relative(cwd, join(folder, found));
    if (existsSync(join(folder, ".git")) || folder === dirname(folder)) return undefined;
  }
}

function readDocument(full: string, file: string): Config {
  return readConfig(
    parseYaml(
      readText(full, (why) => missing(file, why)),
      file,
    ),
  );
}

function missing(file: string, why: string): SpoorError {
  const hint = why.startsWith("is a folder")
    ? `Name the file in it: ${join(file, configNames[0])}`
    : why.startsWith("does not exist")
      ? "spoor init writes one."
      : "Check what the path leads to, its permissions, and the limits of this machine.";
  return new SpoorError("config.missing", `${file} ${why}.`, { at: { file }, hint });
}

async function readModule(full: string, file: string): Promise<Config> {
  if (!existsSync(full)) throw missing(file, "does not exist");
  requireUnchanged(full, "a configuration that is a program");
  let loaded: Record<string, unknown>;
  try {
    loaded = await importModule(full);
  } catch (error) {
    throw new SpoorError("config.unloadable", `${file} cannot be loaded: ${(error as Error).message}.`, {
      at: { file },
      cause: error,
    });
  }
  return readConfig(valueSource((loaded["default"] ?? null) as Json, file));
}

/** A configuration wherever it stands: in a file, or with a service. */
export function readConfig(source: Source): Config {
  const problems = new Problems(source);
  const config = configFile.read(problems.root());
  problems.throwIfAny("config.invalid", "Nothing was evaluated.", { hint: "All keys: spoor schema config" });
  return config!;
}
