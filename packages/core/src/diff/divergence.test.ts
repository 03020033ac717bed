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

describe("the kind of a divergence", () => {
  const words = Array.from({ length: 60 }, (_, index) => `word${index}`);
  const replaced = (amount: number) => words.map((word, index) => (index < amount ? `other${index}` : word)).join(" ");

  it.each([
    { name: "other calls", after: { calls: ["b"] }, kind: "structural" },
    { name: "another argument", after: { calls: [{ name: "a", input: { id: 2 } }] }, kind: "decision" },
    { name: "another end", after: { stop: "max_tokens" }, kind: "decision" },
    { name: "one word of sixty", after: { text: replaced(1) }, kind: "style" },
    { name: "twelve words of sixty", after: { text: replaced(12) }, kind: "style" },
    { name: "forty words of sixty", after: { text: replaced(40) }, kind: "decision" },
  ])("$name is $kind", ({ after, kind }) => {
    const turn: TurnSpec = { text: words.join(" "), calls: [{ name: "a", input: { id: 1 } }] };
    const result = diffTraces(traceOf([turn]), traceOf([{ ...turn, ...after }]));
    expect(result.firstDivergence?.kind).toBe(kind);
    expect(result.divergenceKinds).toEqual({ structural: 0, decision: 0, style: 0, [kind]: 1 });
  });

  it("white space alone is nothing", () => {
    const result = diffTraces(traceOf([{ text: "All is well." }]), traceOf([{ text: " All  is\nwell. " }]));
    expect(result.firstDivergence).toBeNull();
  });

  it("the same answer in other words is no change of behaviour, and pairs by position know no style", () => {
    const [before, after] = [traceOf([{ text: words.join(" ") }]), traceOf([{ text: replaced(2) }])];
    expect(diffTraces(before, after).verdict).toEqual({ code: "unchanged", turns: 1 });
    expect(diffTraces(before, after, { pairing: "index" }).divergenceKinds).toEqual({
      structural: 0,
      decision: 0,
      style: 0,
    });
  });
});

it("it begins where something else is done, not where it is worded otherwise", () => {
  const before = [{ text: "Let me see what I can do for you today." }, calling("look"), { text: "Done." }];
  const after = [{ text: "Quarterly figures exceed expectations!" }, calling("find"), { text: "Done." }];
  const result = diffTraces(traceOf(before), traceOf(after));
  expect(result.firstDivergence).toMatchObject({ baselineTurn: 1, candidateTurn: 1, kind: "structural" });
  expect(result.traces[0]!.rewordedBefore).toMatchObject({ baselineTurn: 0, reason: { code: "text_changed" } });
});
