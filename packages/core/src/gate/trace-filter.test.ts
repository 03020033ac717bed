import fc from "fast-check";
import { expect, it } from "vitest";
import type { TraceView } from "./comparison-view.ts";
import { facets, filterTraces, parseTraceFilter, writeTraceFilter } from "./trace-filter.ts";

const trace = (name: string, facts: Partial<TraceView>): TraceView => ({
  key: name,
  name,
  outcome: "same",
  damage: 0,
  changes: 0,
  omitted: 0,
  rows: [],
  ...facts,
});

const traces = [
  trace("a", { outcome: "blocks", damage: 9, card: 1, tools: ["pay"], rules: ["ask"], path: "new" }),
  trace("b", { outcome: "changed", damage: 20, card: 2, kind: "arguments", tools: ["pay", "look"], task: "t" }),
  trace("c", { task: "t" }),
];

const lists = [{ facet: "now" as const, value: "4", says: "look → pay", traces: [0, 2] }];

it.each([
  ["", ["a", "b", "c"]],
  ["outcome:blocks", ["a"]],
  // Any of one facet, all of several.
  ["outcome:blocks,outcome:changed", ["a", "b"]],
  ["tool:pay,outcome:changed", ["b"]],
  ["rule:ask", ["a"]],
  ["card:2", ["b"]],
  ["path:new", ["a"]],
  ["kind:arguments,rule:ask", []],
  // A trace without repeats is its own scenario.
  ["task:t", ["b", "c"]],
  ["task:a", ["a"]],
  ["now:4", ["a", "c"]],
  ["now:4,outcome:same", ["c"]],
  ["now:5", []],
  ["sort:damage", ["b", "a", "c"]],
  // What nobody knows filters nothing.
  ["colour:red,sort:sideways,:,", ["a", "b", "c"]],
])("%s lists %j", (text, expected) => {
  expect(filterTraces({ traces, lists }, parseTraceFilter(text)).map((at) => traces[at]!.name)).toEqual(expected);
});

it("whatever a tool is called, its token is read back", () => {
  const token = fc.record({ facet: fc.constantFrom(...facets), value: fc.string({ minLength: 1 }) });
  fc.assert(
    fc.property(fc.array(token), fc.constantFrom("damage" as const, "order" as const), (tokens, sort) => {
      expect(parseTraceFilter(writeTraceFilter({ tokens, sort }))).toEqual({ tokens, sort });
    }),
  );
});
