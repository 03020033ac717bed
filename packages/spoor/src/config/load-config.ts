/**
 * Finds and reads the configuration. YAML and JSON problems are listed all at once with line and column; a TypeScript
 * configuration is a module whose default export is the same object. Paths in it resolve against the file's folder.
 */
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, extname, isAbsolute, join, relative, resolve } from "node:path";
import { SpoorError } from "@spoor/core/errors";
import { parseYaml, type YamlDocument } from "@spoor/core/read/parse-yaml";
import { nearest } from "@spoor/core/text/nearest";
import { ProblemList } from "@spoor/core/yaml/problem-list";
import type { z } from "zod";
import { importModule } from "../load/import-module.ts";
import { type Config, configSchema } from "./config.ts";

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
  const document = parseYaml(readFileSync(full, "utf8"), file);
  const parsed = configSchema.safeParse(document.value);
  if (parsed.success) return parsed.data;
  throw problemsOf(parsed.error, document);
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
  const parsed = configSchema.safeParse(loaded["default"]);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.flatMap(messagesOf);
  throw new SpoorError(
    "config.invalid",
    `${file} has ${problems.length === 1 ? "a problem" : `${problems.length} problems`}.`,
    {
      at: { file },
      consequence: "Nothing was evaluated.",
      problems: problems.map(({ path, message }) => ({
        at: { file, path: path.join(".") },
        message: `${path.join(".")}: ${message}`,
      })),
    },
  );
}

function problemsOf(error: z.ZodError, document: YamlDocument): Error {
  const list = new ProblemList(document);
  for (const issue of error.issues) {
    for (const { path, message, what } of messagesOf(issue)) list.add(path, message, what);
  }
  try {
    list.throwIfAny("config.invalid", "Nothing was evaluated.", { hint: "All keys: spoor schema config" });
  } catch (problem) {
    return problem as Error;
  }
  return error;
}

interface Message {
  readonly path: (string | number)[];
  readonly message: string;
  readonly what: "key" | "value";
}

/** A validation issue in our words, with the nearest known key for a misspelt one. */
function messagesOf(issue: z.core.$ZodIssue): Message[] {
  const path = issue.path as (string | number)[];
  if (issue.code === "unrecognized_keys") {
    const known = keysAt(path);
    return issue.keys.map((key) => {
      const close = nearest(key, known);
      const suggestion = close === undefined ? ` Known: ${known.join(", ")}.` : ` Did you mean ${close}?`;
      return { path: [...path, key], message: `unknown key "${key}".${suggestion}`, what: "key" };
    });
  }
  const last = path.at(-1);
  const name = last === undefined ? "the configuration" : `"${last}"`;
  if (issue.code === "invalid_value") {
    return [{ path, message: `${name} must be one of ${issue.values.map(String).join(", ")}.`, what: "value" }];
  }
  if (issue.code === "invalid_type" && issue.message.includes("received undefined")) {
    return [{ path: path.slice(0, -1), message: `${name} is missing.`, what: "value" }];
  }
  return [{ path, message: `${name}: ${issue.message}.`, what: "value" }];
}

/** The keys the schema knows at a path, for suggestions. */
function keysAt(path: readonly (string | number)[]): string[] {
  let schema: unknown = configSchema;
  for (const part of path) {
    const shape = shapeOf(schema);
    schema = typeof part === "number" ? elementOf(schema) : shape?.[part];
  }
  return Object.keys(shapeOf(schema) ?? {});
}

function unwrapped(schema: unknown): { shape?: Record<string, unknown>; element?: unknown } {
  let current = schema as { def?: { innerType?: unknown }; shape?: Record<string, unknown>; element?: unknown };
  while (current?.def?.innerType !== undefined) current = current.def.innerType as typeof current;
  return current ?? {};
}

function shapeOf(schema: unknown): Record<string, unknown> | undefined {
  return unwrapped(schema).shape;
}

function elementOf(schema: unknown): unknown {
  return unwrapped(schema).element;
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
