import { expect, it } from "vitest";
import { parseRunFilter, writeRunFilter } from "./run-filter.ts";

it.each([
  ["", { failed: false, tool: "", task: "" }],
  ["failed", { failed: true, tool: "", task: "" }],
  ["failed,tool:a%2Cb,task:ticket:7", { failed: true, tool: "a,b", task: "ticket:7" }],
])("%j is read as it is written", (only, filter) => {
  expect(parseRunFilter(only)).toEqual(filter);
  expect(writeRunFilter(filter)).toBe(only);
});

it("what it does not know changes nothing", () => {
  expect(parseRunFilter("calls,colour:red,sort:damage")).toEqual({ failed: false, tool: "", task: "" });
});
