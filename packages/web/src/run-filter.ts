/** Which runs of a list are shown, as its address has it: `failed,tool:issue_refund,task:ticket-1042`. */
import { parseTraceFilter, writeTraceFilter } from "@spoor/core/internal/gate/trace-filter";
import type { RunRow } from "@spoor/core/internal/report/run-row";

export interface RunFilter {
  readonly failed: boolean;
  /** Empty for any. */
  readonly tool: string;
  readonly task: string;
}

export function parseRunFilter(only: string): RunFilter {
  const { tokens } = parseTraceFilter(only);
  const chosenOf = (facet: "tool" | "task") => tokens.find((token) => token.facet === facet)?.value ?? "";
  return { failed: only.split(",").includes("failed"), tool: chosenOf("tool"), task: chosenOf("task") };
}

export function writeRunFilter({ failed, tool, task }: RunFilter): string {
  const tokens = (
    [
      ["tool", tool],
      ["task", task],
    ] as const
  ).flatMap(([facet, value]) => (value === "" ? [] : [{ facet, value }]));
  return [failed ? "failed" : "", writeTraceFilter({ tokens })].filter((part) => part !== "").join(",");
}

export function passesFilter(run: RunRow, { failed, tool, task }: RunFilter): boolean {
  return (
    (!failed || run.failed > 0) && (tool === "" || run.tools.includes(tool)) && (task === "" || run.scenario === task)
  );
}
