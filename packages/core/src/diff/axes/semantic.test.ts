import { expect, it } from "vitest";
import { traceOf } from "../../../test/build.ts";
import { type DiffOptions, diffTraces } from "../diff-traces.ts";

function similarity(before: string, after: string, options: DiffOptions = {}): number {
  const { rows } = diffTraces(traceOf([{ text: before }]), traceOf([{ text: after }]), {
    pairing: "index",
    ...options,
  });
  return 1 + rows.find(({ axis }) => axis === "semantic")!.delta;
}

// Two texts: a word in both weighs ln(3/3) + 1 = 1, a word in one of them weighs ln(3/2) + 1.
const RARE = Math.log(1.5) + 1;

it.each([
  { before: "red apple", after: "red apple", expected: 1 },
  { before: "red apple", after: "apple RED", expected: 1 },
  { before: "red apple", after: "red pear", expected: 1 / (1 + RARE ** 2) },
  { before: "red apple", after: "green pear", expected: 0 },
  { before: "red apple", after: "", expected: 0 },
])("$before and $after", ({ before, after, expected }) => {
  expect(similarity(before, after)).toBeCloseTo(expected, 12);
});

it("takes the vectors of an embedder instead", () => {
  const embed = (texts: readonly string[]) => texts.map((text) => (text === "car" ? [3, 4] : [4, 3]));
  expect(similarity("car", "automobile", { embed })).toBeCloseTo(24 / 25, 12);
  expect(() => similarity("car", "automobile", { embed: () => [[1]] })).toThrow("gave 1 vectors for 2 texts");
});
