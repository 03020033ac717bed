import { describe, expect, it } from "vitest";
import { recordsOf } from "../../test/build.ts";
import { buildDiffReport } from "../diff/build-diff-report.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { Trace } from "../trace/trace.ts";
import { buildCards } from "./build-cards.ts";

const tool = { name: "spoor", version: "0" } as const;

/** A run of some calls: `"pay:40"` calls pay with an amount. */
function run(name: string, calls: readonly string[]): Trace {
  const turns = calls.map((call) => {
    const [called, amount] = call.split(":");
    return { calls: [{ name: called!, input: amount === undefined ? {} : { refund: { amount: Number(amount) } } }] };
  });
  const records = recordsOf([{ user: name, text: "I begin." }, ...turns, { text: "Done." }]);
  return buildTrace(records, { source: { format: "agentlog", path: name } });
}

function cards(baseline: Record<string, string[]>, candidate: Record<string, string[]>) {
  const side = (runs: Record<string, string[]>) => Object.entries(runs).map(([name, calls]) => run(name, calls));
  const diff = buildDiffReport(side(baseline), side(candidate), { tool, inputs: [], failOn: "none", gateOn: [] });
  return buildCards({ diff }, [], () => undefined).map(({ change, runs }) => [change, runs.map(({ key }) => key)]);
}

describe("cards", () => {
  it("hold runs that drop and add the same tools, whatever else differs", () => {
    expect(
      cards(
        { a: ["find", "ask", "pay:40"], b: ["find", "ask", "pay:7"], c: ["find"] },
        { a: ["find", "pay:89"], b: ["find", "pay:7"], c: ["find"] },
      ),
    ).toEqual([[{ code: "calls", dropped: ["ask"], added: [] }, ["a", "b"]]]);
  });

  it("keep apart what is another change", () => {
    expect(cards({ a: ["x", "y"], b: ["pay:1"], c: ["x"] }, { a: ["y", "x"], b: ["pay:2"], c: ["x", "x"] })).toEqual([
      [{ code: "order" }, ["a"]],
      [{ code: "arguments", arguments: [{ tool: "pay", path: "refund.amount" }] }, ["b"]],
      [{ code: "calls", dropped: [], added: ["x"] }, ["c"]],
    ]);
  });

  it("put the change of more runs first, and say nothing of what stayed", () => {
    expect(cards({ a: ["x"], b: ["x"], c: ["x"], d: ["x"] }, { a: ["y"], b: ["x"], c: [], d: [] })).toEqual([
      [{ code: "calls", dropped: ["x"], added: [] }, ["c", "d"]],
      [{ code: "calls", dropped: ["x"], added: ["y"] }, ["a"]],
    ]);
    expect(cards({ a: ["x"] }, { a: ["x"] })).toEqual([]);
  });

  it("name a run that the baseline has none of", () => {
    expect(cards({ a: ["x"] }, { a: ["x"], b: ["y"] })).toEqual([[{ code: "new_run" }, ["b"]]]);
  });
});
