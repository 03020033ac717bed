/**
 * The files of a pull request's base, read out of git and never checked out. Git is asked about a folder that the pull request
 * wrote, so it may take no settings from there: a repository inside the repository is not one, and neither is a submodule, whose
 * address the pull request may have changed.
 */
import { execFileSync } from "node:child_process";
import { existsSync, lstatSync, realpathSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import type { PullRequest } from "./pull-request.ts";

export interface BaseTree {
  /** The whole content; undefined when the base has no such file. */
  read(file: string): string | undefined;
  /** Names of files and folders in a folder; none when the base has no such folder. */
  list(folder: string): readonly string[];
}

/** The base, as the repository in which the file lies has it; or why there is none. */
export function openBaseTree(file: string, pullRequest: PullRequest): BaseTree | { readonly problem: string } {
  const folder = dirname(realOf(file));
  const root = git(folder, ["rev-parse", "--show-toplevel"])?.trim();
  if (!root) return { problem: "it lies in no git repository" };
  if (git(folder, ["rev-parse", "--show-superproject-working-tree"])?.trim() !== "")
    return { problem: "it lies in a submodule" };
  const commit = findCommit(root, pullRequest);
  if (commit === undefined) return { problem: "the base commit is not in this checkout" };
  const inside = (path: string) => relative(realpathSync(root), realOf(path)).split(sep).join("/");
  return {
    read: (path) => git(root, ["cat-file", "blob", `${commit}:${inside(path)}`]),
    list: (path) => {
      const place = inside(path);
      const listed = git(root, ["ls-tree", "--name-only", "-z", commit, ...(place === "" ? [] : [`${place}/`])]) ?? "";
      return listed
        .split("\0")
        .filter((name) => name !== "")
        .map((name) => basename(name));
    },
  };
}

/** A plain file in the working copy that git was never told of; what git cannot answer for counts as told. */
export function isUntracked(file: string): boolean {
  if (!lstatSync(file).isFile()) return false;
  const isInRepository = git(nearestFolder(file), ["rev-parse", "--is-inside-work-tree"])?.trim() === "true";
  return isInRepository && !isTracked(file);
}

export function isTracked(file: string): boolean {
  return git(nearestFolder(file), ["ls-files", "--error-unmatch", "--", basename(file)]) !== undefined;
}

function findCommit(root: string, { bases, merge }: PullRequest): string | undefined {
  const commitOf = (revision: string) =>
    git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", `${revision}^{commit}`])?.trim() || undefined;
  for (const base of bases) {
    const found = commitOf(base);
    if (found !== undefined) return found;
  }
  // Only the merge that the server made has the base as its first parent; one of the pull request's own has what it likes.
  return merge !== undefined && commitOf("HEAD") === merge && commitOf("HEAD^2") !== undefined
    ? commitOf("HEAD^1")
    : undefined;
}

/** Where the file really is: a link that the pull request brings must not lead to a file of the base's. */
function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(nearestFolder(path), basename(path));
}

function nearestFolder(path: string): string {
  for (let folder = dirname(path); ; folder = dirname(folder))
    if (existsSync(folder) || folder === dirname(folder)) return realpathSync(folder);
}

const SAFE = ["-c", "safe.bareRepository=explicit", "-c", "core.fsmonitor=false", "-c", "core.hooksPath="];
const MOST_BYTES = 64 * 1024 ** 2;

/** What git prints; undefined when it fails. */
function git(folder: string, words: readonly string[]): string | undefined {
  try {
    return execFileSync("git", [...SAFE, ...words], {
      cwd: folder,
      encoding: "utf8",
      maxBuffer: MOST_BYTES,
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, GIT_NO_LAZY_FETCH: "1", GIT_TERMINAL_PROMPT: "0" },
    });
  } catch {
    return undefined;
  }
}
