/** Addresses of turns: `ticket-1042:2` is a candidate turn, `ticket-1042:b2` one that only the baseline has. */
import type { RowView, TraceView } from "@spoor/core/gate/comparison-view";

export function placeOf(trace: TraceView, row: RowView): string {
  const turn = row.candidate === undefined ? `b${row.baseline?.turn ?? 0}` : String(row.candidate.turn);
  return `${trace.name}:${turn}`;
}

/** The trace and row an address means; a baseline turn is found even where the candidate has one too. */
export function findPlace(
  traces: readonly TraceView[],
  place: string,
): { trace: number; row: number | undefined } | undefined {
  const exact = traces.findIndex((trace) => trace.name === place);
  if (exact >= 0) return { trace: exact, row: undefined };
  const colon = place.lastIndexOf(":");
  const trace = traces.findIndex((entry) => entry.name === place.slice(0, colon));
  if (colon < 0 || trace < 0) return undefined;
  const turn = place.slice(colon + 1);
  const row = traces[trace]!.rows.findIndex((entry) =>
    turn.startsWith("b") ? entry.baseline?.turn === Number(turn.slice(1)) : entry.candidate?.turn === Number(turn),
  );
  return { trace, row: row < 0 ? undefined : row };
}

export function isChange(row: RowView): boolean {
  return row.kind !== "same" && row.kind !== "reworded";
}
