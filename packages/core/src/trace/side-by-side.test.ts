import { expect, it } from "vitest";
import { ranInSequence } from "./side-by-side.ts";

const at = (startedAt: string, durationMs?: number) => ({
  startedAt: `2026-01-15T10:30:${startedAt}Z`,
  ...(durationMs === undefined ? {} : { durationMs }),
});

it.each([
  { name: "ten seconds apart, 45 ms each", calls: [at("00", 45), at("10", 45)], expected: true },
  { name: "the next begins when the last ends", calls: [at("00.000", 50), at("00.050", 50)], expected: true },
  { name: "listed against the clock", calls: [at("10", 45), at("00", 45)], expected: true },
  { name: "one begins while another runs", calls: [at("00", 45), at("10", 20_000), at("20", 45)], expected: false },
  { name: "too close for a clock", calls: [at("00.000", 0), at("00.004", 0)], expected: false },
  { name: "an end that nobody recorded", calls: [at("00"), at("10", 45)], expected: false },
  { name: "a start that nobody recorded", calls: [{ durationMs: 5 }, at("10", 45)], expected: false },
])("$name: $expected", ({ calls, expected }) => {
  expect(ranInSequence(calls)).toBe(expected);
});
