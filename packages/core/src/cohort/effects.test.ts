import { expect, it } from "vitest";
import { isEffect, isEffectName } from "./effects.ts";

it.each([
  ["get_user", false],
  ["mcp__github__create_issue", true],
  ["mcp__github__list_issues", false],
  ["db.query", false],
  ["WebSearch", false],
  ["create_search", true],
  ["HTTPGet", true],
  ["", true],
  ["☃", true],
  ["__proto__", true],
])("a tool called %s may change the world: %s", (name, expected) => {
  expect(isEffectName(name)).toBe(expected);
});

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
