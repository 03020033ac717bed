/** What runs did, kept only while somebody asks for a page: a report of thousands of runs must not grow by their traces. */
import { type RunDetails, runDetails } from "@spoor/core/internal/evals/run-details";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import type { Redactor } from "../evals/redact.ts";
import type { RunOutcome } from "../evals/run-once.ts";
import { outputMessages } from "../formats/write-agentv.ts";
import type { CommonValues } from "./command.ts";

export interface PageDetails {
  /** `record` without secrets. */
  keep(record: RunRecord, outcome: RunOutcome, redactor: Redactor): void;
  of(record: RunRecord): RunDetails;
}

export function createPageDetails({ format, output }: CommonValues): PageDetails | undefined {
  if (format !== "html" && !output.some((file) => /\.html?$/i.test(file))) return undefined;
  const kept = new Map<string, RunDetails>();
  return {
    keep(record, { trace }, redactor) {
      const messages = trace === undefined ? undefined : redactor.json(outputMessages(trace, { withAsked: false }));
      kept.set(record.key, runDetails(record, messages));
    },
    // Runs of an earlier session have a trace only where it was written into the results.
    of: (record) => kept.get(record.key) ?? runDetails(record, record.output_messages),
  };
}
