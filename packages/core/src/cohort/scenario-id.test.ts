import { describe, expect, it } from "vitest";
import { buildTrace } from "../trace/build-trace.ts";
import type { Trace } from "../trace/trace.ts";
import { scenarioReader } from "./scenario-id.ts";

const trace = (path: string, metadata = {}): Trace =>
  buildTrace([{ kind: "metadata", payload: metadata }], { source: { format: "agentlog", path } });
const side = (folder: string, names: readonly string[]) => names.map((name) => trace(`${folder}/${name}.agentlog`));
const numbered = (amount: number) => Array.from({ length: amount }, (_, index) => `task-${index + 1}`);

describe("numbers at the end of file names", () => {
  it("count tasks when both sides have the same many names", () => {
    const [baseline, candidate] = [side("a", numbered(6)), side("b", numbered(6))];
    expect(candidate.map(scenarioReader(baseline, candidate))).toEqual(numbered(6));
  });

  it.each([
    { name: "few names", baseline: numbered(5), candidate: numbered(5), expected: "task" },
    {
      name: "several stems",
      baseline: ["a-1", "a-2", "b-1", "b-2", "c-1", "c-2"],
      candidate: ["a-1", "a-2", "b-1", "b-2", "c-1", "c-2"],
      expected: "a",
    },
    { name: "marked trials", baseline: ["t.trial1", "t.trial2"], candidate: ["t.trial1", "t.trial2"], expected: "t" },
  ])("count repeats otherwise: $name", ({ baseline, candidate, expected }) => {
    const sides = [side("a", baseline), side("b", candidate)] as const;
    expect(scenarioReader(...sides)(sides[1][0]!)).toBe(expected);
  });

  it("do not matter when the metadata names the task", () => {
    const named = numbered(6).map((name) => trace(`a/${name}.agentlog`, { scenario: "refund" }));
    expect(scenarioReader(named, named)(named[0]!)).toBe("refund");
  });
});
