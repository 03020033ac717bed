/**
 * Runs golden cases against our own engine. Every file at or under the paths is run; each case goes to the adapter that
 * knows its shape. A file or case that no adapter knows is a failure: silence would look like conformance.
 */
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { type Json, type JsonObject, parseJson } from "@spoor/core";
import { isObject, member } from "@spoor/core/internal/trace/json";
import type { Adapter, Outcome, VectorFile } from "./adapter.ts";
import { adapters } from "./adapters.ts";

export interface CaseResult {
  readonly file: string;
  readonly name: string;
  readonly adapter: string | undefined;
  readonly outcome: Outcome;
}

/** Flags that make a case non-normative. */
const SKIP_FLAGS = ["decided_difference", "peer_bug", "law_conflict"] as const;

export async function runVectors(paths: readonly string[]): Promise<CaseResult[]> {
  const results: CaseResult[] = [];
  for (const path of paths.flatMap(findVectorFiles)) results.push(...(await runFile(path)));
  return results;
}

/** Folders of sources that belong to no test (`eval-files`) hold no vectors. */
function findVectorFiles(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { withFileTypes: true })
    .sort((left, right) => (left.name < right.name ? -1 : 1))
    .filter((entry) => entry.name !== "eval-files")
    .flatMap((entry) => {
      const child = join(path, entry.name);
      if (entry.isDirectory()) return findVectorFiles(child);
      return entry.name.endsWith(".json") ? [child] : [];
    });
}

async function runFile(path: string): Promise<CaseResult[]> {
  const document = parseJson(readFileSync(path, "utf8"), 10_000);
  const cases = Array.isArray(document) ? document : member(document, "cases");
  const { cases: _cases, ...head } = isObject(document) ? document : {};
  const file: VectorFile = { path, head };
  if (!Array.isArray(cases)) return [failure(path, "(file)", 'has no "cases"')];
  const results: CaseResult[] = [];
  for (const [index, testCase] of (cases as readonly Json[]).entries()) {
    if (!isObject(testCase)) results.push(failure(path, `case ${index}`, "is not an object"));
    else results.push(await runCase(testCase, index, file));
  }
  return results;
}

async function runCase(testCase: JsonObject, index: number, file: VectorFile): Promise<CaseResult> {
  const name = String(member(testCase, "name") ?? member(testCase, "id") ?? `case ${index}`);
  const skip = skipReason(testCase, file);
  if (skip !== undefined)
    return { file: file.path, name, adapter: undefined, outcome: { status: "skipped", reason: skip } };
  const adapter = adapters.find((candidate) => candidate.matches(testCase, file));
  if (adapter === undefined) return failure(file.path, name, "no adapter knows this shape");
  return {
    file: file.path,
    name,
    adapter: adapter.name,
    outcome: await runAdapter(adapter, withCorrections(testCase), file),
  };
}

async function runAdapter(adapter: Adapter, testCase: JsonObject, file: VectorFile): Promise<Outcome> {
  try {
    return await adapter.run(testCase, file);
  } catch (error) {
    const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { status: "failed", mismatches: [{ path: "(threw)", expected: undefined, actual: detail }] };
  }
}

function skipReason(testCase: JsonObject, file: VectorFile): string | undefined {
  if (member(file.head, "binding") === false) return "binding: false";
  return SKIP_FLAGS.find((flag) => {
    const value = member(testCase, flag);
    return value !== undefined && value !== false && value !== null;
  });
}

/** `corrected` replaces the members of `expected` that it names. */
function withCorrections(testCase: JsonObject): JsonObject {
  const corrected = member(testCase, "corrected");
  const expected = member(testCase, "expected");
  if (!isObject(corrected) || !isObject(expected)) return testCase;
  return { ...testCase, expected: { ...expected, ...corrected } };
}

function failure(file: string, name: string, message: string): CaseResult {
  const outcome: Outcome = { status: "failed", mismatches: [{ path: "", expected: undefined, actual: message }] };
  return { file, name, adapter: undefined, outcome };
}
