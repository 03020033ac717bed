/** The trace that `--dump-traces` wrote for a run. Another one than the record speaks of is never taken for it. */
import { createHash } from "node:crypto";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { stringMember } from "@spoor/core/internal/trace/json";
import { loadTraceFile, onlyTrace } from "../load/load-traces.ts";
import { readWholeText } from "../load/read-text.ts";

export type DumpState = "whole" | "missing" | "changed";

export function stateOfDump(path: string, { trace_digest: digest }: RunRecord): DumpState {
  const text = textOf(path);
  if (text === undefined) return "missing";
  return digest !== undefined && digestOfTrace(text) === digest ? "whole" : "changed";
}

export async function loadDumpedTrace(path: string, record: RunRecord): Promise<Trace> {
  const text = textOf(path);
  if (text === undefined || digestOfTrace(text) !== record.trace_digest)
    throw new SpoorError("eval.not-regraded", `${path} was changed while it was being graded.`, {
      at: { file: path },
      consequence: "The results are as they were.",
    });
  const trace = onlyTrace(await loadTraceFile(path, { bytes: Buffer.from(text) }), path);
  return withoutEnding(trace, record);
}

export function digestOfTrace(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function textOf(path: string): string | undefined {
  try {
    return readWholeText(path);
  } catch {
    return undefined;
  }
}

/** A dump tells at its end why the run failed; the agent did not say so itself, and no evaluator saw it. */
function withoutEnding(trace: Trace, { error }: RunRecord): Trace {
  const last = trace.records.at(-1);
  if (error === undefined || last?.kind !== "error") return trace;
  const isTold =
    stringMember(last.payload, "code") === error.kind && stringMember(last.payload, "message") === error.message;
  return isTold ? buildTrace(trace.records.slice(0, -1), { source: trace.source }) : trace;
}
