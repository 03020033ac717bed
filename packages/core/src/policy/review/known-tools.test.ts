import { expect, it } from "vitest";
import { policyOf, rule, traceOfRecords, turn } from "../../../test/policy.ts";
import type { Json } from "../../trace/json.ts";
import { collectTools, definitionsIn } from "./known-tools.ts";
import { reviewPolicy } from "./review-policy.ts";

const offer = (...tools: Json[]) => ({ tools, messages: [{ role: "user", content: "x" }] });
const schema = { type: "object", properties: { amount: { type: "number" } } };

const trace = traceOfRecords(
  turn({
    request: offer({ name: "refund_order", input_schema: schema }, { name: "look_up" }),
    calls: ["refund_order"],
  }),
  turn({ request: offer({ name: "refund_order", input_schema: schema }), calls: ["old_tool"], agent: "researcher" }),
);

it("takes the tools that requests offer, once each, and those that were only called", () => {
  const { tools, listed, agents } = collectTools({ traces: [trace] })!;
  expect([...tools].map(([name, { schemas, open }]) => [name, schemas.length, open])).toEqual([
    ["refund_order", 1, false],
    ["look_up", 0, true],
    ["old_tool", 0, true],
  ]);
  expect([listed, agents]).toEqual([true, ["main", "researcher"]]);
});

it.each<[string, Json, number | undefined]>([
  ["an answer to tools/list", { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "a", inputSchema: {} }] } }, 1],
  ["what the guard remembers", { target: "npx x", tools: [{ name: "a" }, { name: "b" }] }, 2],
  ["definitions of a model API", [{ type: "function", function: { name: "a" } }], 1],
  ["declarations in groups", { tools: [{ functionDeclarations: [{ name: "a" }, { name: "b" }] }] }, 2],
  ["names", ["a", "b", "c"], 3],
  ["something else", { rules: [] }, undefined],
  ["a list of something else", [{ kind: "chat_request" }], undefined],
])("reads %s", (_name, value, expected) => {
  expect(definitionsIn(value)?.length).toBe(expected);
});

it.each([
  ["an agent misspelt", rule("max_turns", { limit: 9 }, { agent: "reseacher" }), ["error unknown_agent"]],
  ["an agent that never acts", rule("max_turns", { limit: 9 }, { agent: "planner" }), ["warning unknown_agent"]],
  ["agents that act", rule("max_turns", { limit: 9 }, { agent: ["main", "researcher"] }), []],
  [
    "a path near another",
    rule("max_turns", { limit: 9 }, { when: [{ path: "request.mesages.0.role", op: "==", value: "user" }] }),
    ["warning unknown_path"],
  ],
  [
    "a path of another day",
    rule("max_turns", { limit: 9 }, { when: [{ path: "request.metadata.plan", op: "==", value: "pro" }] }),
    [],
  ],
])("compares %s with the traces", (_name, one, expected) => {
  const findings = reviewPolicy(policyOf([one]), collectTools({ traces: [trace] }));
  expect(findings.map(({ level, code }) => `${level} ${code}`)).toEqual(expected);
});

it("takes nobody's word for a tool that was merely never called", () => {
  const silent = traceOfRecords(turn({ calls: ["refund_order"] }));
  const review = (tool: string) =>
    reviewPolicy(policyOf([rule("no_call", { tool })]), collectTools({ traces: [silent] }));
  expect(review("delete_all")).toEqual([]);
  expect(review("refund_oder").map(({ code }) => code)).toEqual(["unknown_tool"]);
});
