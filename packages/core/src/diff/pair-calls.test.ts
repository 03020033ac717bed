import { describe, expect, it } from "vitest";
import { createRandom } from "../stats/random.ts";
import { type Json, jsonEqual } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";
import { type CallPair, pairCalls } from "./pair-calls.ts";

describe("calls of two turns", () => {
  it.each([
    { name: "the same order", left: ["a 1", "b 2"], right: ["a 1", "b 2"], pairs: ["a 1 = a 1", "b 2 = b 2"] },
    { name: "another order", left: ["a 1", "a 2"], right: ["a 2", "a 1"], pairs: ["a 1 = a 1", "a 2 = a 2"] },
    { name: "other arguments", left: ["a 1", "a 2"], right: ["a 3", "a 4"], pairs: ["a 1 = a 3", "a 2 = a 4"] },
    {
      name: "equal ones before others",
      left: ["a 9", "a 1"],
      right: ["a 1", "a 2"],
      pairs: ["a 9 = a 2", "a 1 = a 1"],
    },
    { name: "other tools", left: ["a 1"], right: ["b 1"], pairs: ["a 1 =", "= b 1"] },
    { name: "one call more", left: ["a 1"], right: ["a 1", "a 1"], pairs: ["a 1 = a 1", "= a 1"] },
  ])("$name", ({ left, right, pairs }) => {
    expect(pairCalls(left.map(call), right.map(call)).map(written)).toEqual(pairs);
  });

  it("takes 1 and 1n for one number, and no arguments for no others", () => {
    const [whole, big, none] = [of("a", { n: 1 }), of("a", { n: 1n }), of("a", undefined)];
    expect(pairCalls([none, whole], [big, none])).toEqual([
      { one: none, other: none },
      { one: whole, other: big },
    ]);
  });

  it("pairs like one who compares every call with every other", () => {
    const random = createRandom(7);
    const some = () =>
      Array.from({ length: random.below(9) }, () => call(`${"ab"[random.below(2)]} ${random.below(3)}`));
    for (let round = 0; round < 500; round++) {
      const [left, right] = [some(), some()];
      expect(pairCalls(left, right).map(written)).toEqual(plainly(left, right).map(written));
    }
  });

  it("pairs tens of thousands of calls in reverse order", () => {
    const calls = Array.from({ length: 50_000 }, (_, index) => call(`a ${index}`));
    const pairs = pairCalls(calls, calls.toReversed());
    expect(pairs.every(({ one, other }) => one === other)).toBe(true);
    expect(pairs).toHaveLength(50_000);
  });
});

/** The definition: the first that fits among those that are left. */
function plainly(left: readonly ToolCall[], right: readonly ToolCall[]): CallPair[] {
  const waiting = [...right];
  const take = (fits: (call: ToolCall) => boolean) => {
    const at = waiting.findIndex(fits);
    return at < 0 ? undefined : waiting.splice(at, 1)[0];
  };
  const equal = left.map((one) => take(({ name, input }) => name === one.name && jsonEqual(input, one.input)));
  const pairs = left.map((one, index): CallPair => {
    const other = equal[index] ?? take(({ name }) => name === one.name);
    return other === undefined ? { one } : { one, other };
  });
  return [...pairs, ...waiting.map((other) => ({ other }))];
}

function call(words: string): ToolCall {
  const [name, value] = words.split(" ") as [string, string];
  return of(name, { value });
}

function of(name: string, input: Json | undefined): ToolCall {
  return { name, status: "ok", turnIndex: 0, position: 0, ...(input === undefined ? {} : { input }) };
}

function written({ one, other }: CallPair): string {
  const words = (each: ToolCall | undefined) =>
    each === undefined ? "" : `${each.name} ${(each.input as { value: string }).value}`;
  return `${words(one)} = ${words(other)}`.trim();
}
