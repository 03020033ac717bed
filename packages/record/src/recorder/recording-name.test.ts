import fc from "fast-check";
import { expect, it } from "vitest";
import { beginOf, recordingName } from "./recording-name.ts";

const dates = fc.date({ min: new Date("2000-01-01"), max: new Date("2099-12-31"), noInvalidDate: true });

it("sorts by time, however close two recordings are", () => {
  fc.assert(
    fc.property(dates, fc.integer({ min: 1, max: 5000 }), (began, laterMs) => {
      expect(recordingName(began) < recordingName(new Date(began.getTime() + laterMs))).toBe(true);
    }),
  );
});

it("says when it began", () => {
  fc.assert(
    fc.property(dates, (began) => {
      expect(beginOf(recordingName(began))).toEqual(began);
    }),
  );
});

it.each([
  ["20261115T040000Z-k3f9", "2026-11-15T04:00:00.000Z"],
  ["20261115T040000.120Z-k3f9", "2026-11-15T04:00:00.120Z"],
  ["20261315T040000Z-k3f9", undefined],
  ["named-by-hand", undefined],
  ["20261115T040000Z-k3f9-copy", undefined],
])("of %s: %s", (name, expected) => {
  expect(beginOf(name)?.toISOString()).toBe(expected);
});
