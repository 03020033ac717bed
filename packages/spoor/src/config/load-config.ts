/**
 * Finds and reads the configuration. YAML and JSON problems are listed all at once with line and column; a TypeScript
 * configuration is a module whose default export is the same object. Paths in it resolve against the file's folder.
 */

import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { Problems } from "@spoor/core/internal/read/located";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { type Source, valueSource } from "@spoor/core/internal/read/source";
import { importModule } from "../load/import-module.ts";
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
  const full = resolve(cwd, file);
  if (!existsSync(full)) {
    throw new SpoorError("config.missing", `${file} does not exist.`, { at: { file }, hint: "spoor init writes one." });
  }
  if (statSync(full).isDirectory()) {
    throw new SpoorError("config.missing", `${file} is a folder, not a configuration file.`, {
      at: { file },
      hint: `Name the file in it: ${join(file, configNames[0])}`,
    });
  }
  const config = /\.[cm]?[jt]s$/.test(extname(full)) ? await readModule(full, file) : readDocument(full, file);
  return { file, folder: dirname(full), config };
}

function findConfig(cwd: string): string {
  const found = configNames.find((name) => existsSync(join(cwd, name)));
  if (found !== undefined) return found;
  throw new SpoorError("config.missing", "There is no spoor.config.yaml here.", {
    consequence: "Nothing was evaluated, and nothing evaluated is no pass.",
    hint: "spoor init writes one after looking at the repository; --config FILE names another.",
  });
}

function readDocument(full: string, file: string): Config {
  return readConfig(parseYaml(readFileSync(full, "utf8"), file));
}

async function readModule(full: string, file: string): Promise<Config> {
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

function readConfig(source: Source): Config {
  const problems = new Problems(source);
  const config = configFile.read(problems.root());
  problems.throwIfAny("config.invalid", "Nothing was evaluated.", { hint: "All keys: spoor schema config" });
  return config!;
}

/** A path of the configuration as the working folder sees it; it may not leave the project unless it is absolute. */
export function resolveConfigPath(loaded: LoadedConfig, path: string, cwd: string): string {
  const full = resolve(loaded.folder, path);
  if (!isAbsolute(path) && relative(loaded.folder, full).startsWith("..")) {
    throw new SpoorError("config.outside", `${loaded.file}: ${path} leads out of the project.`, {
      at: { file: loaded.file },
      hint: "Paths may not leave the folder of the configuration; use an absolute path if that is meant.",
    });
  }
  return relative(cwd, full) || ".";
}
