/**
 * Reads a results file line by line, so that its size does not matter: one line is in memory at a time, and of what a run did only the
 * summary stays unless more is asked for. Where a run stands twice the later line counts.
 */
import { closeSync, openSync, readSync, statSync } from "node:fs";
import type { Json } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { isRunRecord } from "@spoor/core/internal/evals/is-run-record";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { parseRecordedJson } from "@spoor/core/internal/trace/parse-json";
import { whyUnreadable } from "../load/why-unreadable.ts";

export interface StoredRecords {
  readonly records: readonly RunRecord[];
  /** Lines that are no records: a torn last line, or another file altogether. */
  readonly unreadable: number;
}

export interface LoadRecordsOptions {
  /** Which records keep what the run did as well; by default none. */
  readonly withMessages?: (record: RunRecord) => boolean;
}

export function loadRecords(path: string, { withMessages = () => false }: LoadRecordsOptions = {}): StoredRecords {
  const records = new Map<string, RunRecord>();
  let unreadable = 0;
  for (const line of readLines(path)) {
    const record = parseRecord(line.text());
    if (record === undefined) unreadable++;
    // Files of other tools do not say which run it was; all of theirs count.
    else
      records.set(
        record.key === "" ? String(line.offset) : placeOf(record),
        withMessages(record) ? record : slim(record),
      );
  }
  return { records: [...records.values()], unreadable };
}

/** A run to compare with: a file without a single result is none. */
export function loadComparable(path: string): readonly RunRecord[] {
  const { records, unreadable } = loadRecords(path);
  if (records.length > 0) return records;
  const what = unreadable === 0 ? "it is empty" : `none of its ${unreadable} lines is a result`;
  throw new SpoorError("eval.no-results", `The results file ${path} holds no results: ${what}.`, {
    at: { file: path },
    consequence: "Nothing was run or compared.",
    hint: "Name a file that spoor eval wrote with --results; runs without it are in .spoor/runs.",
  });
}

/** Which run it is, whatever it was asked and however it was graded. */
export function placeOf({
  eval_file,
  eval_id,
  target,
  run,
}: Pick<RunRecord, "eval_file" | "eval_id" | "target" | "run">): string {
  return JSON.stringify([eval_file, eval_id, target, run]);
}

/** What a report needs of a run; its messages may be megabytes. */
export function slim(record: RunRecord): RunRecord {
  if (!Array.isArray(record.output_messages)) return record;
  const { output_messages: _, ...rest } = record;
  return rest;
}

export interface Line {
  readonly offset: number;
  /** In bytes, with its line break if it has one. */
  readonly length: number;
  readonly isEnded: boolean;
  text(): string;
}

const CHUNK = 1 << 20;
/** An answer has at most 64 MiB; written as JSON, with all that was asked, it is longer. */
const LONGEST_LINE = 256 * 1024 ** 2;
const BREAK = 10;

/** Lines that hold something. */
export function* readLines(path: string): Generator<Line> {
  const handle = openForReading(path);
  try {
    const chunk = Buffer.allocUnsafe(CHUNK);
    let begun: Buffer[] = [];
    let offset = 0;
    for (;;) {
      const size = readSync(handle, chunk, 0, CHUNK, null);
      if (size === 0) break;
      let from = 0;
      for (let at = chunk.indexOf(BREAK); at !== -1 && at < size; at = chunk.indexOf(BREAK, from)) {
        const bytes = joined(begun, chunk.subarray(from, at + 1));
        begun = [];
        yield* lineOf(bytes, offset, true);
        offset += bytes.length;
        from = at + 1;
      }
      if (from < size) begun.push(Buffer.from(chunk.subarray(from, size)));
      if (begun.length > LONGEST_LINE / CHUNK)
        throw noResults(path, `has a line that is longer than ${LONGEST_LINE / 1024 ** 2} MiB`);
    }
    if (begun.length > 0) yield* lineOf(joined(begun, Buffer.alloc(0)), offset, false);
  } finally {
    closeSync(handle);
  }
}

function openForReading(path: string): number {
  try {
    const found = statSync(path);
    if (found.isFile()) return openSync(path, "r");
    if (found.isDirectory()) throw Object.assign(new Error("it is a folder"), { code: "EISDIR" });
  } catch (error) {
    throw noResults(path, whyUnreadable(error), error);
  }
  // A pipe would be waited for, a device never ends, and neither can be read again.
  throw noResults(path, "is no file");
}

function noResults(path: string, why: string, cause?: unknown): SpoorError {
  return new SpoorError("eval.no-results", `The results file ${path} ${why}.`, {
    at: { file: path },
    consequence: "Nothing was run or compared.",
    hint: "Check the path; runs without --results are in .spoor/runs.",
    ...(cause === undefined ? {} : { cause }),
  });
}

function joined(begun: readonly Buffer[], rest: Buffer): Buffer {
  return begun.length === 0 ? rest : Buffer.concat([...begun, rest]);
}

function* lineOf(bytes: Buffer, offset: number, isEnded: boolean): Generator<Line> {
  // Looked at before the next chunk overwrites it; a line of white space is none.
  if (bytes.length <= 2 && bytes.toString().trim() === "") return;
  yield { offset, length: bytes.length, isEnded, text: () => bytes.toString("utf8") };
}

/** A line of ours, or of an AgentV results file, which `--against` and `compare` read too; undefined when it is neither. */
export function parseRecord(line: string): RunRecord | undefined {
  let value: Json;
  try {
    value = parseRecordedJson(line).value;
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  if (member(value, "schema") === "spoor.eval-run/1" && typeof member(value, "status") === "string")
    return isRunRecord(value) ? (value as unknown as RunRecord) : undefined;
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
