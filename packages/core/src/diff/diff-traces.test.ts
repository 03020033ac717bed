import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallSpec, type TurnSpec, traceOf } from "../../test/build.ts";
import { diffTraceSets, diffTraces } from "./diff-traces.ts";
import { gateDiff } from "./gate-diff.ts";
import { pairTraces } from "./pair-traces.ts";

const calling = (...calls: (string | CallSpec)[]): TurnSpec => ({ text: "Working on it.", calls });
const saying = (text: string): TurnSpec => ({ text });

describe("structure: what averages hide", () => {
  it("a call added in one of six turns is seen, though every axis says none", () => {
    const turns = Array.from({ length: 6 }, (_, index) => ({ ...calling("lookup"), text: `Step ${index}.` }));
    const candidate = turns.map((turn, index) => (index === 3 ? { ...turn, calls: ["lookup", "delete_user"] } : turn));
    const result = diffTraces(traceOf(turns), traceOf(candidate));
    expect(result.rows.find((row) => row.axis === "trajectory")).toMatchObject({ severity: "none", delta: 0 });
    expect(result.structure).toMatchObject({ changed: 1, turns: 6, severity: "moderate", direction: "changed" });
    expect(gateDiff(result, "moderate").reasons.map((reason) => reason.subject)).toContain("structure");
    expect(result.verdict).toMatchObject({ code: "tool_new", tool: "delete_user" });
  });

  it.each([
    { name: "another argument value", change: { calls: [{ name: "pay", input: { to: "bob" } }] }, how: "calls" },
    { name: "another argument name", change: { calls: [{ name: "pay", input: { too: "alice" } }] }, how: "calls" },
    { name: "another end", change: { stop: "max_tokens" }, how: "stop_reason" },
    { name: "no call at all", change: { calls: [], stop: "tool_use" }, how: "calls" },
  ])("$name counts once", ({ change, how }) => {
    const turn: TurnSpec = { text: "Paying.", calls: [{ name: "pay", input: { to: "alice" } }] };
    const result = diffTraces(traceOf([turn]), traceOf([{ ...turn, ...change }]));
    expect(result.traces[0]!.changes).toEqual([{ baselineTurn: 0, candidateTurn: 0, change: how }]);
  });

  it("other words alone do not count", () => {
    const result = diffTraces(
      traceOf([saying("All is well.")]),
      traceOf([saying("Something entirely different happened.")]),
    );
    expect(result.structure.changed).toBe(0);
    expect(result.firstAction).toBeNull();
    expect(result.firstDivergence?.reason.code).toBe("text_changed");
    expect(result.verdict).toEqual({ code: "unchanged", turns: 1, reworded: 1 });
  });
});

describe("aligned pairing", () => {
  it("an inserted turn shifts nothing", () => {
    const turns = ["a", "b", "c", "d"].map((name) => ({ ...calling(name), text: `About ${name}.` }));
    const candidate = [turns[0]!, calling("extra"), ...turns.slice(1)];
    const aligned = diffTraces(traceOf(turns), traceOf(candidate));
    expect(aligned).toMatchObject({
      pairCount: 4,
      leftOver: { baseline: 0, candidate: 1 },
      structure: { changed: 1, turns: 5 },
    });
    const byIndex = diffTraces(traceOf(turns), traceOf(candidate), { pairing: "index" });
    expect(byIndex.structure.changed).toBe(4);
  });

  it("a dropped turn among equal ones is the earliest, as a person would say", () => {
    const same = saying("The same again.");
    const result = diffTraces(traceOf([same, same, same]), traceOf([same, same]));
    expect(result.traces[0]!.changes).toEqual([{ baselineTurn: 0, change: "only_baseline" }]);
  });

  it("beyond 300 turns unique turns anchor the alignment", () => {
    const turns = Array.from({ length: 400 }, (_, index) => saying(`Reply number ${index}, about topic ${index * 7}.`));
    const candidate = turns.filter((_, index) => index !== 17 && index !== 350).map((turn) => turn);
    candidate.splice(200, 0, calling("surprise"));
    const [trace] = diffTraces(traceOf(turns), traceOf(candidate)).traces;
    expect(trace!.alignment).toBe("anchored");
    expect(trace!.changes).toEqual([
      { baselineTurn: 17, change: "only_baseline" },
      { candidateTurn: 200, change: "only_candidate" },
      { baselineTurn: 350, change: "only_baseline" },
    ]);
  });

  it("a long stretch without anchors is banded, and says so", () => {
    const turns = Array.from({ length: 320 }, () => saying("Yes."));
    const others = Array.from({ length: 310 }, () => saying("No, thank you."));
    const [trace] = diffTraces(traceOf(turns), traceOf(others)).traces;
    expect(trace!.alignment).toBe("banded");
    expect(trace!.pairCount).toBe(310);
  });
});

