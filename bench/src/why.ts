/**
 * The search for inputs that matter, in memory: an agent that acts by chance, of whose four changed inputs one matters, or none. Twenty seeds for
 * each planted input and twenty without: how often the right one is named and nothing else, how often anything is named for nothing, and how
 * many runs that took. All aspects are compared, as `spoor why` does.
 */
import type { CohortCall, CohortRun } from "@spoor/core/internal/cohort/run";
import { createRandom, type Random } from "@spoor/core/internal/stats/random";
import { type Found, searchInputs } from "@spoor/core/internal/why/search-inputs";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";

const INPUTS = ["prompt", "model", "tool", "temperature"];
const SEEDS = 20;
const SCENARIOS = 6;
const REPEAT = 5;

export const whyBenchmark: Benchmark = {
  name: "why",
  promise: "one of four changed inputs matters: named in 19 of 20 seeds; none matters: nothing named in 19 of 20",
  run() {
    const rows = INPUTS.map((cause) => row(`${cause} matters`, cause, (named) => named === cause));
    return [...rows, row("nothing matters", undefined, (named) => named === "")];
  },
};

function row(what: string, cause: string | undefined, isRight: (named: string) => boolean): BenchmarkRow {
  const found = Array.from({ length: SEEDS }, (_, index) => search(cause, index + 1));
  const right = found.filter((one) => isRight(one.named.map(({ inputs }) => inputs.join("+")).join(" "))).length;
  const runs = found.map(({ runsMade }) => runsMade).sort((one, other) => one - other);
  return {
    what,
    measured: `${right} of ${SEEDS} right`,
    against: `${runs[0]} to ${runs.at(-1)} runs, ${SCENARIOS} scenarios, ${REPEAT} times each`,
    kept: right >= SEEDS - 1,
  };
}

function search(cause: string | undefined, seed: number): Found {
  const random = createRandom(seed);
  const options = { alpha: 0.05, seed: 42, runsEach: SCENARIOS * REPEAT, maxRuns: 10_000 };
  const found = searchInputs(INPUTS, options);
  let step = found.next();
  while (!step.done) {
    step = found.next(
      step.value.map(({ program, reverted }) => {
        const moved = program === "candidate" && cause !== undefined && !reverted.includes(cause);
        const runs = Array.from({ length: SCENARIOS * REPEAT }, (_, index) => run(index % SCENARIOS, moved, random));
        return { runs, notExchanged: [] };
      }),
    );
  }
  return step.value;
}

/** Reads a little more or less by chance; a moved agent mostly pays without asking, and a little more. */
function run(scenario: number, moved: boolean, random: Random): CohortRun {
  const chance = (share: number) => random.unit() < share;
  const calls: CohortCall[] = [{ name: "get_order", args: { id: `A-${scenario}` } }];
  while (chance(0.25))
    calls.push({ name: "search_help", args: { text: ["refund", "return", "order"][random.below(3)]! } });
  if (chance(moved ? 0.15 : 0.9)) calls.push({ name: "ask_customer", args: { amount: 10 * scenario } });
  calls.push({ name: "refund", args: { amount: 10 * scenario + (chance(moved ? 0.5 : 0.1) ? 5 : 0) } });
  const text = ["Your refund is on its way.", "The money comes back within days.", "Done, sorry for that."][
    random.below(3)
  ]!;
  return {
    scenario: `scenario-${scenario}`,
    side: "baseline",
    calls,
    turns: calls.length + 1,
    texts: [text],
    stop: "end_turn",
    outputTokens: 40 + random.below(20),
  };
}
