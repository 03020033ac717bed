import type { RunView } from "@spoor/core/internal/report/run-view";
import { expect, it } from "vitest";
import { createTimeScale } from "./time-scale.ts";

const scaleOf = (spanMs: number, waits: RunView["waits"]) =>
  createTimeScale({ axis: { unit: "time", spanMs }, waits } as RunView);

it("is plain time while waits leave room for what happened", () => {
  const scale = scaleOf(1000, [{ start: 400, ms: 100, for: "user" }]);
  expect([0, 400, 500, 1000].map(scale.at)).toEqual([0, 40, 50, 100]);
  expect(scale.shortened).toBe(0);
});

it("draws a night short: 200 ms of work around an hour are 46 %, 8 % and 46 % of 216 ms", () => {
  const scale = scaleOf(3_600_200, [{ start: 100, ms: 3_600_000, for: "user" }]);
  expect(scale.shortened).toBe(1);
  expect(scale.at(100)).toBeCloseTo((100 / 216) * 100);
  expect(scale.at(3_600_100)).toBeCloseTo((116 / 216) * 100);
  expect(scale.at(3_600_200)).toBeCloseTo(100);
  expect(scale.timeAt(scale.at(50))).toBeCloseTo(50);
});

it("never goes back, whatever the waits are", () => {
  const waits = Array.from({ length: 50 }, (_, index) => ({
    start: index * 1000 + 10,
    ms: 990,
    for: "unknown" as const,
  }));
  const scale = scaleOf(50_010, waits);
  const places = Array.from({ length: 500 }, (_, index) => scale.at(index * 100));
  expect(places).toEqual([...places].sort((one, other) => one - other));
});
