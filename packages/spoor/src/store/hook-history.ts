/**
 * What a coding agent did in one session, for the hook: one line per call and per result, appended under a lock, because
 * the agent runs hooks of parallel calls at the same time. A history that cannot be read is an error: forgetting would
 * let through what the rules forbid. Its name comes from the session, never from the folder the agent stands in.
 */
import { appendFile, open, readdir, readFile, rename, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json, JsonObject } from "@spoor/core";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { sealText, unsealText } from "@spoor/core/internal/canonical/sealed-text";
import { SpoorError } from "@spoor/core/internal/errors";
import { isObject, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { sweepTemporaries, temporaryBeside } from "@spoor/record/internal/node/temporary-file";
import { makeFolder } from "../load/make-folder.ts";
import { withFileLock } from "./file-lock.ts";

/** The first line: where the policy was found, and tools that had been called before the hook saw anything. */
export interface HookBegin {
  readonly kind: "begin";
  readonly policy: string;
  readonly root: string;
  readonly unseen: readonly string[];
}

export interface HookCall {
  readonly kind: "call";
  readonly id: string;
  readonly name: string;
  readonly input: Json;
  readonly at: string;
  readonly agent?: string;
  /** The name that calls share which ran side by side. */
  readonly group?: string;
}

/** `unknown`: it ended, and whether it went well is told later. `output` is kept for the tools whose output a rule reads. */
export interface HookResult {
  readonly kind: "result";
  readonly id: string;
  readonly status: "ok" | "error" | "unknown";
  readonly output?: Json;
}

export type HookEntry = HookBegin | HookCall | HookResult;

export interface HookHistory {
  readonly file: string;
  /** The first line, without waiting for anyone: it never changes. Undefined for a session that is not known. */
  begin(): Promise<HookBegin | undefined>;
  /** Reads the history and, still holding the lock, appends what `work` returns, and keeps its digest. */
  update<T>(
    work: (entries: readonly HookEntry[], digest: HookDigest | undefined) => Promise<HookUpdate<T>>,
    key?: string,
  ): Promise<T>;
}

export interface HookUpdate<T> {
  readonly result: T;
  readonly append: readonly HookEntry[];
  /** What the entries that were read, and so many of those that are appended, come to: the next call need not read them. */
  readonly digest?: { readonly covers: number; readonly of: HookDigest };
}

/** What the rules remember of a long history, and what of it may still matter: lines before it are not read again. */
export interface HookDigest {
  /** Calls of which is not known how they ended, each with its position among all calls. */
  readonly open: readonly (readonly [position: number, call: HookCall])[];
  readonly calls: number;
  readonly told: boolean;
  readonly begin: HookBegin;
  readonly state: JsonObject;
}

/** What tells one history from another: two policies in one agent must not count each other's calls. */
export interface HistoryName {
  readonly session: string;
  readonly project: string | undefined;
  readonly policy: string;
}

/** Well below the time that agents give their hooks: one that is ended by its agent lets the call through. */
const LOCK_TIMEOUT_MS = 10_000;
const KEPT_MS = 90 * 24 * 3_600_000;
const LONGEST_BEGIN = 1 << 16;

export function openHookHistory(folder: string, name: HistoryName, now: Date): HookHistory {
  const file = join(folder, `${fileStem(name)}.jsonl`);
  return {
    file,
    begin: () => readBegin(file),
    async update(work, key = "") {
      await makeFolder(folder, { mode: 0o700 });
      return withFileLock(
        file,
        async () => {
          const known = key === "" ? undefined : await readDigest(file, key);
          const text = await mendEnd(file, await readFrom(file, known?.bytes ?? 0));
          const entries = parseEntries(text, file);
          const { result, append, digest } = await work(entries, known?.digest);
          const bytes = (known?.bytes ?? 0) + Buffer.byteLength(text);
          if (append.length > 0) await appendFile(file, lines(append), { mode: 0o600 });
          if (digest !== undefined) {
            const covered = bytes + Buffer.byteLength(lines(append.slice(0, digest.covers)));
            await keepDigest(file, { key, bytes: covered, digest: digest.of });
          }
          if (bytes === 0) await forgetOld(folder, now);
          return result;
        },
        { timeoutMs: LOCK_TIMEOUT_MS },
      );
    },
  };
}

function lines(entries: readonly HookEntry[]): string {
  return entries.map((entry) => `${stringifyJson(entry as unknown as Json)}\n`).join("");
}

/** Ids come from outside: only harmless characters reach the file system, and a hash keeps two names apart. */
function fileStem({ session, project = "", policy }: HistoryName): string {
  const readable = session.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 60);
  return `${readable}-${digestText(JSON.stringify([session, project, policy]), 12)}`;
}

