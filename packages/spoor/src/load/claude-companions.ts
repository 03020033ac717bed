/**
 * Claude Code keeps the transcripts of sub-agents in files of their own: `agent-<id>.jsonl` beside the session they belong to, in newer
 * versions under `<session>/subagents`. Read together they are one run, as if the lines stood in one file. Each of them may be packed with gzip.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { constants, gunzipSync } from "node:zlib";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, type Json, member, stringMember } from "@spoor/core/internal/trace/json";
import { openInFence } from "./fence.ts";
import { gzipError, isGzip } from "./input.ts";
import { pathKind } from "./path-kind.ts";

const AGENT_FILE = /^agent-[^\\/]+\.jsonl(?:\.gz)?$/;

const ENDINGS = [".jsonl", ".jsonl.gz"];

/** Lines that are read between those of the session, in the order of time. */
export interface Companions {
  /** Those that are older than a line of the session. */
  before(line: Json): readonly Json[];
  rest(): readonly Json[];
}

export function findCompanions(file: string, lenient: boolean): Companions | undefined {
  const lines = companionLines(file, lenient);
  if (lines.length === 0) return undefined;
  let next = 0;
  const take = (until: (line: CompanionLine) => boolean) => {
    const from = next;
    while (next < lines.length && until(lines[next]!)) next++;
    return lines.slice(from, next).map(({ value }) => value);
  };
  return {
    before(line) {
      const at = stringMember(line, "timestamp");
      return at === undefined ? [] : take((companion) => companion.at < at);
    },
    rest: () => take(() => true),
  };
}

interface CompanionLine {
  readonly value: Json;
  /** Its clock; a line without one has that of the line before. */
  readonly at: string;
}

/** The lines of the sub-agents of a session, in the order of time; none for any other file. */
function companionLines(file: string, lenient: boolean): CompanionLine[] {
  const session = sessionOf(file);
  if (session === undefined || !isFile(file)) return [];
  const beside = agentFiles(dirname(file)).filter((path) => sessionIn(path) === session);
  const below = agentFiles(join(dirname(file), session, "subagents"));
  return [...beside, ...below]
    .flatMap((path) => linesOf(path, lenient))
    .sort((left, right) => (left.at < right.at ? -1 : left.at > right.at ? 1 : 0));
}

/** The files that are no part of another one of them. */
export function withoutCompanions(files: readonly string[]): string[] {
  const sessions = new Set(files.filter((file) => !AGENT_FILE.test(basename(file))));
  return files.filter((file) => {
    if (!AGENT_FILE.test(basename(file))) return true;
    const session = sessionIn(file);
    if (session === undefined) return true;
    const homes = [dirname(file), dirname(dirname(dirname(file)))];
    return !homes.some((home) => ENDINGS.some((ending) => sessions.has(join(home, session + ending))));
  });
}

/** The session a transcript is named after. */
function sessionOf(file: string): string | undefined {
  const name = basename(file);
  return AGENT_FILE.test(name) ? undefined : /^(.+)\.jsonl(?:\.gz)?$/.exec(name)?.[1];
}

function isFile(path: string): boolean {
  return pathKind(path) === "file";
}

function agentFiles(folder: string): string[] {
  if (pathKind(folder) !== "folder") return [];
  const names = new Set(readdirSync(folder).filter((name) => AGENT_FILE.test(name)));
  // Packed beside the unpacked file it is the same transcript once more.
  return [...names]
    .filter((name) => !name.endsWith(".gz") || !names.has(name.slice(0, -".gz".length)))
    .sort()
    .map((name) => join(folder, name));
}

const HEAD_BYTES = 65_536;

/** The session that the first line of a file names. */
function sessionIn(file: string): string | undefined {
  const bytes = Buffer.alloc(HEAD_BYTES);
  const handle = openInFence(file) ?? openSync(file, "r");
  try {
    const head = bytes.subarray(0, readSync(handle, bytes, 0, HEAD_BYTES, 0));
    const text = (isGzip(head) ? unpackHead(head) : head).toString("utf8");
    return /"sessionId"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
  } finally {
    closeSync(handle);
  }
}

/** The beginning of a packed file is cut short by nature; of one that is damaged nothing is known. */
function unpackHead(head: Buffer): Buffer {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH });
  } catch {
    return Buffer.alloc(0);
  }
}

function readText(file: string, lenient: boolean): string {
  const bytes = readWhole(file);
  if (!isGzip(bytes)) return bytes.toString("utf8");
  try {
    return gunzipSync(bytes, lenient ? { finishFlush: constants.Z_SYNC_FLUSH } : {}).toString("utf8");
  } catch (error) {
    throw gzipError(file, error);
  }
}

function readWhole(file: string): Buffer {
  const handle = openInFence(file) ?? openSync(file, "r");
  try {
    return readFileSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A last line that breaks off ends a sub-agent that was killed; what stands before it counts. */
function linesOf(file: string, lenient: boolean): CompanionLine[] {
  const lines: CompanionLine[] = [];
  let at = "";
  for (const text of readText(file, lenient).split("\n")) {
    if (text.trim() === "") continue;
    const value = parseJsonText(text);
    if (!isObject(value) || member(value, "isSidechain") !== true) continue;
    at = stringMember(value, "timestamp") ?? at;
    lines.push({ value, at });
  }
  return lines;
}
