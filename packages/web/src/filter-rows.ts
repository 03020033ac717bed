import type { RowView, SideView } from "@spoor/core/internal/gate/comparison-view";
import { callText } from "@spoor/core/internal/gate/run-text";
import { isChange } from "./place.ts";

export interface Filter {
  readonly changesOnly: boolean;
  readonly query: string;
}

export function filterRows(rows: readonly RowView[], { changesOnly, query }: Filter): readonly RowView[] {
  if (!changesOnly && query === "") return rows;
  return rows.filter((row) => (!changesOnly || isChange(row)) && matchesQuery(row, query));
}

/** Searches names of tools, arguments, texts, stop reasons and findings of both sides, regardless of case. */
export function matchesQuery(row: RowView, query: string): boolean {
  if (query === "") return true;
  const wanted = query.toLowerCase();
  return [row.baseline, row.candidate].some((side) => side !== undefined && searchText(side).includes(wanted));
}

const known = new WeakMap<SideView, string>();

function searchText(side: SideView): string {
  let text = known.get(side);
  if (text === undefined) {
    const calls = (side.calls ?? []).map((call) => callText(call));
    const findings = (side.findings ?? []).map((finding) => `${finding.rule} ${finding.message}`);
    text = [...calls, side.text ?? "", side.stop ?? "", ...findings].join("\n").toLowerCase();
    known.set(side, text);
  }
  return text;
}
