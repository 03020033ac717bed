/** Dates and times in conditions: compared among texts of one form, wherever a condition may look; anything else is not evaluated. */
import { describe, expect, it } from "vitest";
import { policyOf, problemsOf, result, rule, standalone, traceOfRecords, turn } from "../../test/policy.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { checkPolicy } from "./check-policy.ts";
import { createMonitor } from "./monitor.ts";

const later = (path: string, value: string) => [{ path, op: ">", value }];
/** `broken`, `kept`, or why it could not be told. */
function outcome(one: JsonObject, trace: ReturnType<typeof traceOfRecords>): string {
  const { violations, notEvaluated } = checkPolicy(trace, policyOf([one]));
  return notEvaluated[0]?.why ?? (violations.length > 0 ? "broken" : "kept");
}

const forms: readonly [limit: string, later: Json, earlier: Json][] = [
  ["2026-03-01", "2026-03-02", "2026-02-28"],
  ["2026-03-01T10:00:00Z", "2026-03-01T12:00:01+02:00", "2026-03-01T11:59:59+02:00"],
  ["09:30", "09:31", "09:29:59"],
];
const mixed: readonly [limit: string, value: Json][] = [
  ["2026-03-01", "2026-03-02T10:00:00Z"],
  ["2026-03-01", "tomorrow"],
  ["2026-03-01", 20260302],
  ["2026-03-01", "2026-02-30"],
  ["2026-03-01", "2026-13-01"],
  ["2026-03-01", "2026-00-10"],
  ["2026-03-01T10:00:00Z", "2026-03-01T10:00:00+99:00"],
  ["2026-03-01T10:00:00Z", "2026-03-01T10:00:00"],
];

const places: readonly [string, (limit: string, value: Json) => string][] = [
  [
    "an argument",
    (limit, value) =>
      outcome(
        rule("no_call", { tool: "book", args: later("day", limit) }),
        traceOfRecords(standalone("book", { tool_call_id: "c", arguments: { day: value } })),
      ),
  ],
  [
    "a result",
    (limit, value) =>
      outcome(
        rule("no_result", { tool: "book", where: later("day", limit) }),
        traceOfRecords(standalone("book", { tool_call_id: "c" }), result("c", { day: value })),
      ),
  ],
  [
    "the principal, before any response",
    (limit, value) =>
      outcome(
        rule("no_call", { tool: "book" }, { when: later("principal.user.since", limit) }),
        traceOfRecords({ kind: "metadata", payload: { principal: { user: { since: value } } } }, standalone("book")),
      ),
  ],
  [
    "the context, in a response",
    (limit, value) =>
      outcome(
        rule("no_call", { tool: "book" }, { when: later("context.day", limit) }),
        traceOfRecords({ kind: "metadata", payload: { context: { day: value } } }, turn({ calls: ["book"] })),
      ),
  ],
  [
    "a request",
    (limit, value) =>
      outcome(
        rule("no_call", { tool: "book" }, { when: later("request.day", limit) }),
        traceOfRecords(turn({ calls: ["book"], request: { day: value } })),
      ),
  ],
  [
    "a request, for a call recorded on its own",
    (limit, value) =>
      outcome(
        rule("no_call", { tool: "book" }, { when: later("request.day", limit) }),
        traceOfRecords(turn({ text: "ok", request: { day: value } }), standalone("book")),
      ),
  ],
];

describe.each(places)("in %s", (_place, judged) => {
  it.each(forms)("a text after %s is later only in the same form", (limit, later, earlier) => {
    expect([judged(limit, later), judged(limit, earlier)]).toEqual(["broken", "kept"]);
  });
  it.each(mixed)("%s and %j have no order, so it is not evaluated", (limit, value) => {
    expect(judged(limit, value)).toMatch(/has no order with|cannot be compared with/);
  });
});

it("a running agent is not let through either", () => {
  const policy = policyOf([rule("no_call", { tool: "book" }, { when: later("context.day", "2026-03-01") })]);
  const call = {
    call: { name: "book", input: {}, status: "unknown", turnIndex: -1, position: 0 },
    turn: undefined,
  } as const;
  const judge = (day: Json) => createMonitor(policy, { situation: { context: { day } } }).judgeCall(call);
  expect([judge("2026-03-02").violations.length, judge("2026-02-02").violations.length]).toEqual([1, 0]);
  expect(judge("soon").notEvaluated.map(({ why }) => why)).toEqual([
    'context.day is "soon", which has no order with "2026-03-01"',
  ]);
});

it("a limit that is no date or number does not load", () => {
  expect(problemsOf([rule("no_call", { tool: "t", args: later("day", "soon") })])).toHaveLength(1);
  expect(problemsOf([rule("no_result", { where: later("day", "2026-13-01") })])).toHaveLength(1);
  expect(problemsOf([rule("no_call", { tool: "t" }, { when: later("context.day", "1 March") })])).toHaveLength(1);
});
