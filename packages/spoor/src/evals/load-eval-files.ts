/** Paths → eval suites. YAML, JSON Lines and CSV files, folders and globs; every problem of a file is reported at once. */

import { dirname, join, relative, resolve } from "node:path";
import type { Json } from "@spoor/core";
import { type Problem, SpoorError } from "@spoor/core/internal/errors";
import type { Located } from "@spoor/core/internal/read/located";
import type { Address } from "@spoor/core/internal/read/source";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { isInside } from "../load/is-inside.ts";
import { pathKind } from "../load/path-kind.ts";
import { CASE_LISTS } from "./eval-file.ts";
import type { EvalSuite } from "./eval-suite.ts";
import { expandPath } from "./expand-path.ts";
import { disk, type FileView } from "./file-view.ts";
import type { CaseList } from "./list-cases.ts";
import { parseEvalFile } from "./parse-eval-file.ts";
import { findProjectRoot, findUpwards } from "./project-root.ts";
import { readCaseDocument, readEvalDocument } from "./read-eval-document.ts";

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
  const folder = dirname(resolve(options.cwd, file));
  const root = findProjectRoot(folder);
  const { suite, problems } = parseEvalFile(readEvalDocument(file), {
    ...filesOf(folder, root, options.cwd, disk),
    // A path that begins with / is meant from the root of the repository.
    findFile: (name) =>
      findUpwards(name, folder, root, options.cwd) ??
      (name.startsWith("/") ? findUpwards(name.replace(/^\/+/, ""), folder, root, options.cwd) : undefined),
    ...(options.fill === undefined ? {} : { fill: options.fill(file) }),
  });
  for (const { id, workspace, at } of suite.cases) {
    const template = workspace?.template;
    if (template === undefined) continue;
    const problem = !isInside(template, root)
      ? "lies outside of the project"
      : pathKind(template) === "folder"
        ? undefined
        : "does not exist";
    if (problem !== undefined)
      problems.errors.push({ at, message: `the workspace folder of case "${id}" ${problem}: ${template}` });
  }
  problems.throwIfAny("eval.invalid", "Nothing was run.", { strict: options.strict });
  return suite;
}

/** What a file says wherever it lies, as far as it can be read: files that cases hand to the agent are taken to be there. */
export function readSuite(file: string, cwd: string, view: FileView): EvalSuite {
  const folder = dirname(resolve(cwd, file));
  const options = { ...filesOf(folder, findProjectRoot(folder), cwd, view), findFile: (name: string) => name };
  return parseEvalFile(readEvalDocument(file, view), options).suite;
}

function filesOf(folder: string, root: string, cwd: string, view: FileView) {
  return {
    loadCases: (path: string) => loadCaseList(resolve(folder, path), root, cwd, view),
    resolvePath: (path: string) => resolve(folder, path),
    sharedWorkspace: (at: Located) => sharedWorkspace(at, folder, root, view),
  };
}

/** The list of cases in a file that an eval file names: the file's whole content, or its list. */
function loadCaseList(path: string, root: string, cwd: string, view: FileView): readonly CaseList[] | string {
  const shown = relative(cwd, path);
  if (path.includes("\0")) return "the name of a file of cases has a NUL character in it.";
  if (!isInside(path, root)) return `the file "${shown}" lies outside of the project.`;
  if (view.isFolder(path)) return casesOfFolder(path, shown, view);
  const source = readCaseDocument(path, shown.startsWith("..") ? path : shown, view);
  if (Array.isArray(source.value)) return [{ source, address: [] }];
  // Benchmarks call their cases tasks.
  const key = [...CASE_LISTS, "tasks"].find((name) => member(source.value, name) !== undefined);
  return key === undefined ? `the file "${shown}" holds no list of cases.` : [{ source, address: [key] }];
}

/** `workspace: ../workspace.yaml`: the file's own words, and paths from its folder. */
function sharedWorkspace(at: Located, folder: string, root: string, view: FileView) {
  if (typeof at.value !== "string" || !/\.ya?ml$/i.test(at.value)) return undefined;
  const path = resolve(folder, at.value);
  if (!isInside(path, root) || !view.isFile(path)) {
    at.problem(`the workspace file "${at.value}" was not found in the project.`);
    return undefined;
  }
  const { value } = readCaseDocument(path, path, view);
  const own = isObject(value) ? (member(value, "workspace") ?? value) : value;
  return { at: at.with(own), resolvePath: (name: string) => resolve(dirname(path), name) };
}

/** A folder per case, each with its `case.yaml`; a case without an id is called by its folder. */
function casesOfFolder(path: string, shown: string, view: FileView): readonly CaseList[] | string {
  const files = [...view.list(path)]
    .sort()
    .flatMap((name) => ["case.yaml", "case.yml"].map((file) => join(name, file)))
    .filter((file) => view.isFile(join(path, file)));
  if (files.length === 0) return `the folder "${shown}" holds no cases: one would be NAME/case.yaml.`;
  return files.map((file) => {
    const source = readCaseDocument(join(path, file), join(shown, file), view);
    const value = isObject(source.value) ? { id: dirname(file), ...source.value } : source.value;
    const inFile = (address: Address) => address.slice(1);
    return {
      source: {
        ...source,
        value: [value],
        locate: (address, what) => source.locate(inFile(address), what),
        lengthAt: (address, what) => source.lengthAt(inFile(address), what),
      },
      address: [],
    };
  });
}

/** `file:line:column message`, for diagnostics on standard error. */
export function formatDiagnostic(problem: Problem): string {
  const { file, line, column } = problem.at;
  return `${file ?? ""}:${line ?? 1}:${column ?? 1} ${problem.message}`;
}
