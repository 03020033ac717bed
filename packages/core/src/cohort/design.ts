/**
 * Who can be compared with whom: the runs in the order of the test, scenario by scenario. Only scenarios with runs on both
 * sides are usable; everything else is left out and counted, never silently.
 */
import { compareCodePoints } from "../canonical/canonical-json.ts";
import type { Side } from "./run.ts";

/** One usable scenario: its runs are `start` to `end - 1` of the design's order. */
export interface DesignScenario {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly baseline: number;
  readonly candidate: number;
  /** mn / (m + n): how much a difference between the two means weighs. */
  readonly weight: number;
}

export interface Design {
  /** Ordered by the code points of their ids. */
  readonly scenarios: readonly DesignScenario[];
  /** For each place of the design: the position of the run in the input. */
  readonly order: Int32Array;
  /** For each place: 1 for a candidate run, 0 for a baseline run. */
  readonly observed: Uint8Array;
  readonly leftOut: readonly LeftOut[];
}

export interface LeftOut {
  readonly scenario: string;
  readonly side: Side;
  readonly runs: number;
  readonly reason: "one_side_only" | "no_response";
}

export interface DesignRun {
  readonly scenario: string;
  readonly side: Side;
  /** 0 leaves the run out; absent means that responses were not counted. */
  readonly turns?: number;
}

/** Cost: one pass and a sort of the scenario ids. Runs keep their input order inside a scenario. */
export function buildDesign(runs: readonly DesignRun[]): Design {
  const leftOut = new Map<string, LeftOut>();
  const positions = new Map<string, number[]>();
  for (const [position, run] of runs.entries()) {
    if (run.turns === 0) countLeftOut(leftOut, run, "no_response");
    else {
      const known = positions.get(run.scenario);
      if (known === undefined) positions.set(run.scenario, [position]);
      else known.push(position);
    }
  }
  const scenarios: DesignScenario[] = [];
  const order: number[] = [];
  for (const id of [...positions.keys()].sort(compareCodePoints)) {
    const members = positions.get(id)!;
    const candidate = members.filter((position) => runs[position]!.side === "candidate").length;
    const baseline = members.length - candidate;
    if (candidate === 0 || baseline === 0) {
      for (const position of members) countLeftOut(leftOut, runs[position]!, "one_side_only");
      continue;
    }
    const start = order.length;
    for (const position of members) order.push(position);
    const weight = (baseline * candidate) / members.length;
    scenarios.push({ id, start, end: order.length, baseline, candidate, weight });
  }
  return {
    scenarios,
    order: Int32Array.from(order),
    observed: Uint8Array.from(order, (position) => (runs[position]!.side === "candidate" ? 1 : 0)),
    leftOut: [...leftOut.values()],
  };
}

function countLeftOut(leftOut: Map<string, LeftOut>, run: DesignRun, reason: LeftOut["reason"]): void {
  const key = `${reason} ${run.side} ${run.scenario}`;
  const runs = (leftOut.get(key)?.runs ?? 0) + 1;
  leftOut.set(key, { scenario: run.scenario, side: run.side, runs, reason });
}
