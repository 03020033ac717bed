/**
 * An error quotes the file it is about. A file may be named by a configuration that a stranger wrote, and the error may end in a pull
 * request comment: so nothing is quoted of a file that Spoor has no business with (`.env`, a key, `/proc/self/environ`, whatever a link leads to),
 * and in the job of a pull request nothing of a file that did not come with the repository. What is wrong where is still said.
 */
import { realpathSync, statSync } from "node:fs";
import { basename, resolve } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { isTracked } from "./trust/base-tree.ts";
import { findPullRequest } from "./trust/pull-request.ts";

/** How files that people and programs write for Spoor are called. */
const OWN_NAMES = /[^.\\/][^\\/]*\.(ya?ml|jsonl?|ndjson|agentlog|[ct]sv|md)(\.gz)?$/i;

/** Errors that tell what they found by the file's own words, without a line. */
const NAMES_KEYS: ReadonlySet<string> = new Set(["trace.unknown-format"]);

export interface Surroundings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function hideForeignText(error: SpoorError, surroundings: Surroundings): SpoorError {
  const { file, line } = error.at;
  const namesKeys = NAMES_KEYS.has(error.code);
  const quotes = namesKeys || error.excerpt !== undefined || error.problems.length > 0 || line !== undefined;
  const why = file === undefined || !quotes ? undefined : whyHidden(file, surroundings);
  if (why === undefined) return error;
  const place = line === undefined ? file! : `${file}:${line}`;
  return new SpoorError(
    error.code,
    `${place} is not what it is taken for, and nothing of it is shown, because ${why}.`,
    {
      at: error.at,
      cause: error.cause,
      ...(error.consequence === undefined || namesKeys ? {} : { consequence: error.consequence }),
      ...(error.hint === undefined ? {} : { hint: error.hint }),
    },
  );
}

function whyHidden(file: string, { cwd, env }: Surroundings): string | undefined {
  const path = realOf(resolve(cwd, file));
  // A pipe holds what whoever typed the command put into it; what is not there has nothing to tell.
  if (path === undefined || !statSync(path).isFile()) return undefined;
  if (!OWN_NAMES.test(basename(path))) return "it has no name that such files have (.yaml, .json, .jsonl, .agentlog …)";
  if (findPullRequest(env) !== undefined && !isTracked(path)) return "it did not come with the repository";
  return undefined;
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
