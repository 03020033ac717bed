/** Reads a recording back, by the reader every command uses: what the summary says is what the others will find. */
import { basename, join, relative } from "node:path";
import type { Trace } from "@spoor/core";
import type { MissingFromRecording, RecordedRun } from "@spoor/core/internal/capture/record-report";
import { SpoorError } from "@spoor/core/internal/errors";
import { coverageOf, sumCoverage } from "@spoor/core/internal/report/coverage";
import type { Coverage, ReportInput } from "@spoor/core/internal/report/report";
import { present } from "@spoor/core/internal/trace/present";
import { isClosingRecord } from "@spoor/core/internal/trace/recording-facts";
import { findFiles } from "../load/find-files.ts";
import { loadTraceFile } from "../load/load-traces.ts";

export interface RecordingSummary {
  readonly runs: readonly RecordedRun[];
  readonly inputs: readonly ReportInput[];
  readonly coverage: Coverage;
  readonly missing: readonly MissingFromRecording[];
}

/** `shown`: the folder as the user would type it. */
export async function summariseRecording(folder: string, shown: string): Promise<RecordingSummary> {
  const runs: RecordedRun[] = [];
  const inputs: ReportInput[] = [];
  const coverage: Coverage[] = [];
  const broken: string[] = [];
  let unclosed = 0;
  for (const file of filesIn(folder)) {
    const path = join(shown, relative(folder, file));
    try {
      // One trace at a time: a recording may be larger than what one wants to hold.
      const traces = await loadTraceFile(file);
      runs.push(...traces.map((trace) => runOf(trace, path)));
      coverage.push(coverageOf(traces));
      inputs.push({ role: "trace", path, format: "agentlog", traces: traces.length });
      unclosed += traces.filter(({ records }) => !records.some(isClosingRecord)).length;
    } catch (error) {
      if (!(error instanceof SpoorError)) throw error;
      broken.push(path);
    }
  }
  const total = sumCoverage(coverage);
  const missing: MissingFromRecording[] = [
    ...(runs.length === 0 ? [{ code: "nothing" as const, count: 1 }] : []),
    ...counted("gap", total.gaps ?? 0),
    ...counted("unclosed", unclosed),
    ...broken.map((detail) => ({ code: "file" as const, count: 1, detail })),
  ];
  return { runs, inputs, coverage: total, missing };
}

export function counted(code: MissingFromRecording["code"], count: number, detail?: string): MissingFromRecording[] {
  return count === 0 ? [] : [{ code, count, ...(detail === undefined ? {} : { detail }) }];
}

/** `conversation-2` before `conversation-10`: as they began. */
const byNumber = new Intl.Collator("en", { numeric: true });

function filesIn(folder: string): string[] {
  try {
    const files = findFiles(folder).filter((file) => /\.agentlog(\.gz)?$/.test(file));
    return files.sort(byNumber.compare);
  } catch (error) {
    if (error instanceof SpoorError && error.code === "input.empty-folder") return [];
    throw error;
  }
}

function runOf(trace: Trace, file: string): RecordedRun {
  const calls = trace.steps.filter(({ kind }) => kind === "llm");
  const models = trace.turns.map(({ requestedModel, model }) => requestedModel ?? model ?? "");
  const failed = trace.steps.filter(({ kind, withoutResponse }) => kind === "llm" && withoutResponse);
  const asked = [...models, ...failed.map(({ target }) => target)].filter((model) => model !== "");
  return present({
    file,
    name: basename(file).replace(/\.agentlog(\.gz)?$/, ""),
    agent: trace.agent,
    scenario: trace.scenario,
    models: [...new Set(asked)],
    modelCalls: calls.length,
    failedCalls: calls.filter(({ status }) => status === "error").length,
    toolCalls: trace.toolCalls.length,
    tools: [...new Set(trace.toolCalls.map(({ name }) => name))],
    subAgents: new Set(trace.turns.flatMap(({ parentCallId, agent }) => parentCallId ?? agent ?? [])).size,
  });
}
