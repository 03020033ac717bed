/**
 * Pairs up runs as they arrive and feeds them to the sequential test: the j-th baseline run of a scenario meets its j-th
 * candidate run. What waits for its partner is held as numbers only.
 */
import type { ReportHeader } from "../report/report.ts";
import { type CarriedEvidence, digestOfRun } from "./carried-evidence.ts";
import type { KeptRun } from "./kept-run.ts";
import { createObserver, type Observation } from "./observe.ts";
import type { CohortRun, Side } from "./run.ts";
import { createSequentialTest, pairDifference, type SavedTest, sequentialGroups } from "./sequential.ts";

export interface SequentialState {
  /** `changed` once the wealth has reached 1/α; it never becomes `unchanged`. */
  readonly verdict: "changed" | "not_enough_evidence";
  readonly pairs: number;
  /** What a stake of 1 has grown to. Under no change it reaches 1/α with chance at most α. */
  readonly wealth: number;
  readonly threshold: number;
  readonly stoppedAfter: number | null;
  readonly groups: readonly { readonly group: string; readonly wealth: number }[];
  /** Runs that still wait for a partner on the other side. */
  readonly waiting: { readonly baseline: number; readonly candidate: number };
  /** Runs without any model response: counted as ended without an answer, and in nothing else. */
  readonly withoutResponse: number;
}

/** What came from earlier recordings; `pairs` and `wealth` of the report include it. */
export interface CarriedFacts {
  readonly file: string;
  /** Earlier recordings that added evidence, and the pairs of runs they brought. */
  readonly recordings: number;
  readonly pairs: number;
  /** Where this recording began. */
  readonly wealth: number;
  /** Runs given again that were counted before, and so not a second time. */
  readonly countedBefore: Readonly<Record<Side, number>>;
}

export interface SequentialReport extends ReportHeader<"spoor.cohort-sequential/1">, SequentialState {
  readonly alpha: number;
  /** Absent without `--carry`. */
  readonly carried?: CarriedFacts;
}

/** Runs that were not all made, because a change was certain before. */
export interface EarlyStop extends SequentialState {
  readonly verdict: "changed";
  readonly alpha: number;
  /** Pairs there would have been. */
  readonly plannedPairs: number;
}

export interface SequentialCohort {
  /** Takes in a run; true when it completed a pair. */
  add(run: CohortRun): boolean;
  /** The same of what was kept of a run; evidence that is carried on knows runs by more than that. */
  addKept(run: KeptRun, side: Side): boolean;
  state(): SequentialState;
  /** Runs that were counted before this recording, by side. */
  readonly countedBefore: Readonly<Record<Side, number>>;
  /** Everything that was counted, for the next recording to go on from. */
  save(): { readonly test: SavedTest; readonly counted: Readonly<Record<Side, readonly string[]>> };
}

interface Waiting {
  readonly run: Observation;
  readonly digest: string;
}

/** `carried`: goes on where earlier recordings ended, and passes over every run that they counted. */
export function createSequentialCohort(
  alpha: number,
  carried?: Pick<CarriedEvidence, "test" | "counted"> | "begin",
): SequentialCohort {
  const observer = createObserver();
  const earlier = typeof carried === "object" ? carried : undefined;
  const test = createSequentialTest(
    sequentialGroups.length,
    alpha,
    earlier === undefined ? undefined : { test: earlier.test, names: sequentialGroups },
  );
  const waiting: Record<Side, Map<string, Waiting[]>> = { baseline: new Map(), candidate: new Map() };
  const counted: Record<Side, string[]> = {
    baseline: [...(earlier?.counted.baseline ?? [])],
    candidate: [...(earlier?.counted.candidate ?? [])],
  };
  const met: Record<Side, Set<string>> = { baseline: new Set(counted.baseline), candidate: new Set(counted.candidate) };
  const countedBefore: Record<Side, number> = { baseline: 0, candidate: 0 };
  let withoutResponse = 0;

  return {
    countedBefore,
    add(run) {
      // Without anything carried on, a run is what was given, however often.
      const digest = carried === undefined ? "" : digestOfRun(run);
      if (carried !== undefined) {
        if (met[run.side].has(digest)) {
          countedBefore[run.side]++;
          return false;
        }
        met[run.side].add(digest);
      }
      return meet(run, run.side, observer.observe(run), digest);
    },
    addKept(run, side) {
      if (carried !== undefined) throw new Error("Evidence is carried on with whole runs.");
      return meet(run, side, observer.observeKept(run, side), "");
    },
    state: () => ({
      verdict: test.stoppedAfter === undefined ? "not_enough_evidence" : "changed",
      pairs: test.pairs,
      wealth: test.wealth,
      threshold: 1 / alpha,
      stoppedAfter: test.stoppedAfter ?? null,
      groups: sequentialGroups.map((group, index) => ({ group, wealth: test.groupWealth[index]! })),
      waiting: { baseline: countWaiting(waiting.baseline), candidate: countWaiting(waiting.candidate) },
      withoutResponse,
    }),
    save: () => ({ test: test.save(sequentialGroups), counted }),
  };

  function meet(
    run: Pick<CohortRun, "scenario" | "turns">,
    side: Side,
    observed: Observation,
    digest: string,
  ): boolean {
    if (run.turns === 0) withoutResponse++;
    const other: Side = side === "baseline" ? "candidate" : "baseline";
    const partner = waiting[other].get(run.scenario)?.shift();
    const own = { run: observed, digest };
    if (partner === undefined) {
      const queue = waiting[side].get(run.scenario) ?? [];
      queue.push(own);
      waiting[side].set(run.scenario, queue);
      return false;
    }
    const [baseline, candidate] = side === "baseline" ? [own, partner] : [partner, own];
    test.add(pairDifference(baseline.run, candidate.run, observer.columns));
    counted.baseline.push(baseline.digest);
    counted.candidate.push(candidate.digest);
    return true;
  }
}

function countWaiting(queues: ReadonlyMap<string, readonly Waiting[]>): number {
  let count = 0;
  for (const queue of queues.values()) count += queue.length;
  return count;
}
