/** A run as rows of one flat list: what the user said, each turn, each of its calls. */
import { callText, turnText } from "@spoor/core/internal/gate/run-text";
import type { RunCall, RunTurn, RunView } from "@spoor/core/internal/report/run-view";

export type RunRowItem =
  | { readonly kind: "turn"; readonly turn: RunTurn; readonly place: string }
  | { readonly kind: "call"; readonly turn: RunTurn | undefined; readonly call: RunCall; readonly place: string };

export function rowsOf({ early, turns }: RunView): RunRowItem[] {
  const rows: RunRowItem[] = early.map((call) => callRow(call, undefined));
  for (const turn of turns) {
    rows.push({ kind: "turn", turn, place: `turn-${turn.index + 1}` });
    for (const call of turn.calls) rows.push(callRow(call, turn));
  }
  return rows;
}

function callRow(call: RunCall, turn: RunTurn | undefined): RunRowItem {
  return { kind: "call", turn, call, place: `call-${call.position + 1}` };
}

/** Empty: every row. */
export type RowFilter = "" | "calls" | "failed" | "found";

export function passes(row: RunRowItem, only: string): boolean {
  switch (only) {
    case "calls":
      return row.kind === "call";
    case "failed":
      return row.kind === "call" && row.call.status === "error";
    case "found":
      return row.kind === "turn" && row.turn.findings !== undefined;
    default:
      return true;
  }
}

/** The row that an address means: `turn-12`, `call-7`, a turn's bare number, or a call by the id that the recording gives it. */
export function findRow(rows: readonly RunRowItem[], place: string): RunRowItem | undefined {
  const wanted = /^\d+$/.test(place) ? `turn-${place}` : place;
  return (
    rows.find((row) => row.place === wanted) ??
    rows.find((row) => row.kind === "call" && row.call.id !== undefined && `call-${row.call.id}` === wanted)
  );
}

const known = new WeakMap<object, string>();

/** Names, paths such as `refund.amount`, values, texts, results, stop reasons, models, rules: whatever Spoor prints of it. */
export function matches(row: RunRowItem, query: string): boolean {
  if (query === "") return true;
  const subject = row.kind === "call" ? row.call : row.turn;
  let text = known.get(subject);
  if (text === undefined) {
    text = (row.kind === "call" ? callText(row.call) : turnText(row.turn)).toLowerCase();
    known.set(subject, text);
  }
  return text.includes(query.toLowerCase());
}
