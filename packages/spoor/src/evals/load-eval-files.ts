/** Paths → eval suites. YAML and JSON Lines files, folders and globs; every problem of a file is reported at once. */

import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Json } from "@spoor/core";
import { type Problem, SpoorError } from "@spoor/core/internal/errors";
import type { Located } from "@spoor/core/internal/read/located";
import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import type { Source } from "@spoor/core/internal/read/source";
import { isObject, member, setMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { CASE_LISTS } from "./eval-file.ts";
import type { EvalSuite } from "./eval-suite.ts";
import { expandPath } from "./expand-path.ts";
import { parseEvalFile } from "./parse-eval-file.ts";
import { findProjectRoot, findUpwards, isInside } from "./project-root.ts";

export interface LoadEvalOptions {
  readonly cwd: string;
  readonly strict: boolean;
  /** Replaces references to the environment in what is run for the cases of a file; absent where nothing is run. */
  readonly fill?: (file: string) => (at: Located) => Json;
}

export function loadEvalFiles(paths: readonly string[], options: LoadEvalOptions): EvalSuite[] {
  const found = [...new Set(paths.flatMap((path) => expandPath(path)))];
  // `evals/*.yaml` of a shell also names the targets file that stands beside the eval files.
  const files = found.length > 1 ? found.filter((file) => !/(^|[\\/])targets\.ya?ml$/i.test(file)) : found;
  if (files.length === 0) {
    throw new SpoorError("eval.no-files", `No eval file was found at ${paths.join(", ")}.`, {
      consequence: "Nothing was run.",
    });
  }
  return files.map((file) => loadEvalFile(file, options));
}

export function loadEvalFile(file: string, options: LoadEvalOptions): EvalSuite {
  const document = readDocument(file);
  const folder = dirname(resolve(options.cwd, file));
  const root = findProjectRoot(folder);
  const { suite, problems } = parseEvalFile(document, {
    findFile: (name) => findUpwards(name, folder, root, options.cwd),
    loadCases: (path) => loadCaseList(resolve(folder, path), root),
    resolvePath: (path) => resolve(folder, path),
    ...(options.fill === undefined ? {} : { fill: options.fill(file) }),
  });
  for (const { id, workspace, at } of suite.cases) {
    const template = workspace?.template;
    if (template === undefined) continue;
    const problem = !isInside(template, root)
      ? "lies outside of the project"
      : statSync(template, { throwIfNoEntry: false })?.isDirectory()
        ? undefined
        : "does not exist";
    if (problem !== undefined)
      problems.errors.push({ at, message: `the workspace folder of case "${id}" ${problem}: ${template}` });
  }
  problems.throwIfAny("eval.invalid", "Nothing was run.", { strict: options.strict });
  return suite;
}

function readDocument(file: string): Source {
  const text = readText(file);
  return /\.jsonl$/i.test(file) ? parseJsonLines(text, file) : parseYaml(text, file);
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    throw new SpoorError(
      "eval.no-files",
      missing ? `${file} does not exist.` : `${file} cannot be read: ${(error as Error).message}.`,
      {
        at: { file },
        consequence: "Nothing was run.",
      },
    );
  }
}

/** One case per line; `<name>.yaml` beside it gives what belongs to the suite. A broken line stops with its number. */
function parseJsonLines(text: string, file: string): Source {
  const cases: Json[] = [];
  const lineOf: number[] = [];
  const lines = text.split(/\r?\n/);
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    try {
      cases.push(parseJson(line));
    } catch (error) {
      throw new SpoorError("eval.bad-line", `${file}:${index + 1} is not valid JSON: ${(error as Error).message}.`, {
        at: { file, line: index + 1, column: 1 },
        consequence: "Nothing was run.",
      });
    }
    lineOf.push(index + 1);
  }
  const value: Record<string, Json> = {};
  const beside = file.replace(/\.jsonl$/i, ".yaml");
  if (statSync(beside, { throwIfNoEntry: false })?.isFile()) {
    const suite = parseYaml(readText(beside), beside).value;
    if (isObject(suite))
      for (const [key, item] of Object.entries(suite))
        if (!(CASE_LISTS as readonly string[]).includes(key)) setMember(value, key, item);
  }
  value["evalcases"] = cases;
  return {
    file,
    value,
    locate: (path) => ({
      file,
      line: path[0] === "evalcases" && typeof path[1] === "number" ? (lineOf[path[1]] ?? 1) : 1,
      column: 1,
    }),
    lengthAt: () => undefined,
    excerpt: (line) => lines[line - 1] ?? "",
  };
}

function loadCaseList(path: string, root: string): Json | undefined {
  if (!isInside(path, root)) return undefined;
  const { value } = readDocument(path);
  if (Array.isArray(value)) return value;
  const key = CASE_LISTS.find((name) => member(value, name) !== undefined);
  return key === undefined ? undefined : member(value, key);
}

/** `file:line:column message`, for diagnostics on standard error. */
export function formatDiagnostic(problem: Problem): string {
  const { file, line, column } = problem.at;
  return `${file ?? ""}:${line ?? 1}:${column ?? 1} ${problem.message}`;
}
