/**
 * Paths → traces, whatever their format: the one way in for every command. The format is recognised by content; a file
 * may hold several traces; nothing that cannot be read is ever taken for an empty trace.
 */
import type { Trace, TraceSource } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { requireUnderstood } from "@spoor/core/internal/providers/require-understood";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { present } from "@spoor/core/internal/trace/present";
import { createKeyKeeper, nameTraces } from "@spoor/core/internal/trace/trace-name";
import { ContentNeeded, type ImportedTrace } from "../formats/format.ts";
import { withoutCompanions } from "./claude-companions.ts";
import { givenTrace } from "./fence.ts";
import { findFiles } from "./find-files.ts";
import { pathKind } from "./path-kind.ts";
import { type LoadOptions, readTraceFile } from "./read-trace-file.ts";
import { noTraces, notUnderstood } from "./trace-errors.ts";

/** Every trace at or under the paths, in path order, each with a key and a name of its own. */
export async function loadTraces(paths: readonly string[], options: LoadOptions = {}): Promise<Trace[]> {
  const traces: Trace[] = [];
  for await (const trace of streamTraces(paths, options)) traces.push(trace);
  return [...nameTraces(traces)];
}

/** The same, one trace at a time, for commands that need not hold them all. */
export async function* streamTraces(paths: readonly string[], options: LoadOptions = {}): AsyncGenerator<Trace> {
  const files = withoutCompanions(paths.flatMap(findFiles));
  const keepKey = createKeyKeeper();
  for (const [index, file] of files.entries()) {
    options.onFile?.(file, index, files.length);
    for (const trace of await loadTraceFile(file, options)) yield keepKey(trace);
  }
}

/** Every trace of one file, told apart within it. */
export async function loadTraceFile(file: string, options: LoadOptions = {}): Promise<Trace[]> {
  const given = givenTrace(file);
  if (given !== undefined) return [given];
  if (options.onlySteps !== true) return loadOnce(file, options);
  // What can be read but once is kept: nobody could look back.
  const whole = { ...options, onlySteps: false };
  if (options.bytes !== undefined || file === "-" || pathKind(file) !== "file") return loadOnce(file, whole);
  try {
    return await loadOnce(file, options);
  } catch (error) {
    if (!(error instanceof ContentNeeded || error instanceof SpoorError)) throw error;
    // Whether it is to be refused, and in which words, says a reader that has everything before it.
    return loadOnce(file, whole);
  }
}

async function loadOnce(file: string, options: LoadOptions): Promise<Trace[]> {
  const { format, imported, head, skippedLines, torn, notNumbers, truncated } = await readTraceFile(file, options);
  // Some stores keep things that are no runs of an agent: a file of nothing else holds no trace either.
  const isEmpty = imported.every(({ records }) => records.length === 0);
  if (isEmpty) throw noTraces(file, format, [...new Set(imported.flatMap(({ notes = [] }) => notes))]);
  const single = imported.length === 1;
  if (options.lenient !== true) requireUnderstood(imported, notUnderstood(file, format, head));
  return [...nameTraces(imported.map((entry) => built(entry, sourceOf(entry, single))))];

  function sourceOf(entry: ImportedTrace, only: boolean): TraceSource {
    return present({
      format,
      path: options.bytes === undefined ? file : options.path,
      entry: only && entry.entry === file ? undefined : entry.entry,
      unknown: entry.unknown,
      notes: entry.notes,
      skippedLines: skippedLines || undefined,
      torn: torn || undefined,
      notNumbers: (entry === imported[0] && notNumbers) || undefined,
      truncated: truncated || undefined,
    });
  }
}

/** A reader may have built it while it read; not when the records it gave were changed afterwards. */
function built({ records, assembler }: ImportedTrace, source: TraceSource): Trace {
  return assembler?.records === records ? assembler.finish({ source }) : buildTrace(records, { source });
}

/** Exactly one trace, for commands that show or convert one. */
export async function loadTrace(path: string, options: LoadOptions = {}): Promise<Trace> {
  return onlyTrace(await loadTraces([path], options), path);
}

export function onlyTrace(traces: readonly Trace[], path: string): Trace {
  if (traces.length === 1) return traces[0]!;
  throw new SpoorError("input.not-one-trace", `${path} holds ${traces.length} traces; this needs exactly one.`, {
    at: { file: path },
    hint: "Name a file with one trace, or split it with spoor convert.",
  });
}
