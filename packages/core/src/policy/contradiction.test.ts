import { expect, it } from "vitest";
import { problemsOf, rule } from "../../test/policy.ts";
import type { Json } from "../trace/json.ts";

const problems = (...conditions: [string, string, Json][]) =>
  problemsOf([rule("no_call", { tool: "a", args: conditions.map(([path, op, value]) => ({ path, op, value })) })]);

it.each<[string, [string, string, Json][]]>([
  [
    "an empty interval",
    [
      ["n", ">", 100],
      ["n", "<", 50],
    ],
  ],
  [
    "a number that has a length",
    [
      ["n", ">", 5],
      ["n", "longer_than", 2],
    ],
  ],
  [
    "a number that matches a pattern",
    [
      ["n", ">=", 5],
      ["n", "matches_pattern", "^9"],
    ],
  ],
  [
    "a number and a date",
    [
      ["n", ">", 5],
      ["n", "<", "2026-01-01"],
    ],
  ],
  [
    "no whole length between",
    [
      ["n", "longer_than", 5],
      ["n", "shorter_than", 6],
    ],
  ],
  [
    "a text that is in it and is not",
    [
      ["n", "contains", "x"],
      ["n", "not_contains", "x"],
    ],
  ],
  [
    "three that leave nothing",
    [
      ["n", "in", [1, 2]],
      ["n", "!=", 1],
      ["n", "!=", 2],
    ],
  ],
  [
    "a number with members",
    [
      ["n", ">", 5],
      ["n.amount", "==", 3],
    ],
  ],
  [
    "a text with members",
    [
      ["n.a.b", "!=", null],
      ["n", "matches_pattern", "x"],
    ],
  ],
])("%s is refused", (_name, conditions) => {
  expect(problems(...conditions)).toHaveLength(1);
});

it.each<[string, [string, string, Json][]]>([
  [
    "an interval",
    [
      ["n", ">", 50],
      ["n", "<", 100],
    ],
  ],
  [
    "two values of a list",
    [
      ["n.*", ">", 100],
      ["n.*", "<", 50],
    ],
  ],
  [
    "a length between",
    [
      ["n", "longer_than", 5],
      ["n", "shorter_than", 7],
    ],
  ],
  [
    "two words",
    [
      ["n", "contains", "x"],
      ["n", "not_contains", "y"],
    ],
  ],
  [
    "one value left",
    [
      ["n", "in", [1, 2]],
      ["n", "!=", 1],
    ],
  ],
  [
    "a mapping and its member",
    [
      ["n", "!=", null],
      ["n.amount", "==", 3],
    ],
  ],
  [
    "a list and its element",
    [
      ["n", "longer_than", 1],
      ["n.0", "==", 3],
    ],
  ],
  [
    "paths that only look alike",
    [
      ["name", ">", 5],
      ["names.first", "==", "x"],
    ],
  ],
])("%s is not", (_name, conditions) => {
  expect(problems(...conditions)).toEqual([]);
});
