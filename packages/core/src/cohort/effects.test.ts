import { expect, it } from "vitest";
import { isEffect } from "./effects.ts";

it.each([
  { name: "a failed call changed nothing", call: { name: "refund", error: true }, expected: false },
  { name: "an explicit flag beats the name", call: { name: "refund", effect: false }, expected: false },
  { name: "an explicit flag makes a reader an effect", call: { name: "get_user", effect: true }, expected: true },
  {
    name: "but a failed call stays without effect",
    call: { name: "get_user", effect: true, error: true },
    expected: false,
  },
])("$name", ({ call, expected }) => {
  expect(isEffect(call)).toBe(expected);
});
