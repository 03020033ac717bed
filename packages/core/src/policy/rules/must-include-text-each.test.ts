import { expect, it } from "vitest";
import { oneTurnSessions, rule, turnsOf } from "../../../test/policy.ts";

const okBadBad = oneTurnSessions("ok", "bad", "bad");

it("numbers turns by their position in the trace", () => {
  expect(turnsOf(rule("must_include_text_each", { text: "ok" }, { scope: "session" }), okBadBad)).toEqual([1, 2]);
});
