/**
 * The results of a run on disk. Every finished run is one line, written in one go, so that a killed process loses nothing
 * but what was still running. When all runs are done the file is rewritten in the order of the plan: the same file,
 * however many workers there were and however often it was interrupted.
 */
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json } from "@spoor/core";
import { compareCodePoints } from "@spoor/core/internal/canonical/canonical-json";
import { SpoorError } from "@spoor/core/internal/errors";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { isObject, member, stringifyJson } from "@spoor/core/internal/trace/json";
import { parseRecordedJson } from "@spoor/core/internal/trace/parse-json";
import { openAppendFile } from "@spoor/record/internal/node/append-file";
import { writeFileAtomically } from "../load/write-file.ts";

export interface ResultsFile {
  readonly path: string;
  append(record: RunRecord): void;
  /** Rewrites the file with exactly these records. */
  finish(records: readonly RunRecord[]): Promise<void>;
  close(): void;
}

/** `kept` are the records of an earlier, interrupted run; everything else in the file is dropped. */
export async function openResultsFile(path: string, kept: readonly RunRecord[]): Promise<ResultsFile> {
  // Written whole before it is appended to: a torn last line of a killed run must not run into the next one.
  await writeFileAtomically(path, textOf(kept));
  const file = openAppendFile(path);
  let open = true;
  return {
    path,
    append(record) {
      if (open) file.append(`${stringifyJson(record as unknown as Json)}\n`);
    },
    async finish(records) {
      close();
      await writeFileAtomically(path, textOf(records));
    },
    close,
  };

  function close(): void {
    file.close();
    open = false;
  }
}

function textOf(records: readonly RunRecord[]): string {
  return records.map((record) => `${stringifyJson(record as unknown as Json)}\n`).join("");
}

export interface StoredRecords {
  readonly records: readonly RunRecord[];
  /** Lines that are no records: a torn last line, or another file altogether. */
  readonly unreadable: number;
}

export function loadRecords(path: string): StoredRecords {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new SpoorError("eval.no-results", `${path} cannot be read: ${(error as Error).message}.`, {
      at: { file: path },
    });
  }
  const records: RunRecord[] = [];
  let unreadable = 0;
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const record = parseRecord(line);
    if (record === undefined) unreadable++;
    else records.push(record);
  }
  return { records, unreadable };
}

/** A record of ours, or one that AgentV wrote (any release), lifted to our shape. */
function parseRecord(line: string): RunRecord | undefined {
  let value: Json;
  try {
    value = parseRecordedJson(line).value;
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (member(value, "schema") === "spoor.eval-run/1" && typeof member(value, "status") === "string")
    return value as unknown as RunRecord;
  const id = member(value, "eval_id") ?? member(value, "test_id");
  const score = member(value, "score");
  if (typeof id !== "string" || typeof score !== "number") return undefined;
  const error = member(value, "error");
  return {
    schema: "spoor.eval-run/1",
    timestamp: text("timestamp"),
    eval_id: id,
    dataset: text("dataset") || text("suite"),
    eval_file: "",
    target: text("target"),
    run: 1,
    key: "",
    // What AgentV calls an error is an outage as often as not; it keeps such runs apart as well.
    status: typeof error === "string" ? "outage" : score >= 0.8 ? "passed" : "failed",
    passed: score >= 0.8 && typeof error !== "string",
    ended: typeof error === "string" ? "error" : "answered",
    score,
    threshold: 0.8,
    verdict: "",
    hits: [],
    misses: [],
    candidate_answer: text("candidate_answer"),
    trace_summary: null,
    ...(typeof error === "string" ? { error: { kind: "failed", message: error } } : {}),
  };

  function text(key: string): string {
    const found = member(value, key);
    return typeof found === "string" ? found : "";
  }
}

export const RUNS_FOLDER = join(".spoor", "runs");

/** `.spoor/runs/2026-11-14-0932.jsonl`; a second run within the minute gets a number. */
export function newResultsPath(cwd: string, now: Date): string {
  const stamp = now.toISOString().slice(0, 16).replace("T", "-").replace(":", "");
  const folder = join(cwd, RUNS_FOLDER);
  mkdirSync(folder, { recursive: true });
  for (let number = 1; ; number++) {
    const path = join(folder, `${stamp}${number === 1 ? "" : `-${number}`}.jsonl`);
    try {
      // Taken by creating it: two runs that start in the same moment must not share a file.
      closeSync(openSync(path, "wx"));
      return path;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    }
  }
}

/** The newest results file that belongs to these eval files, to go on with; an empty one counts, it was killed early. */
export function findResumable(cwd: string, evalFiles: readonly string[]): string | undefined {
  const folder = join(cwd, RUNS_FOLDER);
  if (!existsSync(folder)) return undefined;
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  const newestFirst = names.sort((left, right) => -compareCodePoints(runOrder(left), runOrder(right)));
  return newestFirst
    .map((name) => join(folder, name))
    .find((path) => {
      const { records } = loadRecords(path);
      return records.length === 0 || records.some((record) => evalFiles.includes(record.eval_file));
    });
}

/** `…-0932.jsonl` comes before `…-0932-2.jsonl` and that before `…-0932-10.jsonl`. */
function runOrder(name: string): string {
  const match = /^(\d{4}-\d{2}-\d{2}-\d{4})(?:-(\d+))?\.jsonl$/.exec(name);
  return match === null ? name : `${match[1]}-${(match[2] ?? "1").padStart(6, "0")}`;
}
