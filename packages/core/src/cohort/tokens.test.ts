import { expect, it } from "vitest";
import type { Json } from "../trace/json.ts";
import { callTokens, effectTokens } from "./tokens.ts";

const tokens = (args: Json) => {
  const calls = [{ name: "refund", args }];
  return effectTokens(calls, [0], callTokens(calls))[0];
};

it.each([
  {
    name: "a reason of four words",
    one: { id: 1, reason: "the box was broken" },
    other: { id: 1, reason: "it came in pieces" },
  },
  {
    name: "inside an object",
    one: { id: 1, note: { text: "a b c d" } },
    other: { id: 1, note: { text: "e f g h i" } },
  },
  { name: "inside a list", one: { tags: ["x", "one two three four"] }, other: { tags: ["x", "four three two one"] } },
  { name: "between other spaces", one: { note: "a\tb\nc  d" }, other: { note: "e f g h" } },
  { name: "arguments that are a text", one: "please send it back", other: "send it back please now" },
])("free text does not tell effects apart: $name", ({ one, other }) => {
  expect(tokens(one)).toBe(tokens(other));
  expect(callTokens([{ name: "refund", args: one }])).not.toEqual(callTokens([{ name: "refund", args: other }]));
});

it.each([
  { name: "three words", one: { reason: "no longer needed" }, other: { reason: "ordered by mistake" } },
  { name: "an amount beside free text", one: { amount: 1, why: "a b c d" }, other: { amount: 2, why: "a b c d" } },
  { name: "a number of items", one: { items: ["a", "b"] }, other: { items: ["a"] } },
  {
    name: "a nested id",
    one: { order: { id: "W1", note: "a b c d" } },
    other: { order: { id: "W2", note: "a b c d" } },
  },
])("everything else does: $name", ({ one, other }) => {
  expect(tokens(one)).not.toBe(tokens(other));
});