describe("changes that the cost of a turn does not weigh", () => {
  it.each([
    {
      name: "a later call of the same tool",
      before: [
        { name: "get", input: { id: 1 } },
        { name: "get", input: { id: 2 } },
      ],
      after: [
        { name: "get", input: { id: 1 } },
        { name: "get", input: { id: 3 } },
      ],
      reason: { code: "argument_changed", tool: "get", key: "id", baseline: 2, candidate: 3 },
    },
    {
      name: "the order inside a turn",
      before: [
        { name: "a", input: {} },
        { name: "b", input: {} },
      ],
      after: [
        { name: "b", input: {} },
        { name: "a", input: {} },
      ],
      reason: { code: "calls_reordered" },
    },
  ])("$name is a divergence of its own", ({ before, after, reason }) => {
    const result = diffTraces(traceOf([calling(...before)]), traceOf([calling(...after)]));
    expect(result.firstDivergence).toMatchObject({ reason });
  });

  it("argument changes carry their path, deep inside lists", () => {
    const order = (sku: string) => ({ name: "buy", input: { cart: { items: [{ sku: "A" }, { sku }] }, note: "n" } });
    const result = diffTraces(traceOf([calling(order("B"))]), traceOf([calling(order("C"))]));
    expect(result.firstDivergence?.calls?.arguments).toEqual([
      { tool: "buy", baselineCall: 0, candidateCall: 0, path: "cart.items[1].sku", baseline: "B", candidate: "C" },
    ]);
  });
});

describe("no data is not zero", () => {
  it("missing usage and latency measure nothing and never gate", () => {
    const result = diffTraces(traceOf([saying("Hi.")]), traceOf([saying("Hi.")]));
    for (const axis of ["verbosity", "latency", "cost", "reasoning", "judge"]) {
      expect(result.rows.find((row) => row.axis === axis)).toMatchObject({ measured: 0, gateSeverity: "none" });
    }
  });

  it("a baseline of 0 is gated by the floor, while the row keeps its own grade", () => {
    const thinking = (tokens: number) =>
      traceOf(Array.from({ length: 6 }, () => ({ text: "Hm.", usage: { thinking_tokens: tokens } })));
    const row = (tokens: number) =>
      diffTraces(thinking(0), thinking(tokens)).rows.find((one) => one.axis === "reasoning");
    expect(row(49)).toMatchObject({ severity: "minor", gateSeverity: "minor" });
    expect(row(50)).toMatchObject({ severity: "minor", gateSeverity: "moderate" });
    expect(row(500)).toMatchObject({ severity: "minor", gateSeverity: "severe" });
  });

  it.each([
    { baseline: [], candidate: [], missing: "both_turns" },
    { baseline: [saying("Hi.")], candidate: [], missing: "candidate_turns" },
    { baseline: [], candidate: [saying("Hi.")], missing: "baseline_turns" },
  ])("$missing is not enough evidence", ({ baseline, candidate, missing }) => {
    expect(diffTraces(traceOf(baseline), traceOf(candidate)).verdict).toEqual({ code: "not_enough", missing });
  });
});

describe("direction", () => {
  const timed = (ms: number) => traceOf(Array.from({ length: 8 }, () => ({ text: "Done.", latencyMs: ms })));

  it("better never trips, worse does", () => {
    const faster = diffTraces(timed(1000), timed(500));
    const slower = diffTraces(timed(500), timed(1000));
    expect(faster.rows.find((row) => row.axis === "latency")).toMatchObject({
      severity: "severe",
      direction: "better",
    });
    expect(gateDiff(faster, "minor").tripped).toBe(false);
    expect(gateDiff(slower, "severe").reasons).toEqual([{ code: "axis", subject: "latency", severity: "severe" }]);
    expect(slower.verdict).toEqual({ code: "average_moved", axis: "latency", baseline: 500, candidate: 1000 });
  });

  it("fewer refusals are changed, never better", () => {
    const refusing = traceOf(Array.from({ length: 6 }, () => saying("I can’t help with that.")));
    const helping = traceOf(Array.from({ length: 6 }, () => saying("Here it is.")));
    const safety = (result: ReturnType<typeof diffTraces>) => result.rows.find((row) => row.axis === "safety");
    expect(safety(diffTraces(refusing, helping))).toMatchObject({ delta: -1, direction: "changed" });
    expect(safety(diffTraces(helping, refusing))).toMatchObject({ delta: 1, direction: "worse" });
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

  it("one plain run stands against every variant of its task", () => {
    const named = (scenario: string) => traceOf([saying("Hi.")], { scenario_id: scenario });
    const { matching, pairs } = pairTraces(
      [named("bank/1"), named("bank/2")],
      [named("bank/1/x"), named("bank/1/y"), named("shop/1")],
    );
    expect(matching).toMatchObject({
      by: "task variant",
      pairs: 2,
      onlyBaseline: [{ name: "bank/2" }],
      onlyCandidate: [{ name: "shop/1" }],
    });
    expect(pairs.map((pair) => pair.name)).toEqual(["bank/1/x", "bank/1/y"]);
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
