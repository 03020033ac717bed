/** Addresses of turns: a trace's key and `:2` for a candidate turn, `:b2` for one that only the baseline has. */
import type { RowView, TraceView } from "@spoor/core/internal/gate/comparison-view";

export function placeOf(trace: TraceView, row: RowView): string {
  const turn = row.candidate === undefined ? `b${row.baseline?.turn ?? 0}` : String(row.candidate.turn);
  return `${trace.key}:${turn}`;
}

/**
 * The trace and row an address means, and the address as the page writes it. A person may write the trace's name for its key;
 * a baseline turn is found even where the candidate has one too.
 */
export function findPlace(
  traces: readonly TraceView[],
  place: string,
): { trace: number; row: number | undefined; place: string } | undefined {
  const whole = findTrace(traces, place);
  if (whole >= 0) return { trace: whole, row: undefined, place: traces[whole]!.key };
  const colon = place.lastIndexOf(":");
  const trace = findTrace(traces, place.slice(0, colon));
  if (colon < 0 || trace < 0) return undefined;
  const turn = place.slice(colon + 1);
  const row = traces[trace]!.rows.findIndex((entry) =>
    turn.startsWith("b") ? entry.baseline?.turn === Number(turn.slice(1)) : entry.candidate?.turn === Number(turn),
  );
  return { trace, row: row < 0 ? undefined : row, place: `${traces[trace]!.key}:${turn}` };
}

function findTrace(traces: readonly TraceView[], called: string): number {
  const byKey = traces.findIndex((trace) => trace.key === called);
  return byKey >= 0 ? byKey : traces.findIndex((trace) => trace.name === called);
}

export function isChange(row: RowView): boolean {
  return row.kind !== "same" && row.kind !== "reworded";
}
