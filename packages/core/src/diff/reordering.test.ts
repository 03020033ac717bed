import { expect, it } from "vitest";
import { type TurnSpec, traceOf } from "../../test/build.ts";
import { diffTraces } from "./diff-traces.ts";

const run = (...names: string[]): TurnSpec[] => names.map((name) => ({ calls: [{ name, input: { id: 1 } }] }));
const asks = (id: number) => ({ name: "ask", input: { id } });

it.each([
  {
    name: "over turns",
    before: run("a", "b", "c", "d"),
    after: run("a", "c", "b", "d"),
    moved: { tool: "c", before: "b" },
  },
  {
    name: "inside a turn",
    before: [{ calls: ["a", "b", "c"] }],
    after: [{ calls: ["a", "c", "b"] }],
    moved: { tool: "c", before: "b" },
  },
  {
    name: "of one tool's own calls",
    before: [{ calls: [asks(1)] }, { calls: [asks(2)] }],
    after: [{ calls: [asks(2)] }, { calls: [asks(1)] }],
    moved: undefined,
  },
  {
    name: "into another turn and to the front",
    before: run("check", "pay", "mail"),
    after: run("pay", "check", "mail"),
    moved: { tool: "pay", before: "check" },
  },
])("calls in another order $name are said to be reordered", ({ before, after, moved }) => {
  const { verdict, traces } = diffTraces(traceOf(before), traceOf(after));
  expect(verdict).toEqual({ code: "calls_reordered", ...moved, traces: 1, of: 1 });
  expect(traces[0]!.reordered).toEqual(moved === undefined ? {} : { moved });
});

it.each([
  { name: "nothing moved", before: run("a", "b"), after: run("a", "b") },
  { name: "a call is missing", before: run("a", "b", "c"), after: run("b", "a") },
  { name: "an argument changed as well", before: run("a", "b"), after: [{ calls: ["b"] }, ...run("a")] },
])("not when $name", ({ before, after }) => {
  expect(diffTraces(traceOf(before), traceOf(after)).traces[0]).not.toHaveProperty("reordered");
});
