import { describe, expect, it } from "vitest";
import { result, rule, standalone, traceOfRecords, turn, turnsOf, violationsOf } from "../../../test/policy.ts";

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
