/** The rates and sizes that `unchanged` makes a promise about, as columns of the intervals. */
import { compareCodePoints } from "../canonical/canonical-json.ts";
import type { Design } from "./design.ts";
import type { IntervalColumn, IntervalKind } from "./intervals.ts";
import type { Observed } from "./test-cohort.ts";

export interface WatchedColumn {
  /** Number of the feature's column. */
  readonly column: number;
  readonly item: string;
  readonly kind: IntervalKind;
}

const SIZES = ["effort calls", "effort turns", "effects effects", "style chars"];

/** Every tool seen, every stop reason, failed calls (if any call failed), then calls, turns, effects and characters. */
export function watchedColumns(design: Design, { runs, columns }: Observed): WatchedColumn[] {
  const seen = new Uint8Array(columns.length);
  for (const position of design.order) {
    const { columns: present, values } = runs[position]!;
    for (let index = 0; index < present.length; index++) if (values[index] !== 0) seen[present[index]!] = 1;
  }
  const rates: [WatchedColumn[], WatchedColumn[], WatchedColumn[]] = [[], [], []];
  const sizes: (WatchedColumn | undefined)[] = SIZES.map(() => undefined);
  for (const [column, { group, identity }] of columns.entries()) {
    const size = SIZES.indexOf(`${group} ${identity}`);
    if (size >= 0) sizes[size] = { column, item: identity, kind: "size" };
    if (seen[column] === 0) continue;
    if (group === "tools" && identity.startsWith("has:")) rates[0].push({ column, item: identity, kind: "rate" });
    if (group === "outcome" && identity.startsWith("stop:")) rates[1].push({ column, item: identity, kind: "rate" });
    if (group === "outcome" && identity === "failed") rates[2].push({ column, item: identity, kind: "rate" });
  }
  for (const list of rates) list.sort((left, right) => compareCodePoints(left.item, right.item));
  return [...rates.flat(), ...sizes.filter((size) => size !== undefined)];
}

/** The values of the watched columns, by place of the design. All of them are 0 where absent. */
export function intervalColumns(
  design: Design,
  { runs, columns }: Observed,
  watched: readonly WatchedColumn[],
): IntervalColumn[] {
  const values = watched.map(() => new Float64Array(design.order.length));
  const slots = new Int32Array(columns.length).fill(-1);
  for (const [slot, { column }] of watched.entries()) slots[column] = slot;
  for (let place = 0; place < design.order.length; place++) {
    const row = runs[design.order[place]!]!;
    for (let index = 0; index < row.columns.length; index++) {
      const slot = slots[row.columns[index]!]!;
      if (slot >= 0) values[slot]![place] = row.values[index]!;
    }
  }
  return watched.map(({ item, kind }, slot) => ({ item, kind, values: values[slot]! }));
}
