import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildTrace } from "./build-trace.ts";
import type { Trace, TraceSource } from "./trace.ts";
import { createKeyKeeper, nameTraces, spokenNames } from "./trace-name.ts";

interface Spec extends Partial<TraceSource> {
  readonly scenario?: string | number;
  readonly id?: string;
}

function trace({ scenario, id, ...source }: Spec): Trace {
  const meta = {
    ...(id === undefined ? {} : { trace_id: id }),
    ...(scenario === undefined ? {} : { scenario_id: scenario }),
  };
  return buildTrace([{ kind: "metadata", payload: {}, meta }], { source: { format: "agentlog", ...source } });
}

describe("one trace", () => {
  it.each<{ name: string; spec: Spec; key: string; called: string }>([
    {
      name: "a file",
      spec: { path: "./runs/ticket-1042.agentlog.gz" },
      key: "runs/ticket-1042.agentlog.gz",
      called: "ticket-1042",
    },
    { name: "a file on Windows", spec: { path: "runs\\a.log" }, key: "runs/a.log", called: "a" },
    {
      name: "an entry of a file",
      spec: { path: "all.json", entry: "thread 2" },
      key: "all.json#thread 2",
      called: "thread 2",
    },
    { name: "a task in a file", spec: { path: "x.json", scenario: "refund" }, key: "x.json", called: "refund" },
    {
      name: "a numbered task",
      spec: { path: "x.json", entry: "s[3]", scenario: 12 },
      key: "x.json#s[3]",
      called: "task 12",
    },
    { name: "standard input", spec: { path: "-" }, key: "-", called: "standard input" },
    { name: "memory with an id", spec: { id: "case-1#2" }, key: "case-1#2", called: "case-1#2" },
    { name: "memory without anything", spec: {}, key: "trace", called: "trace" },
    { name: "only an ending", spec: { path: "runs/.jsonl" }, key: "runs/.jsonl", called: ".jsonl" },
  ])("$name", ({ spec, key, called }) => {
    expect(trace(spec)).toMatchObject({ key, name: called });
  });

  it("a record's content id is shortened", () => {
    const built = buildTrace([{ kind: "metadata", payload: {}, id: `sha256:${"0123456789abcdef".repeat(4)}` }]);
    expect(built.name).toBe("01234567");
  });

  it("may be called by its name, task, entry, file, path, id or key", () => {
    expect(spokenNames(trace({ path: "r/x.json", entry: "e", scenario: "t", id: "i" }))).toEqual([
      "t",
      "e",
      "x",
      "r/x.json",
      "i",
      "r/x.json#e",
    ]);
  });
});

describe("traces looked at together", () => {
  it.each<{ name: string; specs: Spec[]; names: string[]; keys?: string[] }>([
    {
      name: "trials of a task in files of their own",
      specs: [
        { path: "a/run-1.json", scenario: "refund" },
        { path: "a/run-2.json", scenario: "refund" },
        { path: "a/o.json", scenario: "other" },
      ],
      names: ["refund (run-1)", "refund (run-2)", "other"],
    },
    {
      name: "trials in one file, called after their task",
      specs: [
        { path: "all.json", entry: "task 3, trial 0", scenario: 3 },
        { path: "all.json", entry: "task 3, trial 1", scenario: 3 },
      ],
      names: ["task 3, trial 0", "task 3, trial 1"],
    },
    {
      name: "files of one name in two folders",
      specs: [{ path: "a/run.json" }, { path: "b/run.json" }],
      names: ["a/run.json", "b/run.json"],
    },
    {
      name: "entries of one name in two files",
      specs: [
        { path: "a.json", entry: "e" },
        { path: "b.json", entry: "e" },
      ],
      names: ["a.json e", "b.json e"],
    },
    {
      name: "nothing that differs",
      specs: [
        { path: "a.json", entry: "e" },
        { path: "a.json", entry: "e" },
        { path: "a.json", entry: "e" },
      ],
      names: ["e", "e #2", "e #3"],
      keys: ["a.json#e", "a.json#e~2", "a.json#e~3"],
    },
    { name: "memory", specs: [{}, {}], names: ["trace", "trace #2"], keys: ["trace", "trace~2"] },
  ])("$name", ({ specs, names, keys }) => {
    const named = nameTraces(specs.map(trace));
    expect(named.map((one) => one.name)).toEqual(names);
    if (keys !== undefined) expect(named.map((one) => one.key)).toEqual(keys);
  });

  const specs = fc.array(
    fc.record(
      {
        path: fc.constantFrom("a.json", "b.json", "f/a.json", "-"),
        entry: fc.constantFrom("e", "1", "e #2", "task 1"),
        scenario: fc.constantFrom("1", "t", "a", "e"),
        id: fc.constantFrom("t", "u", "a~2"),
      },
      { requiredKeys: [] },
    ),
    { maxLength: 8 },
  );

  it("have keys and names of their own, and naming them again changes nothing", () => {
    fc.assert(
      fc.property(specs, (list) => {
        const named = nameTraces(list.map((spec) => trace(spec as Spec)));
        expect(new Set(named.map((one) => one.key)).size).toBe(list.length);
        expect(new Set(named.map((one) => one.name)).size).toBe(list.length);
        const again = nameTraces(named);
        expect(again.every((one, index) => one === named[index])).toBe(true);
      }),
    );
  });

  it("keep the same keys when they come one at a time", () => {
    fc.assert(
      fc.property(specs, (list) => {
        const traces = list.map((spec) => trace(spec as Spec));
        expect(traces.map(createKeyKeeper()).map((one) => one.key)).toEqual(nameTraces(traces).map((one) => one.key));
      }),
    );
  });
});
