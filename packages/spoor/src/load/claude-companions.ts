/**
 * Claude Code keeps the transcripts of sub-agents in files of their own: `agent-<id>.jsonl` beside the session they belong to, in newer
 * versions under `<session>/subagents`. Read together they are one run, as if the lines stood in one file.
 */
import { closeSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isObject, type Json, member, stringMember } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";

const AGENT_FILE = /^agent-[^\\/]+\.jsonl$/;

/** Lines that are read between those of the session, in the order of time. */
export interface Companions {
  /** Those that are older than a line of the session. */
  before(line: Json): readonly Json[];
  rest(): readonly Json[];
}

export function findCompanions(file: string): Companions | undefined {
  const lines = companionLines(file);
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
function companionLines(file: string): CompanionLine[] {
  const session = sessionOf(file);
  if (session === undefined || !isFile(file)) return [];
  const beside = agentFiles(dirname(file)).filter((path) => sessionIn(path) === session);
  const below = agentFiles(join(dirname(file), session, "subagents"));
  return [...beside, ...below]
    .flatMap(linesOf)
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
    return !homes.some((home) => sessions.has(join(home, `${session}.jsonl`)));
  });
}

/** The session a transcript is named after. */
function sessionOf(file: string): string | undefined {
  const name = basename(file);
  return AGENT_FILE.test(name) ? undefined : /^(.+)\.jsonl$/.exec(name)?.[1];
}

function isFile(path: string): boolean {
  return !path.includes("\0") && statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function agentFiles(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder)
    .filter((name) => AGENT_FILE.test(name))
    .sort()
    .map((name) => join(folder, name));
}

const HEAD_BYTES = 65_536;

/** The session that the first line of a file names. */
function sessionIn(file: string): string | undefined {
  const bytes = Buffer.alloc(HEAD_BYTES);
  const handle = openSync(file, "r");
  try {
    const text = bytes.toString("utf8", 0, readSync(handle, bytes, 0, HEAD_BYTES, 0));
    return /"sessionId"\s*:\s*"([^"\\]+)"/.exec(text)?.[1];
  } finally {
    closeSync(handle);
  }
}

/** A last line that breaks off ends a sub-agent that was killed; what stands before it counts. */
function linesOf(file: string): CompanionLine[] {
  const lines: CompanionLine[] = [];
  let at = "";
  for (const text of readFileSync(file, "utf8").split("\n")) {
    if (text.trim() === "") continue;
    const value = parsed(text);
    if (!isObject(value) || member(value, "isSidechain") !== true) continue;
    at = stringMember(value, "timestamp") ?? at;
    lines.push({ value, at });
  }
  return lines;
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof JsonSyntaxError) return undefined;
    throw error;
  }
}
