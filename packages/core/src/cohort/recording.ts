/**
 * When and how the two sides were recorded: what the test must assume and cannot see. Shown, never tested: between batches
 * of an unchanged agent latency differs beyond chance.
 */
import { median } from "../stats/median.ts";
import type { Observation } from "./observe.ts";
import { type Side, sides } from "./run.ts";

export interface TimeRange {
  readonly from: string;
  readonly to: string;
}

export interface RecordedTimes {
  readonly baseline: TimeRange;
  readonly candidate: TimeRange;
  /** False when one side ended before the other began: then provider and world may have changed as well. */
  readonly overlap: boolean;
}

export interface SideLatency {
  /** Median over runs of the summed model response times. */
  readonly medianMs: number;
  /** Runs with a recorded time. */
  readonly runs: number;
}

export type Latency = Readonly<Record<Side, SideLatency>>;

/** The time ranges of both sides; undefined unless both have a clock. */
export function recordedTimes(runs: readonly Observation[]): RecordedTimes | undefined {
  const baseline = rangeOf(runs, "baseline");
  const candidate = rangeOf(runs, "candidate");
  if (baseline === undefined || candidate === undefined) return undefined;
  const overlap =
    Date.parse(baseline.from) <= Date.parse(candidate.to) && Date.parse(candidate.from) <= Date.parse(baseline.to);
  return { baseline, candidate, overlap };
}

/** Model response time per run; undefined unless both sides recorded some. */
export function latencyOf(runs: readonly Observation[]): Latency | undefined {
  const [baseline, candidate] = sides.map((side) => {
    const times = runs.flatMap(({ side: own, origin }) =>
      own === side && origin.responseMs !== undefined ? [origin.responseMs] : [],
    );
    return { medianMs: median(times), runs: times.length };
  }) as [SideLatency, SideLatency];
  return baseline.runs === 0 || candidate.runs === 0 ? undefined : { baseline, candidate };
}

/** The formats each side was read from. */
export function formatsOf(runs: readonly Observation[], side: Side): string[] {
  const formats = new Set<string>();
  for (const run of runs) if (run.side === side && run.origin.format !== undefined) formats.add(run.origin.format);
  return [...formats].sort();
}

/** How many runs stand on both sides. */
export function countOnBothSides(runs: readonly Observation[]): number {
  const baseline = new Set(runs.flatMap(({ side, origin }) => (side === "baseline" ? marksOf(origin) : [])));
  return runs.filter(({ side, origin }) => side === "candidate" && marksOf(origin).some((mark) => baseline.has(mark)))
    .length;
}

/** A copy under another name is known by its id together with its clock: two runs of one task share neither. */
function marksOf({ key, traceId, startedAt }: Observation["origin"]): string[] {
  const copied = traceId === undefined || startedAt === undefined ? [] : [`${traceId} ${startedAt}`];
  return key === undefined ? copied : [key, ...copied];
}

function rangeOf(runs: readonly Observation[], side: Side): TimeRange | undefined {
  let from: string | undefined;
  let to: string | undefined;
  for (const run of runs) {
    if (run.side !== side) continue;
    const { startedAt, endedAt } = run.origin;
    if (startedAt !== undefined && (from === undefined || Date.parse(startedAt) < Date.parse(from))) from = startedAt;
    const end = endedAt ?? startedAt;
    if (end !== undefined && (to === undefined || Date.parse(end) > Date.parse(to))) to = end;
  }
  return from === undefined || to === undefined ? undefined : { from, to };
}
