import { describe, expect, it } from "vitest";
import { buildTrace } from "../trace/build-trace.ts";
import { scenarioByKey, scenarioId, scenarioOfPath } from "./scenario-id.ts";
import { parseScenarioPattern } from "./scenario-pattern.ts";

const traceOf = (metadata: Record<string, never | string | number | object>, path?: string) =>
  buildTrace([{ kind: "metadata", payload: metadata as never }], {
    source: { format: "test", ...(path === undefined ? {} : { path }) },
  });

it.each([
  ["refund.trial2.jsonl", "refund"],
  ["runs/refund.run12.json.gz", "refund"],
  ["refund-3.agentlog", "refund"],
  ["C:\\runs\\refund.json", "refund"],
  ["gpt4o-refined.trial1.json.gz", "gpt4o-refined"],
  ["ticket-1042.agentlog", "ticket-1042"],
  ["refund.trial2", "refund"],
  ["-", undefined],
])("the file %s holds runs of %s", (path, expected) => {
  expect(scenarioOfPath(path)).toBe(expected);
});

describe("scenarioId", () => {
  it.each([
    { name: "the scenario of the metadata", metadata: { scenario: "a", case: "c" }, expected: "a" },
    { name: "a task number", metadata: { task_id: 7 }, expected: "7" },
    { name: "the eval case", metadata: { eval_case: "e" }, expected: "e" },
    { name: "else the file name", metadata: {}, expected: "file" },
  ])("takes $name", ({ metadata, expected }) => {
    expect(scenarioId(traceOf(metadata, "runs/file-2.json"))).toBe(expected);
  });
});

it("reads any metadata key by its path, also under labels and tags", () => {
  const trace = traceOf({ customer: { id: "c1" }, labels: { suite: "s1" } });
  expect(scenarioByKey(trace, "customer.id")).toBe("c1");
  expect(scenarioByKey(trace, "suite")).toBe("s1");
  expect(scenarioByKey(trace, "constructor")).toBeUndefined();
});

describe("parseScenarioPattern", () => {
  it("gives the first group, else the whole match", () => {
    expect(parseScenarioPattern("(t\\d+)-run")("runs/t12-run3.json")).toBe("t12");
    expect(parseScenarioPattern("t\\d+")("runs/t12-run3.json")).toBe("t12");
    expect(parseScenarioPattern("x\\d+")("runs/t12-run3.json")).toBeUndefined();
  });

  it("refuses what the linear engine cannot run", () => {
    expect(() => parseScenarioPattern("(?<=a)b")).toThrow(
      expect.objectContaining({ code: "cohort.bad-scenario-pattern" }),
    );
  });
});
