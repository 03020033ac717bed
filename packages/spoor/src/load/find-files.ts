/**
 * What a path on the command line means: a file, every trace file of a folder, a glob, or `-` for standard input.
 * Sorted by code point, so that a run never depends on the file system's order.
 */
import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { join, sep } from "node:path";
import { compareCodePoints } from "@spoor/core/internal/canonical/canonical-json";
import { SpoorError } from "@spoor/core/internal/errors";
import { globMatcher, isGlob } from "@spoor/core/internal/text/glob";
import { givenRuns, requireInside } from "./fence.ts";
import { whyUnreadable } from "./why-unreadable.ts";

/** Files that stand beside traces and are never traces themselves. */
const NEVER_TRACES = /(^|[\\/])(node_modules|\.git)([\\/]|$)|\.(md|ya?ml|ts|js|mjs|html|svg|png|txt|lock)$/i;
/** What SQLite keeps beside a database belongs to it. */
const BESIDE_DATABASES = /-(?:wal|shm|journal)$/;
/** Notes that Claude Code keeps beside the transcript of a sub-agent. */
const AGENT_NOTES = /[\\/]subagents[\\/]agent-[^\\/]+\.meta\.json$/;

export function findFiles(path: string): string[] {
  const given = givenRuns(path);
  if (given !== undefined) return [...given];
  if (path === "-") return [path];
  requireInside(isGlob(path) ? globBase(path) : path);
  const status = statusOf(path);
  if (status !== undefined) return status.isDirectory() ? filesOfFolder(path) : [path];
  if (isGlob(path)) {
    const found = expandGlob(path);
    if (found.length > 0) return found;
    throw new SpoorError("input.no-match", `No file matches ${path}.`, {
      at: { file: path },
      hint: "Put the pattern in quotes so that the shell does not change it, and check the folder.",
    });
  }
  // Mostly a variable of a script that holds nothing.
  if (path.trim() === "")
    throw new SpoorError("input.missing", "A path is empty.", {
      hint: "Check the variable or the setting it comes from.",
    });
  throw new SpoorError("input.missing", `${path} does not exist.`, {
    at: { file: path },
    hint: "Check the path; folders and globs like traces/*.json work too.",
  });
}

/** Undefined when there is nothing of that name. */
function statusOf(path: string): Stats | undefined {
  // A zero byte, possible in a configuration, is no part of any path; the system would throw instead of saying so.
  if (path.includes("\0")) return undefined;
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unreadable(path, error);
  }
}

function unreadable(file: string, cause: unknown): SpoorError {
  const hint = "Check the path. In a folder: take it out, or name the other files.";
  return new SpoorError("input.unreadable", `${file} ${whyUnreadable(cause)}.`, { at: { file }, hint, cause });
}

function filesOfFolder(folder: string): string[] {
  const files = walk(folder).filter((file) => !isBeside(file));
  if (files.length > 0) return files;
  throw new SpoorError("input.empty-folder", `${folder} holds no trace file.`, {
    at: { file: folder },
    hint: "Spoor reads every file below a folder except sources, texts and YAML.",
  });
}

function isBeside(file: string): boolean {
  return NEVER_TRACES.test(file) || AGENT_NOTES.test(file) || BESIDE_DATABASES.test(file);
}

function walk(folder: string, files: string[] = []): string[] {
  for (const entry of entriesOf(folder).sort((a, b) => compareCodePoints(a.name, b.name))) {
    if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) walk(path, files);
    else if (entry.isFile() || (entry.isSymbolicLink() && statusOf(path)?.isFile())) files.push(path);
  }
  return files;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    throw unreadable(folder, error);
  }
}

/** The folder that every file of a pattern lies below. */
function globBase(pattern: string): string {
  const parts = pattern.split(/[\\/]/);
  return parts.slice(0, parts.findIndex(isGlob)).join(sep) || (pattern.startsWith("/") ? sep : ".");
}

function expandGlob(pattern: string): string[] {
  const parts = pattern.split(/[\\/]/);
  const fixed = parts.findIndex(isGlob);
  const base = globBase(pattern);
  if (!statusOf(base)?.isDirectory()) return [];
  const fits = globMatcher(parts.slice(fixed).join("/"), { paths: true });
  return walk(base).filter((file) => {
    const relative = base === "." ? file : file.slice(base.endsWith(sep) ? base.length : base.length + 1);
    return fits(relative.split(sep).join("/"));
  });
}
