import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { policyOf, rule, standalone, traceOfRecords } from "../../test/policy.ts";
import { checkPolicies, checkPolicy } from "./check-policy.ts";
import { createMonitor } from "./monitor.ts";

const START = Date.parse("2026-11-15T10:00:00Z");
const at = (seconds: number) => new Date(START + seconds * 1000).toISOString();
const called = (...seconds: readonly number[]) =>
  seconds.map((second, index) => ({ ...standalone("pay", { tool_call_id: `${index}` }), ts: at(second) }));
const perMinute = rule("max_calls", { tool: "pay", limit: 2, per: "minute" });
const placesOf = (...seconds: readonly number[]) =>
  checkPolicy(traceOfRecords(...called(...seconds)), policyOf([perMinute])).violations.map(({ evidence }) =>
    Number(evidence.callId),
  );

describe("a window of a minute in a recording", () => {
  it.each([
    { name: "three within a minute", seconds: [0, 20, 40], over: [2] },
    { name: "the third exactly a minute after the first", seconds: [0, 20, 60], over: [] },
    { name: "a moment less than a minute", seconds: [0, 20, 59.999], over: [2] },
    { name: "it slides: no minute of the clock is meant", seconds: [50, 59, 61, 120], over: [2] },
    { name: "all at the same moment", seconds: [5, 5, 5, 5], over: [2, 3] },
    { name: "recorded in another order than they happened", seconds: [40, 0, 20], over: [0] },
    { name: "an earlier one recorded last makes a later one too many", seconds: [0, 59, 80, 30], over: [1, 2] },
  ])("$name", ({ seconds, over }) => {
    expect(placesOf(...seconds)).toEqual(over);
  });

  it("says which window", () => {
    const { violations } = checkPolicy(traceOfRecords(...called(0, 1, 2)), policyOf([perMinute]));
    expect(violations.map(({ message }) => message)).toEqual(["Call 3 of pay in any minute, allowed are 2."]);
  });

  it("is not evaluated without times, and with some only in part", () => {
    const untimed = traceOfRecords(standalone("pay"));
    expect(checkPolicy(untimed, policyOf([perMinute])).notEvaluated).toEqual([
      { what: "r", why: "no call was recorded with its time" },
    ]);
    const mixed = checkPolicy(traceOfRecords(...called(0, 1, 2), standalone("pay")), policyOf([perMinute]));
    expect(mixed.violations).toHaveLength(1);
    expect(mixed.notEvaluated).toEqual([{ what: "r", why: "not every call was recorded with its time" }]);
  });
});

describe("a running agent", () => {
  const live = (...seconds: readonly number[]) => {
    const monitor = createMonitor(policyOf([perMinute]));
    return seconds.map((second, index) => {
      const call = {
        name: "pay",
        input: {},
        status: "unknown",
        turnIndex: -1,
        position: index,
        standalone: true,
      } as const;
      const judged = monitor.judgeCall({ call: { ...call, startedAt: at(second) }, turn: undefined });
      const isFree = judged.violations.length + judged.notEvaluated.length === 0;
      if (isFree) judged.commit();
      return isFree;
    });
  };

  it("is let through again when the window has moved on", () => {
    expect(live(0, 20, 40, 60, 61, 80)).toEqual([true, true, false, true, false, true]);
  });
  it("gains nothing by a clock that is set back", () => {
    expect(live(100, 110, 0, 50, 161)).toEqual([true, true, false, false, true]);
  });
  it("without a clock is not let through", () => {
    const monitor = createMonitor(policyOf([perMinute]));
    const call = { name: "pay", status: "unknown", turnIndex: -1, position: 0 } as const;
    expect(monitor.judgeCall({ call, turn: undefined }).notEvaluated).toEqual([
      { ruleId: "r", why: "a call of pay has no time", effect: "deny" },
    ]);
  });

  it("never has more in a window than is allowed, whatever the times", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 40 }), (gaps) => {
        const seconds = [...gaps].sort((left, right) => left - right);
        const free = live(...seconds);
        const allowed = seconds.filter((_, index) => free[index]);
        for (const end of allowed)
          expect(allowed.filter((second) => second > end - 60 && second <= end).length).toBeLessThanOrEqual(2);
        // What is refused would have been one too many.
        for (const [index, second] of seconds.entries()) {
          const before = seconds.filter((other, place) => free[place] && place < index && other > second - 60);
          if (!free[index]) expect(before.length).toBe(2);
        }
      }),
    );
  });
});

describe("per user", () => {
  const perUser = rule("max_calls", { tool: "pay", limit: 2, per: "user" });
  const traceOfUser = (user: unknown, ...seconds: readonly number[]) =>
    traceOfRecords({ kind: "metadata", payload: { principal: { user } as never } }, ...called(...seconds));
  const countsOf = (one: object, ...traces: readonly ReturnType<typeof traceOfUser>[]) =>
    checkPolicies(traces, policyOf([one as never])).map(({ violations }) => violations.length);

  it("counts over all recordings of the user, and over nobody else's", () => {
    expect(countsOf(perUser, traceOfUser("ann", 0, 1), traceOfUser("bob", 2, 3), traceOfUser("ann", 4))).toEqual([
      0, 0, 1,
    ]);
  });
  it("blames what came last, whichever recording is read first", () => {
    expect(countsOf(perUser, traceOfUser("ann", 9), traceOfUser("ann", 0, 1))).toEqual([1, 0]);
  });
  it("knows a user by the id, whatever else is said", () => {
    const [clerk, boss] = [
      { id: "u-7", role: "clerk" },
      { id: "u-7", role: "boss" },
    ];
    expect(countsOf(perUser, traceOfUser(clerk, 0, 1), traceOfUser(boss, 2))).toEqual([0, 1]);
  });
  it("goes with a window", () => {
    const both = rule("max_calls", { tool: "pay", limit: 2, per: { seconds: 10, user: true } });
    expect(countsOf(both, traceOfUser("ann", 0, 8), traceOfUser("ann", 9, 30))).toEqual([0, 1]);
  });
  it("is not evaluated where nobody says who the user is", () => {
    const [check] = checkPolicies([traceOfRecords(...called(0))], policyOf([perUser]));
    expect(check!.notEvaluated.map(({ why }) => why)).toEqual([
      "the recording does not say for whom it is: principal.user of its metadata",
    ]);
  });
});
