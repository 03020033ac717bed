import { describe, expect, it } from "vitest";
import { following, policyOf, problemsOf, result, rule, standalone, traceOfRecords } from "../../../test/policy.ts";
import type { Json, JsonObject } from "../../trace/json.ts";
import { checkPolicy } from "../check-policy.ts";
import { redactValue } from "../redact-value.ts";

const check = (params: JsonObject, output: Json | undefined, failed = false) => {
  const records = [
    standalone("fetch", { tool_call_id: "c" }),
    ...(output === undefined ? [] : [result("c", output, failed)]),
  ];
  const { violations, notEvaluated } = checkPolicy(traceOfRecords(...records), policyOf([rule("no_result", params)]));
  if (notEvaluated.length > 0) return notEvaluated.map(({ why }) => `? ${why}`);
  return violations.map(({ message }) => message);
};
const secret = { tool: "fetch", matching: "sk_live_\\w+" };
const found = ["fetch returned what matches /sk_live_\\w+/."];

describe("a text that must not be read", () => {
  it.each<[string, Json]>([
    ["a text", "the key is sk_live_123"],
    ["deep in data", { rows: [{ id: 1, note: "sk_live_123" }] }],
    ["the name of a member", { sk_live_123: true }],
    ["a block of an MCP result", [{ type: "text", text: "sk_live_123" }]],
    ["JSON as text", '{"key":"sk_live_123"}'],
  ])("is found in %s", (_name, output) => {
    expect(check(secret, output)).toEqual(found);
  });
  it("is found in what a failed call says, and as a number", () => {
    expect(check(secret, "denied for sk_live_123", true)).toEqual(found);
    expect(check({ matching: "^4111\\d{12}$" }, { card: 4111111111111111 })).toHaveLength(1);
  });
  it("is not there in other results, other tools, and what was taken out", () => {
    expect(check(secret, "nothing")).toEqual([]);
    expect(check({ ...secret, tool: "other_*" }, "sk_live_123")).toEqual([]);
    expect(check(secret, "the key is [REDACTED by keys]")).toEqual([]);
  });
  it("stands in no message: what nobody should read is not repeated", () => {
    expect(JSON.stringify(check(secret, "sk_live_123"))).not.toContain("sk_live_123");
  });
});

describe("conditions, schema and size", () => {
  const large = { where: [{ path: "amount", op: ">", value: 100 }] };
  it.each<[string, JsonObject, Json, string[]]>([
    ["a condition holds", large, { amount: 101 }, ["fetch returned amount > 100."]],
    ["it does not", large, { amount: 99 }, []],
    ["in JSON as text", large, '{"amount": 101}', ["fetch returned amount > 100."]],
    [
      "in structured content",
      large,
      { content: [], structuredContent: { amount: 101 } },
      ["fetch returned amount > 100."],
    ],
    [
      "in the text block of an MCP result",
      large,
      { content: [{ type: "text", text: '{"amount":101}' }] },
      ["fetch returned amount > 100."],
    ],
    [
      "a date",
      { where: [{ path: "due", op: "<", value: "2026-01-01" }] },
      { due: "2025-12-31" },
      ['fetch returned due < "2026-01-01".'],
    ],
    [
      "a date against a time",
      { where: [{ path: "due", op: "<", value: "2026-01-01" }] },
      { due: "2025-12-31T10:00:00Z" },
      ['? fetch returned due "2025-12-31T10:00:00Z", which cannot be compared with "2026-01-01"'],
    ],
    [
      "a number as text",
      large,
      { amount: "101" },
      ['? fetch returned amount "101", which cannot be compared with 100'],
    ],
    ["missing", large, { total: 1 }, ["? fetch returned nothing as amount"]],
    ["no data at all", large, "all is well", ["? fetch returned nothing as amount"]],
    ["redacted", large, { amount: "[REDACTED]" }, ["? fetch returned amount redacted"]],
    [
      "a schema",
      { schema: { type: "object", required: ["id"] } },
      { name: 1 },
      ["fetch returned what does not fit the schema: <root> must have required property 'id'."],
    ],
    ["a schema that fits", { schema: { type: "object", required: ["id"] } }, '{"id":1}', []],
    ["too long", { longer_than: 5 }, "123456", ["fetch returned 6 characters, allowed are 5."]],
    ["just long enough", { longer_than: 5 }, "12345", []],
    ["long data", { longer_than: 8 }, { a: 12 }, []],
    ["a condition narrows a pattern", { ...large, matching: "x" }, { amount: 1, note: "x" }, []],
    [
      "and lets it speak",
      { ...large, matching: "x" },
      { amount: 101, note: "x" },
      ["fetch returned what matches /x/."],
    ],
  ])("%s", (_name, params, output, expected) => {
    expect(check(params, output).map((line) => line.replace(/the schema: .*$/, (rest) => rest))).toEqual(expected);
  });

  it("is not evaluated without a recorded result", () => {
    expect(check(secret, undefined)).toEqual(["? 1 call of 1 have no recorded result"]);
  });
});

describe("what follows", () => {
  it("may take texts out, of arguments and results, and nothing else", () => {
    const rules = policyOf([
      rule("no_result", { matching: ["sk_\\w+", "ann"] }, { id: "a b", ...following("redact") }),
      rule(
        "no_call",
        { tool: "mail", args: [{ path: "body.*", op: "contains", value: "ann" }] },
        { id: "c", ...following("redact") },
      ),
    ]).rules;
    const broken = (ruleId: string) => [{ ruleId }] as never;
    expect(redactValue(rules, broken("a b"), { to: ["sk_1 and ann", 5], n: null })).toEqual({
      to: ["[REDACTED by a-b] and [REDACTED by a-b]", 5],
      n: null,
    });
    expect(redactValue(rules, broken("c"), { to: "ann", body: ["ann ann", 1] })).toEqual({
      to: "ann",
      body: ["[REDACTED by c] [REDACTED by c]", 1],
    });
  });
  it.each([
    ["a size cannot be redacted", rule("no_result", { longer_than: 5 }, following("redact"))],
    ["nor can a condition", rule("no_result", { where: [{ path: "a", op: ">", value: 1 }] }, following("redact"))],
    [
      "nor an amount of a call",
      rule("no_call", { tool: "t", args: [{ path: "a", op: ">", value: 1 }] }, following("redact")),
    ],
    ["something must be asked", rule("no_result", { tool: "t" })],
  ])("%s", (_name, one) => {
    expect(problemsOf([one])).toHaveLength(1);
  });
});
