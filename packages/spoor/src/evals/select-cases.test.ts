import { parseYaml } from "@spoor/core/internal/read/parse-yaml";
import { describe, expect, it } from "vitest";
import type { EvalSuite } from "./eval-suite.ts";
import { parseEvalFile } from "./parse-eval-file.ts";
import { type CaseChoice, selectCases } from "./select-cases.ts";

function suite(text: string, file = "f.yaml"): EvalSuite {
  const { suite, problems } = parseEvalFile(parseYaml(text, file), {
    findFile: () => undefined,
    resolvePath: (path) => path,
  });
  expect(problems.errors).toEqual([]);
  return suite;
}

const numbered = (count: number, file?: string) =>
  suite(`cases:\n${Array.from({ length: count }, (_, n) => `  - {id: c${n}, input: q}`).join("\n")}`, file);
const idsOf = (suites: EvalSuite[], choice: CaseChoice) => [...selectCases(suites, choice).cases].map(({ id }) => id);

describe("tags", () => {
  const tagged = suite(`
tags: [all]
cases:
  - {id: a, input: q, tags: [smoke, refunds]}
  - {id: b, input: q, tags: smoke}
  - {id: c, input: q, tags: {area: refunds, slow: true}}
  - {id: d, input: q}
`);
  it.each([
    [["smoke"], ["a", "b"]],
    [
      ["smoke", "area:refunds"],
      ["a", "b", "c"],
    ],
    [["smoke,slow"], ["a", "b", "c"]],
    [["!smoke"], ["c", "d"]],
    [["smoke", "!refunds"], ["b"]],
    [["all"], ["a", "b", "c", "d"]],
    [["area:*"], ["c"]],
    [["nothing"], []],
  ])("%j choose %j", (tags, expected) => {
    expect(idsOf([tagged], { tags })).toEqual(expected);
  });
});

describe("skip and only", () => {
  it("leave cases out and say which and why", () => {
    const one = suite(
      "cases:\n  - {id: a, input: q, skip: waits for the new tool}\n  - {id: b, input: q}\n  - {id: c, input: q, skip: true}\n  - {id: d, input: q, skip: false}",
    );
    const { cases, selection } = selectCases([one], {});
    expect([...cases].map(({ id }) => id)).toEqual(["b", "d"]);
    expect(selection).toEqual({
      of: 4,
      chosen: 2,
      skipped: [{ id: "a", why: "waits for the new tool" }, { id: "c" }],
      only: [],
    });
  });

  it("only holds for all files, with its place, and never for a case that is skipped", () => {
    const other = suite(
      "cases:\n  - {id: x, input: q}\n  - {id: y, input: q, only: true}\n  - {id: z, input: q, only: true, skip: true}",
      "g.yaml",
    );
    const { cases, selection } = selectCases([numbered(3), other], {});
    expect([...cases].map(({ id }) => id)).toEqual(["y"]);
    expect(selection!.only).toEqual([{ id: "y", file: "g.yaml", line: 3 }]);
  });

  it("nothing is said where nothing is left out", () => {
    expect(selectCases([numbered(3)], { filter: "*" })).not.toHaveProperty("selection");
  });
});

describe("samples", () => {
  it("have the size that was asked, in the order of the file, and are the same for the same seed", () => {
    const first = idsOf([numbered(100)], { sample: 10, seed: 1 });
    expect(first).toHaveLength(10);
    expect(first).toEqual([...first].sort((left, right) => Number(left.slice(1)) - Number(right.slice(1))));
    expect(idsOf([numbered(100)], { sample: 10, seed: 1 })).toEqual(first);
    expect(idsOf([numbered(100)], { sample: 10, seed: 2 })).not.toEqual(first);
    expect(idsOf([numbered(5)], { sample: 10, seed: 1 })).toHaveLength(5);
  });

  it("change by one case at most when one is added to the file", () => {
    const before = new Set(idsOf([numbered(100)], { sample: 20, seed: 3 }));
    const after = idsOf([numbered(101)], { sample: 20, seed: 3 });
    expect(after.filter((id) => !before.has(id)).length).toBeLessThanOrEqual(1);
  });

  it("take every case about equally often", () => {
    const times = new Map<string, number>();
    for (let seed = 0; seed < 400; seed++)
      for (const id of idsOf([numbered(10)], { sample: 3, seed })) times.set(id, (times.get(id) ?? 0) + 1);
    // 120 each is expected, the standard deviation is about 9: five of them either way.
    for (const count of times.values()) expect(Math.abs(count - 120)).toBeLessThan(46);
  });
});

describe("shards", () => {
  it.each([1, 2, 3, 5, 7, 23])("%i of them are disjoint, complete and equally long", (of) => {
    const suites = [numbered(11, "a.yaml"), numbered(12, "b.yaml")];
    const parts = Array.from({ length: of }, (_, index) => [
      ...selectCases(suites, { filter: "*", shard: { index: index + 1, of } }).cases,
    ]);
    expect(parts.flat()).toHaveLength(23);
    expect(new Set(parts.flat()).size).toBe(23);
    const lengths = parts.map((part) => part.length);
    expect(Math.max(...lengths) - Math.min(...lengths)).toBeLessThanOrEqual(1);
  });

  it("are shards of the sample", () => {
    const sample = idsOf([numbered(50)], { sample: 9, seed: 4 });
    const parts = [1, 2].flatMap((index) => idsOf([numbered(50)], { sample: 9, seed: 4, shard: { index, of: 2 } }));
    expect(parts.sort()).toEqual([...sample].sort());
  });
});