async function readBegin(file: string): Promise<HookBegin | undefined> {
  try {
    const handle = await open(file, "r");
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_BEGIN), 0, LONGEST_BEGIN, 0);
      const text = buffer.toString("utf8", 0, bytesRead);
      const line = text.split("\n", 1)[0]!;
      // Torn, and the only one: the session has not begun.
      if (line === text && !isEntry(line)) return undefined;
      const entry = line === "" ? undefined : parseEntry(line, 1, file);
      return entry?.kind === "begin" ? entry : undefined;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function readFrom(file: string, start: number): Promise<string> {
  try {
    if (start === 0) return await readFile(file, "utf8");
    const handle = await open(file, "r");
    try {
      const { size } = await handle.stat();
      const buffer = Buffer.alloc(size - start);
      await handle.read(buffer, 0, buffer.length, start);
      return buffer.toString("utf8");
    } finally {
      await handle.close();
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

/**
 * A last line without its end: its writer was killed or the disk was full, and whoever asked never got an answer to it. What is no entry is
 * cut off; a whole one, of which only the end is missing, gets it.
 */
async function mendEnd(file: string, text: string): Promise<string> {
  if (text === "" || text.endsWith("\n")) return text;
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  if (isEntry(text.slice(whole.length))) {
    await appendFile(file, "\n");
    return `${text}\n`;
  }
  // Counted in bytes: half a character at the end of the torn line has another length as text.
  await truncate(file, (await readFile(file)).lastIndexOf(LINE_END) + 1);
  return whole;
}

const LINE_END = 10;

function isEntry(line: string): boolean {
  try {
    return KINDS.has(stringMember(parseJson(line), "kind") ?? "");
  } catch {
    return false;
  }
}

interface KeptDigest {
  /** Policy and version: what other rules remember is of no use. */
  readonly key: string;
  /** How much of the history it stands for. */
  readonly bytes: number;
  readonly digest: HookDigest;
}

/** A digest that does not fit its history is none: then all of the history is read. */
async function readDigest(file: string, key: string): Promise<KeptDigest | undefined> {
  try {
    const json = unsealText(await readFile(`${file}.digest`, "utf8"));
    if (json === undefined) return undefined;
    const kept = parseJson(json) as unknown as KeptDigest;
    return kept.key === key && kept.bytes <= (await stat(file)).size ? kept : undefined;
  } catch {
    return undefined;
  }
}

async function keepDigest(file: string, kept: KeptDigest): Promise<void> {
  const draft = temporaryBeside(`${file}.digest`);
  await writeFile(draft, sealText(stringifyJson(kept as unknown as Json)), { mode: 0o600 });
  await rename(draft, `${file}.digest`);
}

function parseEntries(text: string, file: string): HookEntry[] {
  return (
    parseQuickly(text) ??
    text.split("\n").flatMap((line, index) => (line === "" ? [] : [parseEntry(line, index + 1, file)]))
  );
}

/** All lines at once, as long as every number in them is one that the engine's own parser keeps exactly. */
function parseQuickly(text: string): HookEntry[] | undefined {
  if (/\d{16}/.test(text)) return undefined;
  try {
    const entries = JSON.parse(`[${text.trimEnd().replaceAll("\n", ",")}]`) as HookEntry[];
    return entries.every((entry) => KINDS.has(entry?.kind)) ? entries : undefined;
  } catch {
    // Line by line, so that the damaged one can be named.
    return undefined;
  }
}

const KINDS: ReadonlySet<string> = new Set(["begin", "call", "result"]);

function parseEntry(line: string, lineNumber: number, file: string): HookEntry {
  try {
    const value = parseJson(line);
    if (isObject(value) && KINDS.has(stringMember(value, "kind") ?? "")) return value as unknown as HookEntry;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  throw new SpoorError("hook.bad-history", `${file}:${lineNumber} is not a line of a hook's history.`, {
    at: { file, line: lineNumber },
    consequence: "Without its history the rules cannot be judged, so the call is refused.",
    hint: "Delete the file to begin the session anew.",
  });
}

/** Histories of sessions that nobody goes on with; only looked for when a session begins. */
async function forgetOld(folder: string, now: Date): Promise<void> {
  sweepTemporaries(folder);
  for (const name of await readdir(folder)) {
    const file = join(folder, name);
    const { mtimeMs } = await stat(file).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (now.getTime() - mtimeMs > KEPT_MS) await rm(file, { force: true });
  }
}
