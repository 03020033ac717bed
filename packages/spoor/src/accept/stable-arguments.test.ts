import { describe, expect, it } from "vitest";
import { stableArguments } from "./stable-arguments.ts";

describe("what calls of several runs have in common", () => {
  it.each([
    ["one run: all of it", [{ id: "A", n: 1 }], { id: "A", n: 1 }],
    [
      "what varies goes",
      [
        { id: "A", at: 1 },
        { id: "A", at: 2 },
      ],
      { id: "A" },
    ],
    [
      "below as well",
      [
        { refund: { amount: 40, ref: "x" }, to: "a" },
        { refund: { amount: 40, ref: "y" }, to: "b" },
      ],
      { refund: { amount: 40 } },
    ],
    ["a key that one lacks goes", [{ a: 1, b: 2 }, { a: 1 }], { a: 1 }],
    ["lists agree whole or not", [{ l: [1, { x: 1 }] }, { l: [1, { x: 2 }] }], undefined],
    ["arguments as text are read", ['{"a":1,"b":2}', { a: 1, b: 3 }], { a: 1 }],
    ["1 is not the text 1", [{ a: 1 }, { a: "1" }], undefined],
    ["no arguments by name", ["free text"], undefined],
    [
      "an empty mapping that all have stays",
      [
        { a: {}, b: 1 },
        { a: {}, b: 2 },
      ],
      { a: {} },
    ],
    ["keys like questions are taken literally", [{ q: { $regex: "x" } }], { q: { $literal: { $regex: "x" } } }],
  ])("%s", (_name, inputs, expected) => {
    expect(stableArguments(inputs)).toEqual(expected);
  });
});
