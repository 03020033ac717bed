/** What became of the inputs so far: the state that a run is gone on with. */
import type { Excess } from "./input-limits.ts";

export interface AreaTally {
  inputs: number;
  results: number;
  /** By code. */
  errors: Record<string, number>;
  defects: number;
  /** Of processor time. */
  slowestMs: number;
}

export interface FuzzDefect {
  readonly area: string;
  readonly number: number;
  readonly what: "thrown" | "crash" | Excess;
  readonly signature: string;
  /** Where the minimised input is kept. */
  readonly file?: string;
}

export interface FuzzState {
  readonly seed: number;
  readonly only?: string;
  /** The next input. */
  next: number;
  readonly areas: Record<string, AreaTally>;
  readonly defects: FuzzDefect[];
  peakMiB: number;
  seconds: number;
}

export function emptyState(seed: number, only?: string): FuzzState {
  return { seed, ...(only === undefined ? {} : { only }), next: 0, areas: {}, defects: [], peakMiB: 0, seconds: 0 };
}

export function tallyOf(state: Pick<FuzzState, "areas">, area: string): AreaTally {
  state.areas[area] ??= { inputs: 0, results: 0, errors: {}, defects: 0, slowestMs: 0 };
  return state.areas[area];
}

export function addTally(to: AreaTally, more: AreaTally): void {
  to.inputs += more.inputs;
  to.results += more.results;
  to.defects += more.defects;
  to.slowestMs = Math.max(to.slowestMs, more.slowestMs);
  for (const [code, count] of Object.entries(more.errors)) to.errors[code] = (to.errors[code] ?? 0) + count;
}

/** A table for people and for docs/reliability.md. */
export function renderState(state: FuzzState): string {
  const rows = Object.entries(state.areas).map(([name, tally]) => [name, ...cells(tally)]);
  const sum = { inputs: 0, results: 0, errors: {}, defects: 0, slowestMs: 0 };
  for (const tally of Object.values(state.areas)) addTally(sum, tally);
  const table = [
    ["area", "inputs", "results", "typed errors", "codes", "defects", "slowest ms"],
    ...rows,
    ["all", ...cells(sum)],
  ];
  const lines = table.map((row) => `| ${row.join(" | ")} |`);
  lines.splice(1, 0, `|${"---|".repeat(table[0]!.length)}`);
  const { seed, next, peakMiB, seconds } = state;
  lines.push(
    "",
    `seed ${seed}, ${next} inputs in ${Math.round(seconds)} s, at most ${peakMiB} MiB of memory, ${state.defects.length} defects`,
  );
  return `${lines.join("\n")}\n`;
}

function cells({ inputs, results, errors, defects, slowestMs }: AreaTally): string[] {
  const typed = Object.values(errors).reduce((sum, count) => sum + count, 0);
  return [inputs, results, typed, Object.keys(errors).length, defects, Math.round(slowestMs)].map(String);
}
