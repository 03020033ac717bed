import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { expect, it } from "vitest";
import { createBudget } from "./budget.ts";

function record(costUsd: number | undefined, more: Partial<RunRecord> = {}): RunRecord {
  return {
    schema: "spoor.eval-run/1",
    timestamp: "",
    eval_id: "c",
    dataset: "d",
    eval_file: "f",
    target: "a",
    run: 1,
    key: "k",
    status: "passed",
    passed: true,
    ended: "answered",
    score: 1,
    threshold: 0.8,
    verdict: "pass",
    hits: [],
    misses: [],
    candidate_answer: "",
    trace_summary: null,
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
    ...more,
  };
}

/** `workers` at once, each run for `cost`: how many runs are made, and what they cost. */
function spend(limitUsd: number, cost: number, workers: number, earlier: readonly RunRecord[] = []) {
  const budget = createBudget(limitUsd, { earlier });
  let made = 0;
  let inside = 0;
  for (let step = 0; step < 1000; step++) {
    const answer = inside < workers ? budget.start("a") : "wait";
    if (answer === "never") break;
    if (answer === "go") inside++;
    else {
      budget.end("a", record(cost));
      inside--;
      made++;
    }
  }
  return { made, spent: budget.spentUsd };
}

it.each([1, 4, 20, 50])("spends $0.50 at $0.10 a run on five runs with %i workers", (workers) => {
  const { made, spent } = spend(0.5, 0.1, workers);
  expect(made).toBe(5);
  expect(spent).toBeCloseTo(0.5, 12);
});

it("does not start a run that would not fit", () => {
  expect(spend(0.55, 0.1, 20).made).toBe(5);
  expect(spend(1, 0.3, 3).made).toBe(3);
});

it("starts one run alone while nobody knows what one costs", () => {
  const budget = createBudget(10);
  expect([budget.start("a"), budget.start("a"), budget.start("b")]).toEqual(["go", "wait", "wait"]);
  budget.end("a", record(1));
  expect([budget.start("b"), budget.start("a")]).toEqual(["go", "go"]);
});

it("goes on from what earlier parts of the run cost", () => {
  expect(spend(0.5, 0.1, 4, [record(0.1), record(0.2)]).made).toBe(1);
  expect(spend(0.5, 0.1, 4, [record(0.5)]).made).toBe(0);
});

it("counts judges, attempts that were thrown away and runs that were made again, and not what the cache gave", () => {
  const budget = createBudget(10);
  budget.start("a");
  budget.end(
    "a",
    record(1, {
      judge_usage: { questions: 3, cost_usd: 0.5, from_cache: 1, cached_cost_usd: 0.125 },
      retries: [{ kind: "timeout", message: "", cost_usd: 0.25 }],
      from_cache: { requests: 1, cost_usd: 0.75 },
      earlier_cost_usd: 2,
    }),
  );
  // 1 + 0.5 + 0.25 - 0.125 - 0.75 + 2
  expect(budget.spentUsd).toBe(2.875);
});

it("starts nothing more on a target that does not say what it costs, unless it costs nothing", () => {
  const budget = createBudget(10, { free: new Set(["mock"]) });
  budget.start("a");
  budget.end("a", record(undefined));
  expect(budget.start("a")).toBe("never");
  expect([...budget.blind]).toEqual(["a"]);
  budget.start("mock");
  budget.end("mock", record(undefined));
  expect(budget.start("mock")).toBe("go");
});

it("counts a single run without a price as the dearest", () => {
  const budget = createBudget(10);
  for (const cost of [1, 3, undefined, 2]) {
    expect(budget.start("a")).toBe("go");
    budget.end("a", record(cost));
  }
  expect(budget.spentUsd).toBe(9);
  expect(budget.guessed).toBe(1);
});
