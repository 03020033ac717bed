/** The trajectory axis and the alignment never contradict each other: what one finds in a single turn, the other shows. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { diffTraces, type Json } from "@spoor/core";
import type { DiffResult } from "@spoor/core/internal/diff/diff-report";
import { vectorDimensions } from "@spoor/core/internal/fingerprint/statistical/response-vector";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallSpec, type TurnSpec, traceOf } from "../../../core/test/build.ts";

const row = ({ rows }: DiffResult, name: string) => rows.find(({ axis }) => axis === name)!;
const compare = (before: readonly TurnSpec[], after: readonly TurnSpec[]) =>
  diffTraces(traceOf(before), traceOf(after));
const call = (name: string, input: Json = {}): CallSpec => ({ name, input });
const turn = (...calls: (string | CallSpec)[]): TurnSpec => ({ text: "Working on it.", calls });

it("the number of the axis is in line with what the alignment finds, in however few turns", () => {
  const calls = fc.array(fc.constantFrom(call("a"), call("a", { x: 1 }), call("b"), call("c", { x: 2 })), {
    maxLength: 3,
  });
  const run = fc.array(
    calls.map((made) => ({ text: `Step with ${made.length}.`, calls: made })),
    { minLength: 1, maxLength: 8 },
  );
  fc.assert(
    fc.property(run, run, (before, after) => {
      const result = diffTraces(traceOf(before), traceOf(after), { topDivergences: Number.POSITIVE_INFINITY });
      const found = result.traces[0]!.divergences.some(
        ({ reason, calls: changes }) => changes !== undefined || ("tools" in reason && reason.tools.length > 0),
      );
      const { delta, severity } = row(result, "trajectory");
      expect(delta > 0).toBe(found);
      expect(severity !== "none").toBe(found);
    }),
  );
});

describe("what the axis catches, in one turn of eight", () => {
  const eight = Array.from({ length: 8 }, (_, index) => turn(call(`step_${index}`, { n: index })));
  const replace = (at: number, ...turns: TurnSpec[]) => [...eight.slice(0, at), ...turns, ...eight.slice(at + 1)];
  it.each([
    { name: "a tool added", after: replace(3, eight[3]!, turn("extra")) },
    { name: "a tool added beside another", after: replace(3, turn(...eight[3]!.calls!, "extra")) },
    { name: "a tool dropped", after: replace(3) },
    { name: "tools reordered", after: [eight[1]!, eight[0]!, ...eight.slice(2)] },
    { name: "an argument name added", after: replace(3, turn(call("step_3", { n: 3, force: true }))) },
    { name: "an argument name dropped", after: replace(3, turn(call("step_3"))) },
    { name: "an argument value changed", after: replace(3, turn(call("step_3", { n: 4 }))) },
  ])("$name", ({ after }) => {
    const { delta, severity } = row(compare(eight, after), "trajectory");
    expect(delta).toBeGreaterThan(0);
    expect(severity).not.toBe("none");
  });
});

describe("what it does not catch, and who does", () => {
  const before = [turn("look"), { text: "Your parcel arrives on Monday morning." }];
  const after = [turn("look"), { text: "Nothing whatsoever is known here." }];

  it("another text: the semantic axis", () => {
    const result = compare(before.slice(1), after.slice(1));
    expect(row(result, "trajectory").delta).toBe(0);
    expect(row(result, "semantic").delta).toBeLessThan(0);
  });

  it("the dimensions of the response vector that speak of text have names, in the documentation too", () => {
    const page = readFileSync(fileURLToPath(new URL("../../../../docs/drift-statistics.md", import.meta.url)), "utf8");
    for (const name of ["text_chars_log", "numeric_token_density", "error_token_flag"] as const)
      expect(vectorDimensions).toContain(name);
    for (const name of vectorDimensions) expect(page).toContain(`\`${name}\``);
  });

  it("the first moment of a regression: the very turn, with its kind", () => {
    const run = [
      turn("a"),
      turn(call("b", { id: 1 })),
      { text: "The parcel was sent on Monday and arrives on Friday." },
    ];
    const changed = (at: number, one: TurnSpec) => run.map((own, index) => (index === at ? one : own));
    const first = (after: readonly TurnSpec[]) => compare(run, after).firstDivergence;
    expect(first(changed(1, turn("z")))).toMatchObject({ candidateTurn: 1, kind: "structural" });
    expect(first(changed(1, turn(call("b", { id: 2 }))))).toMatchObject({ candidateTurn: 1, kind: "decision" });
    expect(first(changed(2, { text: "The parcel was sent on Monday and gets there on Friday." }))).toMatchObject({
      candidateTurn: 2,
      kind: "style",
    });
  });
});
