/**
 * Traces as they arrive: the files of a folder that is being filled, or standard input.
 *
 * A file counts as finished when its size has not changed between two looks; one that cannot be read yet is tried again and
 * reported only when the waiting ends. On standard input a line is either a path, a whole run, or a record of an `.agentlog`
 * (a `metadata` record begins the next run).
 */
import { statSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { Readable as ReadableStream } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { parseRecordedJson } from "@spoor/core/internal/trace/parse-json";
import { createKeyKeeper } from "@spoor/core/internal/trace/trace-name";
import { findFiles } from "./find-files.ts";
import { loadTraceFile } from "./load-traces.ts";
import type { LoadOptions } from "./read-trace-file.ts";

export interface ArrivalOptions extends LoadOptions {
  /** End when nothing new arrived for so long. 0 reads what is there and ends. */
  readonly waitMs: number;
  /** How often the folder is looked at. */
  readonly pollMs?: number;
}

/** Traces of a file, folder or glob in the order in which their files are found finished. */
export async function* arrivingTraces(path: string, options: ArrivalOptions): AsyncGenerator<Trace> {
  const keepKey = createKeyKeeper();
  const arriving = path === "-" ? arrivingLines(options.stdin ?? process.stdin, options) : arrivingFiles(path, options);
  for await (const trace of arriving) yield keepKey(trace);
}

async function* arrivingFiles(path: string, options: ArrivalOptions): AsyncGenerator<Trace> {
  const pollMs = options.pollMs ?? 500;
  const sizes = new Map<string, number>();
  const done = new Set<string>();
  let failure: unknown;
  let idleMs = 0;
  for (;;) {
    let arrived = false;
    for (const file of foundFiles(path)) {
      if (done.has(file)) continue;
      const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      const settled = sizes.get(file) === size || options.waitMs === 0;
      sizes.set(file, size);
      if (!settled) {
        arrived = true;
        continue;
      }
      try {
        const traces = await loadTraceFile(file, options);
        done.add(file);
        arrived = true;
        yield* traces;
      } catch (error) {
        if (!(error instanceof SpoorError)) throw error;
        failure = error;
      }
    }
    const unread = [...sizes.keys()].some((file) => !done.has(file));
    idleMs = arrived ? 0 : idleMs + pollMs;
    if (options.waitMs === 0 || idleMs >= options.waitMs) {
      if (unread && failure !== undefined) throw failure;
      if (done.size === 0) findFiles(path);
      return;
    }
    await sleep(pollMs);
  }
}

/** An empty or missing folder is not an error yet: it is being filled. */
function foundFiles(path: string): string[] {
  try {
    return findFiles(path);
  } catch (error) {
    if (error instanceof SpoorError) return [];
    throw error;
  }
}

async function* arrivingLines(stdin: Readable, options: LoadOptions): AsyncGenerator<Trace> {
  let records: string[] = [];
  const parse = (lines: readonly string[]) =>
    loadTraceFile("-", { ...options, stdin: ReadableStream.from([Buffer.from(`${lines.join("\n")}\n`)]) });
  for await (const line of createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    const text = line.trim();
    if (text === "") continue;
    if (!/^[[{]/.test(text)) {
      yield* await loadTraceFile(text, options);
      continue;
    }
    const kind = recordKind(text);
    if (kind === undefined) {
      yield* await parse([text]);
      continue;
    }
    if (kind === "metadata" && records.length > 0) {
      yield* await parse(records);
      records = [];
    }
    records.push(text);
  }
  if (records.length > 0) yield* await parse(records);
}

/** The kind of an `.agentlog` record; undefined for a line that is something else, or no JSON at all. */
function recordKind(text: string): string | undefined {
  try {
    const { value } = parseRecordedJson(text);
    return member(value, "payload") === undefined ? undefined : stringMember(value, "kind");
  } catch {
    return undefined;
  }
}
