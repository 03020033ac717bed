/** What a check found, by trace and turn: so that a finding can stand where it happened. */
import type { RunFinding } from "../report/run-view.ts";
import type { CheckReport } from "./check-report.ts";

export interface TraceFindings {
  /** By turn, from 0. */
  readonly turns: ReadonlyMap<number, readonly RunFinding[]>;
  /** About the run as a whole. */
  readonly whole: readonly RunFinding[];
}

/** By the trace's key. */
export function findingsByTrace(report: Pick<CheckReport, "rules" | "traces"> | undefined): Map<string, TraceFindings> {
  const byTrace = new Map<string, { turns: Map<number, RunFinding[]>; whole: RunFinding[] }>();
  for (const { id: rule, severity, violations } of report?.rules ?? []) {
    for (const { trace, turnIndex, message } of violations) {
      const { key } = report!.traces[trace]!;
      const found = byTrace.get(key) ?? { turns: new Map<number, RunFinding[]>(), whole: [] };
      byTrace.set(key, found);
      const list = turnIndex === null ? found.whole : (found.turns.get(turnIndex) ?? []);
      if (turnIndex !== null) found.turns.set(turnIndex, list);
      list.push({ rule, severity, message });
    }
  }
  return byTrace;
}
