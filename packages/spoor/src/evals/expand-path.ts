/** What a path means to `spoor eval`: a file, every eval file of a folder, or a glob. Sorted, so that a run never depends on the file system. */
import { findFiles } from "../load/find-files.ts";
import { pathKind } from "../load/path-kind.ts";
import { readWholeText } from "../load/read-text.ts";

const EVAL_FILE = /\.(ya?ml|jsonl|csv|tsv)$/i;
const CASES = /^(?:evalcases|eval_cases|cases|tests)\s*:/m;

export function expandPath(path: string): string[] {
  const kind = pathKind(path);
  if (kind === "file") return [path];
  if (kind === "folder") return globOrNothing(`${path.replace(/[\\/]+$/, "")}/**/*`).filter(isEvalFile);
  return globOrNothing(path).filter((file) => EVAL_FILE.test(file));
}

function globOrNothing(pattern: string): string[] {
  try {
    return findFiles(pattern);
  } catch {
    return [];
  }
}

/** In a folder only what looks like an eval file is taken: targets and policies are YAML too. */
function isEvalFile(file: string): boolean {
  return /\.eval\.(ya?ml|jsonl|csv|tsv)$/i.test(file) || (/\.ya?ml$/i.test(file) && CASES.test(readWholeText(file)));
}
