import { describe, expect, it } from "vitest";
import { buildTrace } from "../trace/build-trace.ts";
import type { Trace } from "../trace/trace.ts";
import { buildRun } from "./build-run.ts";
import { tellTasksApart } from "./scenario-id.ts";

const trace = (path: string, metadata = {}): Trace =>
  buildTrace([{ kind: "metadata", payload: metadata }], { source: { format: "agentlog", path } });
const side = (folder: string, names: readonly string[]) => names.map((name) => trace(`${folder}/${name}.agentlog`));
/** The scenarios of the candidate's runs. */
const scenariosOf = (baseline: readonly Trace[], candidate: readonly Trace[]) =>
  tellTasksApart([
    ...baseline.map((one) => buildRun(one, "baseline")),
    ...candidate.map((one) => buildRun(one, "candidate")),
  ]).flatMap((one) => (one.side === "candidate" ? [one.scenario] : []));
const numbered = (amount: number) => Array.from({ length: amount }, (_, index) => `task-${index + 1}`);

describe("numbers at the end of file names", () => {
  it("count tasks when both sides have the same many names", () => {
    const [baseline, candidate] = [side("a", numbered(6)), side("b", numbered(6))];
    expect(scenariosOf(baseline, candidate)).toEqual(numbered(6));
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
    expect(scenariosOf(side("a", baseline), side("b", candidate))[0]).toBe(expected);
  });

  it("do not matter when the metadata names the task", () => {
    const named = numbered(6).map((name) => trace(`a/${name}.agentlog`, { scenario: "refund" }));
    expect(scenariosOf(named, named)[0]).toBe("refund");
  });
});
