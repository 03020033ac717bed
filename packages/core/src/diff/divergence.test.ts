import { describe, expect, it } from "vitest";
import { type CallSpec, type TurnSpec, traceOf } from "../../test/build.ts";
import { diffTraces } from "./diff-traces.ts";

const calling = (...calls: (string | CallSpec)[]): TurnSpec => ({ text: "Working on it.", calls });

describe("changes that the cost of a turn does not weigh", () => {
  it.each([
    {
      name: "a later call of the same tool",
      before: [
        { name: "get", input: { id: 1 } },
        { name: "get", input: { id: 2 } },
      ],
      after: [
        { name: "get", input: { id: 1 } },
        { name: "get", input: { id: 3 } },
      ],
      reason: { code: "argument_changed", tool: "get", key: "id", baseline: 2, candidate: 3 },
    },
    {
      name: "the order inside a turn",
      before: [
        { name: "a", input: {} },
        { name: "b", input: {} },
      ],
      after: [
        { name: "b", input: {} },
        { name: "a", input: {} },
      ],
      reason: { code: "calls_reordered" },
    },
  ])("$name is a divergence of its own", ({ before, after, reason }) => {
    const result = diffTraces(traceOf([calling(...before)]), traceOf([calling(...after)]));
    expect(result.firstDivergence).toMatchObject({ reason });
  });

  it("argument changes carry their path, deep inside lists", () => {
    const order = (sku: string) => ({ name: "buy", input: { cart: { items: [{ sku: "A" }, { sku }] }, note: "n" } });
    const result = diffTraces(traceOf([calling(order("B"))]), traceOf([calling(order("C"))]));
    expect(result.firstDivergence?.calls?.arguments).toEqual([
      { tool: "buy", baselineCall: 0, candidateCall: 0, path: "cart.items[1].sku", baseline: "B", candidate: "C" },
    ]);
  });
});
