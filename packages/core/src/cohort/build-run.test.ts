import { describe, expect, it } from "vitest";
import { recordsOf, traceOf } from "../../test/build.ts";
import { buildTrace } from "../trace/build-trace.ts";
import { buildRun } from "./build-run.ts";
import { compareTraceCohorts, isCohort } from "./compare-trace-cohorts.ts";

const trace = traceOf(
  [
    {
      text: "Let me look.",
      calls: [
        { name: "get_order", input: { id: 1 }, output: "ok" },
        { name: "refund", input: {}, failed: true },
      ],
      usage: { output_tokens: 20 },
      latencyMs: 100,
    },
    { text: "Done.", usage: { output_tokens: 5 }, latencyMs: 50 },
  ],
  { task_id: "t1" },
);

it("keeps what the lens looks at", () => {
  expect(buildRun(trace, "candidate")).toMatchObject({
    scenario: "t1",
    side: "candidate",
    calls: [
      { name: "get_order", args: { id: 1 } },
      { name: "refund", error: true },
    ],
    turns: 2,
    texts: ["Let me look.", "Done."],
    stop: "end_turn",
    maxParallel: 2,
    outputTokens: 25,
    origin: { responseMs: 150 },
  });
});

it("leaves out what the source did not record", () => {
  const run = buildRun(traceOf([{ text: "Hi." }]), "baseline");
  expect(run).not.toHaveProperty("outputTokens");
  expect(run.origin).not.toHaveProperty("responseMs");
  expect(run.origin).not.toHaveProperty("startedAt");
});

describe("why a run ended", () => {
  it("is the source's own word before the last response's", () => {
    const ended = traceOf([{ text: "Bye." }], { labels: { termination_reason: "user_stop" } });
    expect(buildRun(ended, "baseline").stop).toBe("user_stop");
  });

  it("is tool_use when nothing is recorded and the last response still called a tool", () => {
    const records = recordsOf([{ calls: ["f"] }]).map((record) =>
      record.kind === "chat_response"
        ? { ...record, payload: { content: (record.payload as { content: never }).content } }
        : record,
    );
    expect(buildRun(buildTrace(records), "baseline").stop).toBe("tool_use");
  });

  it("is absent when there is no response", () => {
    expect(buildRun(buildTrace([{ kind: "metadata", payload: {} }]), "baseline")).toMatchObject({
      turns: 0,
      calls: [],
    });
    expect(buildRun(buildTrace([{ kind: "metadata", payload: {} }]), "baseline")).not.toHaveProperty("stop");
  });
});

describe("effects declared by the trace", () => {
  it.each([
    {
      name: "an eval's permissions",
      metadata: { tool_permission: { refund: "Read", get_order: "Write" } },
      expected: [true, false],
    },
    { name: "nothing", metadata: {}, expected: [undefined, undefined] },
  ])("$name", ({ metadata, expected }) => {
    const run = buildRun(traceOf([{ calls: ["get_order", "refund"] }], metadata), "baseline");
    expect(run.calls.map(({ effect }) => effect)).toEqual(expected);
  });

  it("MCP's readOnlyHint in the tool list", () => {
    const records = recordsOf([{ calls: ["refund"] }]).map((record) =>
      record.kind === "chat_request"
        ? {
            ...record,
            payload: {
              ...(record.payload as object),
              tools: [{ name: "refund", annotations: { readOnlyHint: true } }],
            } as never,
          }
        : record,
    );
    expect(buildRun(buildTrace(records), "baseline").calls[0]!.effect).toBe(false);
  });

  it("the configuration beats both", () => {
    const declared = traceOf([{ calls: ["refund"] }], { tool_permission: { refund: "Read" } });
    expect(buildRun(declared, "baseline", { effects: new Set(["refund"]) }).calls[0]!.effect).toBe(true);
  });
});

describe("traces that are already there", () => {
  const named = (task: string) => traceOf([{ text: "ok", calls: ["f"] }], { task_id: task });
  const tasks = (count: number) => Array.from({ length: count }, (_, index) => named(`t${index}`));

  it("are a cohort with six scenarios in common or with repeats", () => {
    expect(isCohort(tasks(6), tasks(6))).toBe(true);
    expect(isCohort(tasks(5), tasks(5))).toBe(false);
    expect(isCohort([...tasks(1), ...tasks(1)], tasks(1))).toBe(true);
    expect(isCohort([named("x"), named("x")], [named("y")])).toBe(false);
  });

  it("are compared as such", () => {
    expect(compareTraceCohorts(tasks(14), tasks(14)).verdict).toBe("unchanged");
  });
});
