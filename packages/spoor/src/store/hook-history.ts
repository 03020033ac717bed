/**
 * What a coding agent did in one session, for the hook: one line per call and per result, appended under a lock, because
 * the agent runs hooks of parallel calls at the same time. A history that cannot be read is an error: forgetting would
 * let through what the rules forbid.
 */
import { appendFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Json } from "@spoor/core";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { SpoorError } from "@spoor/core/internal/errors";
import { isObject, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/internal/trace/parse-json";
import { withFileLock } from "./file-lock.ts";

export type HookEntry =
  | { readonly kind: "call"; readonly id: string; readonly name: string; readonly input: Json }
  | { readonly kind: "result"; readonly id: string; readonly failed: boolean; readonly output: Json };

export interface HookHistory {
  /** Reads the history and, still holding the lock, appends what `work` returns. */
  update<T>(work: (entries: readonly HookEntry[]) => { result: T; append: readonly HookEntry[] }): Promise<T>;
}

export function openHookHistory(folder: string, sessionId: string): HookHistory {
  const file = join(folder, `${fileStem(sessionId)}.jsonl`);
  return {
    async update(work) {
      await mkdir(folder, { recursive: true });
      return withFileLock(file, async () => {
        const { result, append } = work(await readEntries(file));
        if (append.length > 0)
          await appendFile(file, append.map((entry) => `${stringifyJson(entry as unknown as Json)}\n`).join(""));
        return result;
      });
    },
  };
}

/** Ids come from outside: only harmless characters reach the file system, and a hash keeps two ids apart. */
function fileStem(sessionId: string): string {
  return `${sessionId.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 60)}-${digestText(sessionId, 8)}`;
}

async function readEntries(file: string): Promise<HookEntry[]> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
  return text.split("\n").flatMap((line, index) => (line === "" ? [] : [parseEntry(line, index + 1, file)]));
}

function parseEntry(line: string, lineNumber: number, file: string): HookEntry {
  try {
    const value = parseJson(line);
    const kind = stringMember(value, "kind");
    if (isObject(value) && (kind === "call" || kind === "result")) return value as unknown as HookEntry;
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
  }
  throw new SpoorError("hook.bad-history", `${file}:${lineNumber} is not a line of a hook's history.`, {
    at: { file, line: lineNumber },
    consequence: "Without its history the rules cannot be judged, so the call is refused.",
    hint: "Delete the file to begin the session anew.",
  });
}
