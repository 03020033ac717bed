/** Small cohorts for tests. */
import type { Interval } from "../src/cohort/intervals.ts";
import type { CohortCall, CohortRun, Side } from "../src/cohort/run.ts";
import { createRandom, type Random } from "../src/stats/random.ts";

/** A run that calls these tools in order. */
export function run(scenario: string, side: Side, tools: readonly string[], more: Partial<CohortRun> = {}): CohortRun {
  const calls = tools.map((name): CohortCall => ({ name, args: {} }));
  return { scenario, side, calls, turns: tools.length + 1, texts: ["done"], stop: "end_turn", ...more };
}

/** Runs of both sides over `scenarios` scenarios, made by `make(scenario, side, repeat)`. */
export function cohort(
  scenarios: number,
  repeats: number,
  make: (scenario: string, side: Side, repeat: number) => CohortRun,
): CohortRun[] {
  const runs: CohortRun[] = [];
  for (let scenario = 0; scenario < scenarios; scenario++) {
    for (const side of ["baseline", "candidate"] as const) {
      for (let repeat = 0; repeat < repeats; repeat++) runs.push(make(`task ${scenario}`, side, repeat));
    }
  }
  return runs;
}

/** A noisy agent: the same on both sides, another path every time. */
export function noisyRun(scenario: string, side: Side, random: Random = createRandom(1)): CohortRun {
  const tools = ["get_user", "get_order", "confirm", "refund"].filter(() => random.below(4) > 0);
  if (random.below(3) === 0) tools.reverse();
  const texts = Array.from({ length: 2 }, () => ["sure", "of course", "let me check", "one moment"][random.below(4)]!);
  return run(scenario, side, tools, { turns: tools.length + 1 + random.below(2), texts });
}

/** What may have moved by `low` to `high`, seen together as well as alone. */
export function interval(item: string, low: number, high: number, more: Partial<Interval> = {}): Interval {
  const { tolerance = 0.2, alone = { low, high } } = more;
  return {
    item,
    kind: "rate",
    baselineMean: 0,
    candidateMean: 0,
    difference: 0,
    standardError: 0,
    low,
    high,
    alone,
    tolerance,
    inside: alone.low >= -tolerance && alone.high <= tolerance,
    ...more,
  };
}
