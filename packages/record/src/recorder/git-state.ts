/** The commit and branch a program was started in, read from the files of the repository: no program is run for it. */
import { readFileSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";

export interface GitState {
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
}

export function gitState(folder: string): GitState {
  try {
    const git = gitFolder(folder);
    if (git === undefined) return {};
    const head = readFileSync(join(git, "HEAD"), "utf8").trim();
    const ref = /^ref: (.+)$/.exec(head)?.[1];
    if (ref === undefined) return { commit: head };
    return { commit: commitOf(git, ref), branch: ref.replace(/^refs\/heads\//, "") };
  } catch {
    return {};
  }
}

function gitFolder(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, ".git");
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory()) return path;
    // A worktree has a file that names the folder.
    const named = stat?.isFile() ? /^gitdir: (.+)$/m.exec(readFileSync(path, "utf8"))?.[1] : undefined;
    if (named !== undefined) return isAbsolute(named) ? named : join(at, named);
    if (dirname(at) === at) return undefined;
  }
}

function commitOf(git: string, ref: string): string | undefined {
  const shared = readIfAny(join(git, "commondir"));
  for (const folder of shared === undefined ? [git] : [git, join(git, shared.trim())]) {
    const own = readIfAny(join(folder, ref));
    if (own !== undefined) return own.trim();
    const packed = readIfAny(join(folder, "packed-refs"));
    const line = packed?.split("\n").find((one) => one.endsWith(` ${ref}`));
    if (line !== undefined) return line.split(" ")[0];
  }
  return undefined;
}

function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
