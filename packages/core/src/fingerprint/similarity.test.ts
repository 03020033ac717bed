import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { behaviourPath } from "./behaviour-path.ts";
import { classify } from "./classify.ts";
import { collapseLoops } from "./collapse-loops.ts";
import { buildFamilies } from "./families.ts";
import { fingerprintSegments } from "./fingerprint-trace.ts";
import { alignSegments, checkWeights, similarity } from "./similarity.ts";

const calls = (text: string) => (text === "" ? [] : text.split(" ").map((name) => `TOOL_CALL:${name}`));
const behaviour = (text: string, errorPatterns: string[] = []) => ({ segments: calls(text), errorPatterns });

it("is the refund example: 0.4 · 2/3 + 0.4 · 2/3 + 0.2", () => {
  const found = similarity(behaviour("lookup confirm issue"), behaviour("lookup issue"));
  expect(found.toolJaccard).toEqual({ value: 2 / 3, common: 2, total: 3 });
  expect(found.sequenceLcs).toEqual({ value: 2 / 3, common: 2, total: 3 });
  expect(found.composite).toBeCloseTo(0.73333, 5);
});

it("0.75 is a variant however the sum was rounded; anything below is new", () => {
  const status = (composite: number) =>
    classify({ hash: "x", intents: new Map([["a", { accepted: [] }]]), bestSimilarity: () => composite });
  expect(status(0.75)).toBe("variant");
  expect(status(0.75 - 1e-13)).toBe("variant");
  expect(status(0.7499999)).toBe("new");
});

it("the same set of steps in another order is a structural match, but only in sequence mode", () => {
  const intents = new Map([["a", { accepted: ["a"], structuralHash: "s" }]]);
  expect(classify({ hash: "x", structuralHash: "s", intents, bestSimilarity: () => 0.1 })).toBe("structural_match");
  expect(classify({ hash: "x", intents, bestSimilarity: () => 0.1 })).toBe("new");
  expect(classify({ hash: "a", structuralHash: "s", intents, bestSimilarity: () => 0 })).toBe("match");
});

it("stays within [0, 1], is symmetric, and 1 for equal runs", () => {
  const names = fc
    .array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 40 })
    .map((list) => behaviour(list.join(" ")));
  fc.assert(
    fc.property(names, names, (left, right) => {
      const there = similarity(left, right).composite;
      expect(there).toBeCloseTo(similarity(right, left).composite, 12);
      expect(there).toBeGreaterThanOrEqual(0);
      expect(there).toBeLessThanOrEqual(1 + 1e-12);
      expect(similarity(left, left).composite).toBeCloseTo(1, 12);
    }),
  );
});

it("weights that do not sum to 1 are refused", () => {
  expect(() => checkWeights({ toolJaccard: 0.5, sequenceLcs: 0.5, errorJaccard: 0.5 })).toThrow(/sum to 1/);
});

it("aligns what is common and leaves gaps for the rest", () => {
  const rows = alignSegments(["a", "b", "c"], ["a", "c", "d"])!;
  expect(rows.map(({ segment, side }) => `${segment}:${side}`)).toEqual(["a:both", "b:known", "c:both", "d:now"]);
});

describe("collapseLoops", () => {
  it.each([
    ["a a a", "a×n"],
    ["a b a b", "(a > b)×n"],
    ["x a b a b a b y", "x (a > b)×n y"],
    ["a a b a a b", "(a×n > b)×n"],
    ["a b c", "a b c"],
    ["", ""],
  ])("%j reads %j", (input, expected) => {
    expect(collapseLoops(input === "" ? [] : input.split(" ")).join(" ")).toBe(expected);
  });

  it("a loop that went round more often reads the same", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 30 }), fc.integer({ min: 2, max: 30 }), (left, right) => {
        const loop = (times: number) => [
          "start",
          ...Array.from({ length: times }, () => ["open", "edit"]).flat(),
          "end",
        ];
        expect(collapseLoops(loop(left))).toEqual(collapseLoops(loop(right)));
      }),
    );
  });
});

describe("buildFamilies", () => {
  const member = (text: string, runs = 1) => ({
    hash: fingerprintSegments(calls(text), "sequence").hash,
    segments: calls(text),
    errorPatterns: [],
    runs,
  });

  it("gathers loops and near misses, keeps strangers apart", () => {
    const families = buildFamilies([
      member("search read reply", 5),
      member("search search read reply"),
      member("search search search read reply"),
      member("search read note reply"),
      member("delete everything"),
    ]);
    expect(families.map((family) => [family.members.length, family.runs])).toEqual([
      [4, 8],
      [1, 1],
    ]);
    expect(families[0]!.id).toBe(member("search read reply").hash);
  });

  it("does not depend on the order of the input, and loses no behaviour", () => {
    const anyMember = fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(fc.uniqueArray(anyMember, { selector: (list) => list.join(" "), maxLength: 20 }), (lists) => {
        const members = lists.map((list, index) => member(list.join(" "), 1 + (index % 3)));
        const forwards = buildFamilies(members);
        expect(buildFamilies([...members].reverse())).toEqual(forwards);
        expect(forwards.flatMap((family) => family.members).sort()).toEqual(members.map((one) => one.hash).sort());
        expect(forwards.reduce((sum, family) => sum + family.runs, 0)).toBe(
          members.reduce((sum, one) => sum + one.runs, 0),
        );
      }),
    );
  });
});

it.each([
  [["LLM_CALL:m", "TOOL_CALL:a", "LLM_CALL:m", "TOOL_CALL:a", "LLM_CALL:m"], "a×n > reply"],
  [["LLM_CALL:m"], "reply"],
  [["TOOL_CALL:a"], "a"],
  [["OTHER:checkpoint"], "checkpoint"],
  [[], "(no steps)"],
  [["TOOL_CALL:"], "(no name)"],
])("the path of %j is %j", (segments, expected) => expect(behaviourPath(segments)).toBe(expected));
