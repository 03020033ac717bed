import { describe, expect, it } from "vitest";
import { clockOfSeconds, namesZone, parseClock } from "./clock.ts";

describe("clocks", () => {
  it.each([
    { text: "2026-01-05T09:00:00Z", iso: "2026-01-05T09:00:00.000Z", ms: 1767603600000 },
    { text: "2026-01-05T09:00:00.123456Z", iso: "2026-01-05T09:00:00.123Z", ms: 1767603600123.456 },
    { text: "2026-01-05T10:00:00+01:00", iso: "2026-01-05T09:00:00.000Z", ms: 1767603600000 },
    { text: "2026-01-05T10:00:00+0100", iso: "2026-01-05T09:00:00.000Z", ms: 1767603600000 },
    { text: "2026-01-05 09:00:00", iso: "2026-01-05T09:00:00.000Z", ms: 1767603600000 },
    { text: "2026-01-05T09:00:00.250Z", iso: "2026-01-05T09:00:00.250Z", ms: 1767603600250 },
    { text: "2026-01-31T09:00:00.250Z", iso: "2026-01-31T09:00:00.250Z", ms: 1769850000250 },
    { text: "1970-01-01T00:00:00.001Z", iso: "1970-01-01T00:00:00.001Z", ms: 1 },
    { text: 1767603600000, iso: "2026-01-05T09:00:00.000Z", ms: 1767603600000 },
  ])("reads $text", ({ text, iso, ms }) => {
    expect(parseClock(text)).toEqual({ iso, ms });
  });

  it.each([
    "",
    "yesterday",
    "2026-01-05",
    "2026-13-05T09:00:00Z",
    "2026-01-05T25:00:00Z",
    "2026-13-05T09:00:00.000Z",
    "2026-00-05T09:00:00.000Z",
    "2026-01-00T09:00:00.000Z",
    "2026-01-05T09:60:00.000Z",
    "2026-01-05T09:00:00.0x0Z",
    "2026/01/05T09:00:00.000Z",
    "२०२६-01-05T09:00:00.000Z",
    null,
    true,
    1e300,
    -1e300,
    {},
    [],
  ])("%j is no clock", (value) => {
    expect(parseClock(value)).toBeUndefined();
  });

  it("reads seconds, and tells a clock without a zone", () => {
    expect(clockOfSeconds(1767603600.5)!.iso).toBe("2026-01-05T09:00:00.500Z");
    expect(clockOfSeconds("1767603600")).toBeUndefined();
    expect(namesZone("2026-02-17T22:54:56.312717")).toBe(false);
    expect(namesZone("2026-02-17T22:54:56.312717Z")).toBe(true);
  });
});
