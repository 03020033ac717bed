import { describe, expect, it } from "vitest";
import { callToken } from "./call-token.ts";

describe("call tokens", () => {
  // Worked out by hand.
  it.each([
    { call: { name: "lookup", input: { id: 1 } }, token: "lookup(id|037c9214eef74cc3)" },
    { call: { name: "", input: {} }, token: "(|44136fa355b3678a)" },
    { call: { name: "" }, token: "(|74234e98afe7498f)" },
  ])("$token", ({ call, token }) => {
    expect(callToken(call)).toBe(token);
  });
});
