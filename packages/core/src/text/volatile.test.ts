import { describe, expect, it } from "vitest";
import { isSameButVolatile } from "./volatile.ts";

describe("what differs without a change", () => {
  it.each([
    ["a clock in a prompt", "Today is 2026-11-14.", "Today is 2026-11-16.", true],
    ["a time of day", "Now: 09:15", "Now: 21:40", true],
    ["a time with a zone", "at 2026-11-14T09:15:00Z", "at 2026-11-15T10:00:00.123+01:00", true],
    [
      "an id that was drawn",
      "run 2f1c9a52-0b1d-4c53-9b1e-0a2f6b7c8d9e",
      "run 8d9e0a2f-1111-4c53-9b1e-2f1c9a520b1d",
      true,
    ],
    ["the id of a call", "call_Abc123def456 failed", "call_Zyx987wvu654 failed", true],
    ["seconds since 1970", '{"ts":1763280000}', '{"ts":1763283600}', true],
    ["a value that one side hides", "Mail ann@example.com today", "Mail [REDACTED:email] today", true],
    ["a value that both hide under other names", "[REDACTED:email]", "[removed]", true],
    ["an amount", "Refund 40", "Refund 89", false],
    ["another word beside an id", "order a1b2c3d4e5f60718 open", "order a1b2c3d4e5f60719 shut", false],
    ["words around a hidden value", "Mail [REDACTED:email] today", "Call ann@example.com today", false],
    ["a name that only looks like an id", "runner", "running", false],
    ["an order number", "#W1042", "#W1043", false],
  ])("%s", (_name, left, right, same) => {
    expect(isSameButVolatile(left, right)).toBe(same);
    expect(isSameButVolatile(right, left)).toBe(same);
  });
});
