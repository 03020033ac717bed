import { describe, expect, it } from "vitest";
import { type CallSpec, type TurnSpec, traceOf } from "../../../test/build.ts";
import { diffTraceSets, diffTraces } from "../diff-traces.ts";
import { pairTraces } from "../pair-traces.ts";

const trajectory = (before: readonly TurnSpec[], after: readonly TurnSpec[], pairing?: "index") =>
  diffTraces(traceOf(before), traceOf(after), pairing === undefined ? {} : { pairing }).rows.find(
    ({ axis }) => axis === "trajectory",
  )!;

it.each([
  { before: ["a", "b"], after: ["a", "b"], share: 0 },
  { before: ["a", "b"], after: ["a", "c"], share: 0.5 },
  { before: ["a", "b", "c", "d"], after: ["a", "c", "d"], share: 0.25 },
  { before: ["a"], after: [], share: 1 },
  { before: [], after: [], share: 0 },
])("$before to $after changes $share of the calls", ({ before, after, share }) => {
  for (const pairing of [undefined, "index"] as const)
    expect(trajectory([{ text: "x", calls: before }], [{ text: "x", calls: after }], pairing)).toMatchObject({
      n: 1,
      delta: share,
    });
});

describe("along the alignment every turn counts", () => {
  const turn = (name: string, id = 1): TurnSpec => ({ calls: [{ name, input: { id } } satisfies CallSpec] });
  const run = (...names: string[]) => names.map((name) => turn(name));
  const loop = run("a", "b", "c", "d");
  const long = run("a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m");

  it.each([
    // By hand: calls that differ over the turns of both sides, each turn's share first.
    { name: "a turn added", before: loop, after: run("a", "b", "z", "c", "d"), delta: 1 / 5, n: 5, alone: 1 },
    { name: "a confirmation dropped", before: loop, after: run("a", "c", "d"), delta: 1 / 4, n: 4, alone: 1 },
    {
      name: "four of six dropped",
      before: run("a", "b", "c", "d", "e", "f"),
      after: run("a", "f"),
      delta: 4 / 6,
      n: 6,
      alone: 4,
    },
    {
      name: "one value in one of four turns",
      before: loop,
      after: [loop[0]!, turn("b", 2), loop[2]!, loop[3]!],
      delta: 1 / 4,
      n: 4,
      alone: 0,
    },
    {
      name: "one added among thirteen",
      before: long,
      after: [...long.slice(0, 7), turn("z"), ...long.slice(7)],
      delta: 1 / 14,
      n: 14,
      alone: 1,
    },
    {
      name: "one more call beside another",
      before: loop,
      after: [loop[0]!, { calls: [...loop[1]!.calls!, { name: "z", input: {} }] }, loop[2]!, loop[3]!],
      delta: 1 / 2 / 4,
      n: 4,
      alone: 0,
    },
    {
      name: "a reply without calls is no call",
      before: loop,
      after: [...loop, { text: "Bye." }],
      delta: 0,
      n: 5,
      alone: 1,
    },
  ])("$name", ({ before, after, delta, n, alone }) => {
    const row = trajectory(before, after);
    expect(row).toMatchObject({ statistic: "mean", baseline: 0, n, alone });
    expect(row.delta).toBeCloseTo(delta, 12);
    expect(row.severity === "none").toBe(delta === 0);
  });

  it("no turn of one side has a partner on the other", () => {
    const before = [{ text: "The weather will be fine tomorrow all day long.", calls: ["a", "b"], stop: "x" }];
    const after = [{ text: "Quarterly numbers exceeded each expectation.", calls: ["c", "d", "e"], stop: "y" }];
    expect(trajectory(before, after)).toMatchObject({ delta: 1, severity: "severe" });
  });

  it("by position nothing changes: a median over the pairs", () => {
    expect(trajectory(loop, run("a", "b", "z", "c", "d"), "index")).toMatchObject({
      statistic: "median",
      n: 4,
      delta: 0.5,
    });
    expect(trajectory(loop, run("a", "b", "z", "c", "d"), "index")).not.toHaveProperty("alone");
  });

  it("turns without a partner are drawn with their own trace", () => {
    const named = (name: string, turns: readonly TurnSpec[]) => traceOf(turns, { scenario_id: name });
    const { rows } = diffTraceSets(
      pairTraces(
        [named("one", loop), named("two", loop), named("three", loop)],
        [named("one", loop), named("two", loop.slice(1)), named("three", loop)],
      ),
    );
    const row = rows.find(({ axis }) => axis === "trajectory")!;
    expect(row).toMatchObject({ n: 12, alone: 1 });
    expect(row.delta).toBeCloseTo(1 / 12, 12);
    // All four turns of the one trace that lost a call, drawn in every place: at most a quarter.
    expect(row.traceCi95!.low).toBe(0);
    expect(row.traceCi95!.high).toBeLessThanOrEqual(0.25);
    expect(row.traceCi95!.high).toBeGreaterThan(row.delta);
  });
});
