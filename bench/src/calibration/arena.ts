/** Compares any choice of runs, with each run read once: calibration makes thousands of comparisons of the same runs. */
import { type Aspect, aspects } from "@spoor/core/internal/cohort/aspects";
import { buildDesign } from "@spoor/core/internal/cohort/design";
import { isDecided } from "@spoor/core/internal/cohort/early-decision";
import { type Judgement, judgeCohort } from "@spoor/core/internal/cohort/judge-cohort";
import { createObserver, type Observation } from "@spoor/core/internal/cohort/observe";
import type { CohortRun, Side } from "@spoor/core/internal/cohort/run";
import type { TestOptions } from "@spoor/core/internal/cohort/test-cohort";
import type { Random } from "@spoor/core/internal/stats/random";

export const behaviourOnly: readonly Aspect[] = aspects.filter((aspect) => aspect !== "text");

export interface Entry {
  readonly run: CohortRun;
  readonly side: Side;
  /** Overrides the run's own scenario. */
  readonly scenario?: string;
}

export interface ArenaOptions extends Pick<TestOptions, "judges" | "isEnough"> {
  readonly draws: number;
  readonly limit?: number;
  readonly seed: number;
  readonly aspects?: readonly Aspect[];
}

export class Arena {
  private readonly observer = createObserver();
  private readonly seen = new Map<CohortRun, Observation>();

  observe(run: CohortRun): Observation {
    const known = this.seen.get(run);
    if (known !== undefined) return known;
    const observed = this.observer.observe(run);
    this.seen.set(run, observed);
    return observed;
  }

  get columns() {
    return this.observer.columns;
  }

  compare(entries: readonly Entry[], options: ArenaOptions): Judgement {
    const runs = entries.map(({ run, side, scenario = run.scenario }) => ({ ...this.observe(run), side, scenario }));
    const observed = { runs, columns: this.observer.columns, tools: this.observer.tools };
    // Items and simultaneous intervals are for reports: what is counted here rests on neither.
    return judgeCohort(buildDesign(runs), observed, { ...options, isBrief: true });
  }

  /** Whether p ≤ 0.05, as soon as that is clear. */
  isFound(entries: readonly Entry[], options: ArenaOptions): boolean {
    return this.compare(entries, { ...options, isEnough: isDecided(ALPHA) }).test.family.p <= ALPHA;
  }
}

const ALPHA = 0.05;

/** Runs by scenario, keeping scenarios with at least `least` runs. */
export function byScenario<R extends CohortRun>(runs: readonly R[], least = 1): R[][] {
  const members = new Map<string, R[]>();
  for (const run of runs) {
    const known = members.get(run.scenario);
    if (known === undefined) members.set(run.scenario, [run]);
    else known.push(run);
  }
  return [...members.values()].filter((list) => list.length >= least);
}

export function shuffled<T>(items: readonly T[], random: Random): T[] {
  const order = [...items];
  for (let index = order.length - 1; index >= 1; index--) {
    const other = random.below(index + 1);
    [order[index], order[other]] = [order[other]!, order[index]!];
  }
  return order;
}

/** `baseline` + `candidate` runs of each of `size` random scenarios, labels drawn inside the scenario. */
export function randomSplit(
  scenarios: readonly (readonly CohortRun[])[],
  size: number,
  baseline: number,
  candidate: number,
  random: Random,
): Entry[] {
  return shuffled(scenarios, random)
    .slice(0, size)
    .flatMap((runs) =>
      shuffled(runs, random)
        .slice(0, baseline + candidate)
        .map((run, index): Entry => ({ run, side: index < baseline ? "baseline" : "candidate" })),
    );
}

/** `repeats` random runs a side of each of `size` random common scenarios. */
export function subCohort(
  baseline: readonly CohortRun[],
  candidate: readonly CohortRun[],
  size: number,
  repeats: number,
  random: Random,
): Entry[] {
  const candidates = new Map(byScenario(candidate, repeats).map((runs) => [runs[0]!.scenario, runs]));
  const common = byScenario(baseline, repeats).filter((runs) => candidates.has(runs[0]!.scenario));
  return shuffled(common, random)
    .slice(0, size)
    .flatMap((runs) => [
      ...shuffled(runs, random)
        .slice(0, repeats)
        .map((run): Entry => ({ run, side: "baseline" })),
      ...shuffled(candidates.get(runs[0]!.scenario)!, random)
        .slice(0, repeats)
        .map((run): Entry => ({ run, side: "candidate" })),
    ]);
}

export function percent(share: number): string {
  return `${(100 * share).toFixed(1).replace(/\.0$/, "")} %`;
}
