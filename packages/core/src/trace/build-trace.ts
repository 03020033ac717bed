/**
 * Records → trace: the one place where a file's lines become turns, tool calls and steps.
 *
 * A response is joined with the request it answers (pair-requests.ts); one that nothing answers is counted. What a turn and its
 * calls are is told in turn-builder.ts.
 */
import { expandRequests } from "./expand-requests.ts";
import type { TraceRecord } from "./record.ts";
import type { Trace } from "./trace.ts";
import { type BuildTraceOptions, TraceAssembler } from "./trace-assembler.ts";

export type { BuildTraceOptions } from "./trace-assembler.ts";

export function buildTrace(records: readonly TraceRecord[], options: BuildTraceOptions = {}): Trace {
  const assembler = new TraceAssembler(records);
  for (let index = 0; index < records.length; index++) assembler.take(index);
  return assembler.isWhole
    ? assembler.finish(options)
    : buildTrace(expandRequests(records, { path: options.source?.path }), options);
}
