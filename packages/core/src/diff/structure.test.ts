import { describe, expect, it } from "vitest";
import { type CallSpec, type TurnSpec, traceOf } from "../../test/build.ts";
import { diffTraces } from "./diff-traces.ts";
import { gateDiff } from "./gate-diff.ts";

const calling = (...calls: (string | CallSpec)[]): TurnSpec => ({ text: "Working on it.", calls });
const saying = (text: string): TurnSpec => ({ text });

describe("structure: what averages hide", () => {
  it("a call added in one of six turns is seen, though the medians say none", () => {
    const turns = Array.from({ length: 6 }, (_, index) => ({ ...calling("lookup"), text: `Step ${index}.` }));
    const candidate = turns.map((turn, index) => (index === 3 ? { ...turn, calls: ["lookup", "delete_user"] } : turn));
    const result = diffTraces(traceOf(turns), traceOf(candidate));
    expect(result.rows.filter((row) => row.statistic === "median" && row.delta !== 0)).toEqual([]);
    expect(result.structure).toMatchObject({ changed: 1, turns: 6, severity: "moderate", direction: "changed" });
    expect(gateDiff(result, "moderate").reasons.map((reason) => reason.subject)).toContain("structure");
    expect(result.verdict).toMatchObject({ code: "tool_new", tool: "delete_user" });
  });

  it.each([
    { name: "another argument value", change: { calls: [{ name: "pay", input: { to: "bob" } }] }, how: "calls" },
    { name: "another argument name", change: { calls: [{ name: "pay", input: { too: "alice" } }] }, how: "calls" },
    { name: "another end", change: { stop: "max_tokens" }, how: "stop_reason" },
    { name: "no call at all", change: { calls: [], stop: "tool_use" }, how: "calls" },
  ])("$name counts once", ({ change, how }) => {
    const turn: TurnSpec = { text: "Paying.", calls: [{ name: "pay", input: { to: "alice" } }] };
    const result = diffTraces(traceOf([turn]), traceOf([{ ...turn, ...change }]));
    expect(result.traces[0]!.changes).toEqual([{ baselineTurn: 0, candidateTurn: 0, change: how }]);
  });

  it("other words alone do not count", () => {
    const result = diffTraces(
      traceOf([saying("All is well.")]),
      traceOf([saying("Something entirely different happened.")]),
    );
    expect(result.structure.changed).toBe(0);
    expect(result.firstDivergence?.reason.code).toBe("text_changed");
    expect(result.verdict).toEqual({ code: "unchanged", turns: 1, reworded: 1 });
  });
});
