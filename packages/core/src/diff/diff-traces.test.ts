import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallSpec, type TurnSpec, traceOf } from "../../test/build.ts";
import { diffTraceSets, diffTraces } from "./diff-traces.ts";
import { gateDiff } from "./gate-diff.ts";
import { pairTraces } from "./pair-traces.ts";

const calling = (...calls: (string | CallSpec)[]): TurnSpec => ({ text: "Working on it.", calls });
const saying = (text: string): TurnSpec => ({ text });

describe("no data is not zero", () => {
  it("missing usage and latency measure nothing and never gate", () => {
    const result = diffTraces(traceOf([saying("Hi.")]), traceOf([saying("Hi.")]));
    for (const axis of ["verbosity", "latency", "cost", "reasoning", "judge"]) {
      expect(result.rows.find((row) => row.axis === axis)).toMatchObject({ measured: 0, gateSeverity: "none" });
    }
  });

  it.each([
    { baseline: [], candidate: [], missing: "both_turns" },
    { baseline: [saying("Hi.")], candidate: [], missing: "candidate_turns" },
    { baseline: [], candidate: [saying("Hi.")], missing: "baseline_turns" },
  ])("$missing is not enough evidence", ({ baseline, candidate, missing }) => {
    expect(diffTraces(traceOf(baseline), traceOf(candidate)).verdict).toEqual({ code: "not_enough", missing });
  });
});

describe("several traces a side", () => {
  it("pools the turns, keeps each pair's own divergences and draws whole traces beside turns", () => {
    const named = (name: string, turns: TurnSpec[]) => traceOf(turns, { scenario_id: name });
    const turns = [calling("a"), saying("Done.")];
    const changed = [calling("b"), saying("Done.")];
    const result = diffTraceSets(
      pairTraces(
        [named("one", turns), named("two", turns), named("gone", turns)],
        [named("two", changed), named("one", turns)],
      ),
    );
    expect(result.matching).toMatchObject({
      by: "scenario",
      pairs: 2,
      onlyBaseline: [{ name: "gone" }],
      onlyCandidate: [],
    });
    expect(result).toMatchObject({ pairCount: 4, structure: { changed: 1, turns: 4 } });
    expect(result.traces.map((trace) => trace.divergenceCount)).toEqual([0, 1]);
    expect(result.firstDivergence).toMatchObject({ traceIndex: 1, baselineTurn: 0 });
    expect(result.rows[0]!.traceCi95).toBeDefined();
  });
});

describe("properties", () => {
  const turn = fc.record({
    text: fc.constantFrom("Looking it up.", "Done, thank you.", "I refuse to.", "Ünïcode 日本語 text", ""),
    calls: fc.array(
      fc.record({ name: fc.constantFrom("a", "b", "c"), input: fc.constantFrom({ x: 1 }, { x: 2 }, { y: [1] }, {}) }),
      {
        maxLength: 3,
      },
    ),
    latencyMs: fc.integer({ min: 1, max: 5000 }),
    usage: fc.record({ input_tokens: fc.nat(500), output_tokens: fc.nat(500) }),
  });
  const run = fc.array(turn, { minLength: 1, maxLength: 12 });

  it("a trace against itself is all none, without a divergence", () => {
    fc.assert(
      fc.property(run, (turns) => {
        const result = diffTraces(traceOf(turns), traceOf(turns));
        expect(result.rows.every((row) => row.severity === "none" && row.delta === 0)).toBe(true);
        expect(result.structure.changed).toBe(0);
        expect(result.firstDivergence).toBeNull();
        expect(result.verdict.code).toBe("unchanged");
        expect(gateDiff(result, "minor").tripped).toBe(false);
      }),
      { numRuns: 50 },
    );
  });

  it("swapping sides mirrors the deltas of every two-sided axis and keeps the structure", () => {
    fc.assert(
      fc.property(run, run, (left, right) => {
        const there = diffTraces(traceOf(left), traceOf(right), { pairing: "index" });
        const back = diffTraces(traceOf(right), traceOf(left), { pairing: "index" });
        expect(back.structure.changed).toBe(there.structure.changed);
        for (const axis of ["safety", "verbosity", "latency", "cost"] as const) {
          const one = there.rows.find((row) => row.axis === axis)!;
          const other = back.rows.find((row) => row.axis === axis)!;
          expect(other.delta).toBeCloseTo(-one.delta, 9);
          expect(other.sign).toMatchObject({ up: one.sign.down, down: one.sign.up, equal: one.sign.equal });
        }
      }),
      { numRuns: 50 },
    );
  });

  it("appending the same turn to both sides never hides another change", () => {
    fc.assert(
      fc.property(run, run, turn, (left, right, extra) => {
        const before = diffTraces(traceOf(left), traceOf(right));
        const after = diffTraces(traceOf([...left, extra]), traceOf([...right, extra]));
        expect(after.structure.changed).toBeGreaterThanOrEqual(before.structure.changed);
      }),
      { numRuns: 100 },
    );
  });

  it("a report is plain JSON: no NaN, no infinity, nothing lost on the way", () => {
    fc.assert(
      fc.property(fc.array(turn, { maxLength: 6 }), fc.array(turn, { maxLength: 6 }), (left, right) => {
        for (const level of ["trace", "session", "turn", "span", "token"] as const) {
          const result = diffTraces(traceOf(left), traceOf(right), { level });
          expect(numbersIn(result).every(Number.isFinite)).toBe(true);
          expect(JSON.parse(JSON.stringify(result))).toEqual(result);
        }
      }),
      { numRuns: 25 },
    );
  });

  it("every turn of both sides is in the alignment exactly once, and intervals are in order", () => {
    fc.assert(
      fc.property(run, run, (left, right) => {
        const result = diffTraces(traceOf(left), traceOf(right), { level: "turn" });
        const lines = result.layers!.turns!;
        expect(lines.flatMap((line) => line.baselineTurn ?? [])).toEqual(left.map((_, index) => index));
        expect(lines.flatMap((line) => line.candidateTurn ?? [])).toEqual(right.map((_, index) => index));
        for (const row of result.rows) expect(row.ci95Low).toBeLessThanOrEqual(row.ci95High);
      }),
      { numRuns: 50 },
    );
  });
});

function numbersIn(value: unknown): number[] {
  if (typeof value === "number") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(numbersIn) : [];
}
