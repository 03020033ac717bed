import { expect, it } from "vitest";
import { problemsOf, rule, standalone, traceOfRecords, turn, turnsOf } from "../../../test/policy.ts";

it.each<[string | string[], string[], number[]]>([
  ["read", ["read", "read"], []],
  ["read", ["read", "write"], [1]],
  [["read", "write"], ["read", "write", "delete"], [2]],
  ["read_*", ["read_file", "read_mail", "send_mail"], [2]],
  ["mcp:github/*", ["mcp__github__create_issue", "github.close_issue", "mcp__gitlab__create_issue"], [2]],
  ["*", ["anything"], []],
  ["read", [""], [0]],
])("only %j: %j breaks it at %j", (tools, calls, expected) => {
  const trace = traceOfRecords(...calls.map((name) => turn({ calls: [name] })));
  expect(turnsOf(rule("only_calls", { tools }), trace)).toEqual(expected);
});

it("sees calls recorded on their own", () => {
  expect(
    turnsOf(rule("only_calls", { tools: "read" }), traceOfRecords(turn({ text: "x" }), standalone("del"))),
  ).toEqual([0]);
});

it("needs at least one tool", () => {
  expect(problemsOf([rule("only_calls", { tools: [] })])).toHaveLength(1);
});
