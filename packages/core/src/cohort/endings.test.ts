import { describe, expect, it } from "vitest";
import { recordsOf, traceOf } from "../../test/build.ts";
import { cohort, noisyRun, run } from "../../test/cohort.ts";
import { clopperPearson } from "../stats/clopper-pearson.ts";
import { createRandom } from "../stats/random.ts";
import { buildTrace } from "../trace/build-trace.ts";
import { buildRun } from "./build-run.ts";
import { compareCohorts } from "./compare-cohorts.ts";
import { testEndings } from "./endings.ts";
import { gateCohort } from "./gate-cohort.ts";
import type { CohortRun, Side } from "./run.ts";

const PATH = ["get_order", "refund"];
const dead = (scenario: string, side: Side): CohortRun => run(scenario, side, [], { turns: 0, texts: [] });

describe("runs that died count", () => {
  const some = (scenarios: number, of: number) =>
    compareCohorts(
      cohort(scenarios, 1, (scenario, side) =>
        side === "candidate" && Number(scenario.replace(/\D/g, "")) < of
          ? dead(scenario, side)
          : run(scenario, side, PATH),
      ),
    );

  it("8 of 20 dead candidate runs are a change: 2 of 2^8 ways to place them, twice for the two questions", () => {
    const result = some(20, 8);
    expect(result).toMatchObject({
      verdict: "changed",
      endings: { candidate: { runs: 8, of: 20 }, baseline: { runs: 0, of: 20 } },
    });
    expect(result.p).toBeCloseTo((2 * 2) / 2 ** 8, 12);
    const outcome = result.aspects.find(({ aspect }) => aspect === "outcome")!;
    expect(outcome.changed).toBe(true);
    expect(outcome.items[0]).toMatchObject({ measure: "no_answer", baselineMean: 0, candidateMean: 0.4 });
    expect(gateCohort(result).reasons).toEqual([{ code: "cohort.changed", subject: "outcome" }]);
  });

  it("when every candidate run died, that is what changed", () => {
    expect(some(10, 10)).toMatchObject({ verdict: "changed", endings: { candidate: { runs: 10, of: 10 } } });
  });

  it("three dead runs of three prove nothing, and nothing was compared", () => {
    expect(some(3, 3)).toMatchObject({ verdict: "not_enough_evidence", reasons: [{ code: "no_common_scenario" }] });
  });

  it("unchanged is not said while the share of dead runs may have moved", () => {
    // Without deaths 40 identical pairs are unchanged. 4 deaths of 40 allow a share of 23.7 % (exact 95 % limit), 2 of 40 only 16.9 %.
    expect(some(40, 0).verdict).toBe("unchanged");
    const result = some(40, 4);
    expect(result.verdict).toBe("not_enough_evidence");
    expect(result.intervals!.items.find(({ item }) => item === "ended:no_answer")).toMatchObject({ inside: false });
    expect(result.intervals!.items.at(-1)!.high).toBeCloseTo(0.237, 3);
    expect(some(40, 2).verdict).toBe("unchanged");
  });

  it("costs nothing when every run answered", () => {
    expect(some(8, 0)).toMatchObject({ endings: null });
  });

  it("is not asked when outcome is not", () => {
    const runs = cohort(20, 1, (scenario, side) =>
      side === "candidate" ? dead(scenario, side) : run(scenario, side, PATH),
    );
    expect(compareCohorts(runs, { aspects: ["tools"] }).endings).toBeNull();
  });
});

describe("the chance", () => {
  const scenario = (id: string, baseline: readonly boolean[], candidate: readonly boolean[]) => [
    ...baseline.map((died) => ({
      scenario: id,
      side: "baseline" as const,
      ...(died ? { ended: "error" as const } : {}),
    })),
    ...candidate.map((died) => ({
      scenario: id,
      side: "candidate" as const,
      ...(died ? { ended: "error" as const } : {}),
    })),
  ];

  it("of one scenario is the hypergeometric one", () => {
    // 4 + 4 runs, 3 dead, all in the candidate: C(4,3) / C(8,3) = 4/56 there, and as many ways for the baseline.
    const found = testEndings(scenario("a", [false, false, false, false], [true, true, true, false]))!;
    expect(found.endings.p).toBeCloseTo(8 / 56, 12);
    expect(found.endings.reachable).toBeCloseTo(8 / 56, 12);
  });

  it("of several scenarios is that of the sum, and its ratio has mean 1", () => {
    // Two pairs, one dead run each, both in the candidate: of 4 ways 1, and 1 with both in the baseline.
    const runs = [...scenario("a", [false], [true]), ...scenario("b", [false], [true])];
    expect(testEndings(runs)!.endings).toMatchObject({ p: 0.5, ratio: 2 });
  });

  it("stays a chance with thousands of runs of one scenario", () => {
    const many = (count: number, died: number) => Array.from({ length: count }, (_, at) => at < died);
    const { p } = testEndings(scenario("a", many(3000, 300), many(3000, 300)))!.endings;
    expect(p).toBeCloseTo(1, 9);
    expect(testEndings(scenario("a", many(3000, 100), many(3000, 300)))!.endings.p).toBeLessThan(1e-9);
  });

  it("is null without deaths, and in scenarios of one side only", () => {
    expect(testEndings(scenario("a", [false], [false]))).toBeUndefined();
    expect(testEndings([...scenario("a", [], [true]), ...scenario("b", [false], [])])).toBeUndefined();
  });
});

it("agents that die as often as before are called changed in at most 5 of 100 comparisons", () => {
  const random = createRandom(11);
  const comparisons = 120;
  let changed = 0;
  for (let index = 0; index < comparisons; index++) {
    const runs = cohort(12, 2, (scenario, side) =>
      random.unit() < 0.15 ? dead(scenario, side) : noisyRun(scenario, side, random),
    );
    if (compareCohorts(runs, { draws: 199, seed: index }).verdict === "changed") changed++;
  }
  expect(clopperPearson(changed, comparisons, 0.999).low).toBeLessThanOrEqual(0.05);
});

describe("how a run ended", () => {
  const records = recordsOf([{ text: "One." }, { text: "Two." }]);
  const error = { kind: "error", payload: { source: "sdk", message: "connection reset" } };
  const request = records.find(({ kind }) => kind === "chat_request")!;
  it.each([
    { name: "an answer", trace: traceOf([{ text: "Done." }]), ended: undefined },
    { name: "a tool call, as agents that hand over do", trace: traceOf([{ calls: ["transfer"] }]), ended: undefined },
    { name: "no response", trace: traceOf([]), ended: "no_response" },
    {
      name: "out of room",
      trace: traceOf([{ text: "One" }, { text: "and th", stop: "max_tokens" }]),
      ended: "cut_off",
    },
    { name: "out of room, as OpenAI says it", trace: traceOf([{ text: "and th", stop: "length" }]), ended: "cut_off" },
    { name: "an error after the last response", trace: buildTrace([...records, error]), ended: "error" },
    { name: "an error that was got over", trace: buildTrace([error, ...records]), ended: undefined },
    { name: "a request that nothing answered", trace: buildTrace([...records, request]), ended: "cut_off" },
  ])("$name: $ended", ({ trace, ended }) => {
    expect(buildRun(trace, "candidate").ended).toBe(ended);
  });
});
