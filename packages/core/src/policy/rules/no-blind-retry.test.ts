import { expect, it } from "vitest";
import { failingRefunds, rule, turnsOf } from "../../../test/policy.ts";

it("reports the same call after a failure, not another one and not a repeat of success", () => {
  expect(turnsOf(rule("no_blind_retry", {}), failingRefunds)).toEqual([1]);
});
