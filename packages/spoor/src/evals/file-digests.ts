/**
 * Fingerprints of the files a run depends on without naming their content: what is attached, scripts that judge, the folder an agent starts
 * in. A result counts for `--resume` only while they are the same. Each file is read once.
 */
import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Json } from "@spoor/core";
import { isObject } from "@spoor/core/internal/trace/json";

export interface FileDigests {
  file(path: string): string;
  /** Everything below a folder: names, links, contents, and what may be run. */
  folder(path: string): string;
  /** The files that settings name under keys such as `command`, `prompt` or `file`, from a folder: name and digest. */
  named(settings: Json | undefined, folder: string, among?: RegExp): string[];
}

/** Larger files are told apart by size and time: reading them would take longer than many runs. */
const LARGE = 64 * 1024 * 1024;
/** Settings that hold commands and names of files. */
const KEYS =
  /^(?:command|script|commandtemplate|prompt|system_?prompt|file|files|policy|baseline|schema|module|path|value|args|trace|traces|recordings?)$/i;
/** What is written to rather than read. */
const WRITTEN = /\.(?:log|jsonl|out|tmp|pid|txt)$/i;
/** Programs and settings of agents; an agent's other words are often files that it writes. */
export const PROGRAMS = /\.(?:[cm]?[jt]sx?|py|sh|bash|rb|pl|php|lua|json|ya?ml|toml|md|prompt|agentlog)$/i;

export function createFileDigests(): FileDigests {
  const known = new Map<string, string>();
  const once = (path: string, make: () => string) => {
    const digest = known.get(path) ?? make();
    known.set(path, digest);
    return digest;
  };
  const file = (path: string) => once(path, () => digestOfFile(path));
  return {
    file,
    folder: (path) => once(`${path}/`, () => sha(entriesOf(path, "").join("\n"))),
    named: (settings, folder, among) =>
      [...new Set(wordsOf(settings, ""))]
        .filter((word) => !WRITTEN.test(word) && (among?.test(word) ?? true))
        .flatMap((word) => {
          const digest = file(resolve(folder, word));
          return digest === "" ? [] : [`${word}=${digest}`];
        }),
  };
}

/** Empty where there is no such file. */
function digestOfFile(path: string): string {
  try {
    const found = statSync(path);
    if (!found.isFile()) return "";
    return found.size > LARGE ? `${found.size}-${found.mtimeMs}` : sha(readFileSync(path));
  } catch {
    return "";
  }
}

function sha(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex").slice(0, 16);
}

function entriesOf(root: string, below: string): string[] {
  const names = readdirSync(join(root, below)).sort();
  return names.flatMap((name) => {
    const path = join(below, name);
    const found = lstatSync(join(root, path));
    if (found.isDirectory()) return [`${path}/`, ...entriesOf(root, path)];
    if (found.isSymbolicLink()) return [`${path}->${readlinkSync(join(root, path))}`];
    return [`${path}:${found.mode & 0o111 ? "x" : ""}:${digestOfFile(join(root, path))}`];
  });
}

function* wordsOf(value: Json | undefined, key: string): Generator<string> {
  if (typeof value === "string") {
    if (!KEYS.test(key.replaceAll("_", "")) || value.length > 4000 || value.includes("\n")) return;
    yield value.replace(/^file:(\/\/)?/, "");
    for (const word of value.split(/\s+/)) yield word.replace(/^["']|["']$/g, "");
  } else if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) yield* wordsOf(item, key);
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) yield* wordsOf(item, name);
  }
}
