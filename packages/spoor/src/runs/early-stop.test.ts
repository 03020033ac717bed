/** The error rate of an early stop, counted over many seeded teams; no clock and no agent takes part. */
import type { CohortRun, Side } from "@spoor/core/internal/cohort/run";
import { createRandom, type Random } from "@spoor/core/internal/stats/random";
import { describe, expect, it } from "vitest";
import { run as cohortRun } from "../../../core/test/cohort.ts";
import { watchForChange } from "./early-stop.ts";
import { type PlannedRun, planScenarioRuns } from "./plan-scenario-runs.ts";

const ALPHA = { alpha: 0.05 };
const scenarios = Array.from({ length: 10 }, (_, index) => ({ scenario: `s${index}`, prompt: "Do it." }));

/** Searches once or several times, and now and then looks something up: what a model does that is not made of one thing. */
function seenOf({ scenario, side }: PlannedRun, random: Random, confirms = true): CohortRun {
  const searches = 1 + random.below(6);
  const tools = [...Array<string>(searches).fill("search"), ...(random.below(3) === 0 ? ["lookup"] : [])];
  const texts = Array.from(
    { length: searches },
    () => ["Found it.", "Not there, I look again.", "One moment."][random.below(3)]!,
  );
  const ending = confirms ? ["confirm", "refund"] : ["refund"];
  return cohortRun(scenario, side, [...tools, ...ending], { turns: tools.length + 2, texts });
}

interface Team {
  readonly seed: number;
  readonly withBase: boolean;
  readonly workers: number;
  readonly confirms: boolean;
}

/** Runs end in the order of their length, as far as so many at a time can overtake one another. */
function runTeam({ seed, withBase, workers, confirms }: Team) {
  const random = createRandom(seed);
  const planned = planScenarioRuns(scenarios, { repeat: 2, seed, withBase });
  const known = withBase ? [] : planned.map((run) => seenOf({ ...run, side: "baseline" }, random));
  const watch = watchForChange(planned, known, ALPHA);
  const waiting = planned.map((run) => ({ run, seen: seenOf(run, random, run.side === "baseline" || confirms) }));
  const underWay: { run: PlannedRun; seen: CohortRun; endsAt: number }[] = [];
  let now = 0;
  while (waiting.length + underWay.length > 0 && watch.stop() === undefined) {
    while (underWay.length < workers && waiting.length > 0) {
      const next = waiting.shift()!;
      underWay.push({ ...next, endsAt: now + next.seen.calls.length });
    }
    underWay.sort((left, right) => left.endsAt - right.endsAt);
    const ended = underWay.shift()!;
    now = ended.endsAt;
    watch.recorded(ended.run, [ended.seen]);
  }
  return watch.stop();
}

const TEAMS = 400;
/** Four standard errors above 5 % of 400 teams. */
const MOST = TEAMS * (0.05 + 4 * Math.sqrt((0.05 * 0.95) / TEAMS));

describe("an early stop", () => {
  it.each([
    { name: "a recorded baseline, one run at a time", withBase: false, workers: 1 },
    { name: "a recorded baseline, all runs at once", withBase: false, workers: 64 },
    { name: "a base beside it, four at a time", withBase: true, workers: 4 },
  ])("comes for an agent that did not change no more often than 5 in 100, with $name", ({ withBase, workers }) => {
    let stopped = 0;
    for (let seed = 0; seed < TEAMS; seed++)
      if (runTeam({ seed, withBase, workers, confirms: true }) !== undefined) stopped++;
    expect(stopped).toBeLessThan(MOST);
  });

  it("comes for an agent that always drops a step, before all runs are made", () => {
    for (let seed = 0; seed < 20; seed++) {
      const stop = runTeam({ seed, withBase: seed % 2 === 0, workers: 2, confirms: false });
      expect(stop).toMatchObject({ verdict: "changed", plannedPairs: 20, alpha: 0.05 });
      expect(stop!.stoppedAfter).toBeLessThan(20);
    }
  });
});

describe("the order of the plan", () => {
  const planned = planScenarioRuns(scenarios, { repeat: 2, seed: 1, withBase: false });
  const known = planned.map(({ scenario }) => cohortRun(scenario, "baseline", ["confirm", "refund"]));
  const hasty = (run: PlannedRun) => [cohortRun(run.scenario, "candidate", ["refund"])];

  it("decides, not the order in which runs end", () => {
    const watch = watchForChange(planned, known, ALPHA);
    const [first, ...others] = planned;
    for (const run of others) watch.recorded(run, hasty(run));
    expect(watch.stop()).toBeUndefined();
    watch.recorded(first!, hasty(first!));
    expect(watch.stop()).toMatchObject({ plannedPairs: 20 });
  });

  it("stands still at a run that did not happen", () => {
    const watch = watchForChange(planned, known, ALPHA);
    const [first, second, , ...others] = planned;
    for (const run of [first!, second!, ...others]) watch.recorded(run, hasty(run));
    expect(watch.stop()).toBeUndefined();
  });

  it("counts pairs there can be: a repeat that the baseline lacks is none", () => {
    const once = known.slice(0, 10);
    const more = [...known, ...known].map((run) => ({ ...run, side: "baseline" as Side }));
    const pairs = (runs: readonly CohortRun[]) => {
      const watch = watchForChange(planned, runs, { alpha: 0.5 });
      for (const run of planned) watch.recorded(run, hasty(run));
      return watch.stop()?.plannedPairs;
    };
    expect([pairs(once), pairs(more)]).toEqual([10, 20]);
  });
});
