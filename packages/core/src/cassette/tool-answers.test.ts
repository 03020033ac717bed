import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallSpec, traceOf } from "../../test/build.ts";
import { createRedaction } from "../redact/redaction.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import type { Trace } from "../trace/trace.ts";
import { buildCassette } from "./build-cassette.ts";
import type { CassetteOptions, ToolAnswer } from "./cassette.ts";

/** A recording of a scenario that makes these calls, one a turn. */
function tape(scenario: string, calls: readonly CallSpec[], more: JsonObject = {}): Trace {
  const trace = traceOf(
    calls.map((call, index) => (index === 0 ? { user: `do ${scenario}`, calls: [call] } : { calls: [call] })),
    { scenario_id: scenario, ...more },
  );
  return { ...trace, key: `${scenario}.${more["trial"] ?? 1}` };
}

const read = (id: number, output: Json = { id }): CallSpec => ({ name: "get_order", input: { id }, output });
const cancel = (id: number, more: Partial<CallSpec> = {}): CallSpec => ({
  name: "cancel_order",
  input: { id },
  output: "cancelled",
  ...more,
});

function ask(
  tapes: readonly Trace[],
  calls: readonly { name: string; args?: Json; id?: string }[],
  options: CassetteOptions = {},
  scenario = "a",
): ToolAnswer[] {
  const session = buildCassette(tapes, options).open({ scenario, run: 1 });
  return calls.map((call) => session.answerTool({ args: {}, ...call }));
}

const order = (id: number) => ({ name: "get_order", args: { id } });

describe("the rungs", () => {
  it.each([
    {
      rung: "the very call",
      tapes: [tape("a", [read(1)])],
      asked: [order(1)],
      expected: [{ served: "exact", result: { id: 1 }, from: { trace: "a.1", turn: 0 } }],
    },
    {
      rung: "equal calls in the order of the recording",
      tapes: [tape("a", [read(1, "first"), read(1, "second")])],
      asked: [order(1), order(1)],
      expected: [
        { served: "exact", result: "first" },
        { served: "exact", result: "second" },
      ],
    },
    {
      rung: "the result with the same effects before it, though it was recorded later",
      tapes: [tape("a", [read(1, "open"), cancel(1), read(1, "cancelled")])],
      asked: [{ name: "cancel_order", args: { id: 1 } }, order(1)],
      expected: [{ served: "exact" }, { served: "exact", result: "cancelled", from: { trace: "a.1", turn: 2 } }],
    },
    {
      rung: "effects in another order are the same effects",
      tapes: [tape("a", [cancel(1), cancel(2), read(3)])],
      asked: [{ name: "cancel_order", args: { id: 2 } }, { name: "cancel_order", args: { id: 1 } }, order(3)],
      expected: [{ served: "stale" }, { served: "stale" }, { served: "exact" }],
    },
    {
      rung: "an effect that failed changed nothing",
      tapes: [tape("a", [cancel(1, { failed: true, output: "no" }), read(1)])],
      asked: [order(1)],
      expected: [{ served: "exact" }],
    },
    {
      rung: "stale: another effect came before it",
      tapes: [tape("a", [read(1), cancel(2)])],
      asked: [{ name: "cancel_order", args: { id: 2 } }, order(1)],
      expected: [{ served: "exact" }, { served: "stale", result: { id: 1 } }],
    },
    {
      rung: "the last one again",
      tapes: [tape("a", [read(1, "first"), read(1, "second")])],
      asked: [order(1), order(1), order(1), order(1)],
      expected: [{}, {}, { served: "again", result: "second" }, { served: "again", result: "second" }],
    },
    {
      rung: "again, but the world has changed since: stale",
      tapes: [tape("a", [read(1), cancel(2)])],
      asked: [order(1), { name: "cancel_order", args: { id: 2 } }, order(1)],
      expected: [{ served: "exact" }, { served: "exact" }, { served: "stale" }],
    },
    {
      rung: "an effect that is made again is not another effect",
      tapes: [tape("a", [cancel(1)])],
      asked: [
        { name: "cancel_order", args: { id: 1 } },
        { name: "cancel_order", args: { id: 1 } },
      ],
      expected: [{ served: "exact" }, { served: "again" }],
    },
    {
      rung: "a tool that always says the same",
      tapes: [
        tape(
          "b",
          ["x", "y", "z"].map((thought) => ({ name: "think", input: { thought }, output: "" })),
        ),
      ],
      asked: [{ name: "think", args: { thought: "w" } }],
      expected: [{ served: "constant", result: "" }],
    },
    {
      rung: "three times the same question is not three questions",
      tapes: [tape("b", [read(1), read(1), read(1)])],
      asked: [order(2)],
      expected: [{ served: "miss", reason: "other_arguments" }],
    },
    {
      rung: "a tool that failed three times is not constant",
      tapes: [
        tape(
          "b",
          [1, 2, 3].map((id) => ({ name: "find_user", input: { id }, output: "Error: user not found" })),
        ),
      ],
      asked: [{ name: "find_user", args: { id: 4 } }],
      expected: [{ served: "miss" }],
    },
    {
      rung: "a read of another scenario",
      tapes: [tape("a", [read(1)]), tape("b", [read(2)])],
      asked: [order(2)],
      expected: [{ served: "elsewhere", result: { id: 2 }, from: { trace: "b.1", turn: 0 } }],
    },
    {
      rung: "never an effect of another scenario",
      tapes: [tape("a", [read(1)]), tape("b", [cancel(2)])],
      asked: [{ name: "cancel_order", args: { id: 2 } }],
      expected: [{ served: "miss", decision: "refuse", reason: "other_arguments" }],
    },
    {
      rung: "a tool nobody recorded",
      tapes: [tape("a", [read(1)])],
      asked: [{ name: "delete_account", args: {} }],
      expected: [{ served: "miss", decision: "refuse", reason: "never_recorded" }],
    },
    {
      rung: "a recorded error fails again",
      tapes: [tape("a", [{ name: "get_order", input: { id: 9 }, output: "no such order", failed: true }])],
      asked: [order(9)],
      expected: [{ served: "exact", error: { message: "no such order" } }],
    },
    {
      rung: "the recording of the same repeat comes first",
      tapes: [tape("a", [read(1, "second run")], { trial: 2 }), tape("a", [read(1, "first run")], { trial: 1 })],
      asked: [order(1), order(1)],
      expected: [{ result: "first run" }, { served: "exact", result: "second run" }],
    },
    {
      rung: "arguments as JSON text are the same arguments, in any order of their names",
      tapes: [tape("a", [{ name: "get_order", input: { id: 1, full: true }, output: "o" }])],
      asked: [{ name: "get_order", args: '{"full":true,"id":1}' }],
      expected: [{ served: "exact" }],
    },
    {
      rung: '1 and "1" are different arguments',
      tapes: [tape("a", [read(1)])],
      asked: [{ name: "get_order", args: { id: "1" } }],
      expected: [{ served: "miss" }],
    },
  ])("$rung", ({ tapes, asked, expected }) => {
    const answers = ask(tapes, asked);
    expect(answers).toHaveLength(expected.length);
    for (const [index, answer] of answers.entries()) expect(answer).toMatchObject(expected[index]!);
  });

  it("names the nearest recorded call and where it differs", () => {
    const refund = (amount: number) => ({ order: "A", refund: { amount, why: "broken" } });
    const tapes = [
      tape("a", [
        { name: "issue_refund", input: { order: "B", refund: { amount: 1, why: "late" } }, output: "ok" },
        { name: "issue_refund", input: refund(40), output: "ok" },
      ]),
    ];
    const [answer] = ask(tapes, [{ name: "issue_refund", args: refund(89) }]);
    expect(answer).toMatchObject({
      served: "miss",
      nearest: {
        name: "issue_refund",
        from: { trace: "a.1", turn: 1 },
        differences: [{ path: "refund.amount", outcome: "different", expected: 40, actual: 89 }],
      },
    });
  });

  it("serves what a replay made up to nobody", () => {
    const made = traceOf([{ user: "do a", calls: [read(1)] }], { scenario_id: "a" });
    const records = made.records.map((record) =>
      record.kind === "tool_result" ? { ...record, meta: { evidence: "stand_in", stand_in: "near" } } : record,
    );
    expect(ask([{ ...buildTrace(records), key: "x" }], [order(1)])[0]).toMatchObject({ served: "miss" });
  });
});

describe("per tool", () => {
  const tapes = [tape("a", [{ name: "search", input: { q: "lamp", page: 1, trace: { id: 7 } }, output: ["l"] }])];

  it.each([
    { name: "match", tool: { match: ["q"] }, args: { q: "lamp", page: 9 }, served: "near" },
    { name: "match of another value", tool: { match: ["q"] }, args: { q: "bed", page: 1 }, served: "miss" },
    { name: "ignore", tool: { ignore: ["trace.id"] }, args: { q: "lamp", page: 1, trace: { id: 8 } }, served: "near" },
    { name: "ignore is no more than that", tool: { ignore: ["trace"] }, args: { q: "lamp", page: 2 }, served: "miss" },
    { name: "live", tool: { live: true }, args: { q: "lamp" }, served: "live" },
    { name: "a result", tool: { result: { ok: 1 } }, args: {}, served: "configured" },
    { name: "nothing said", tool: {}, args: { q: "lamp", page: 9 }, served: "miss" },
  ])("$name gives $served", ({ tool, args, served }) => {
    const [answer] = ask(tapes, [{ name: "search", args }], { tools: { search: tool } });
    expect(answer!.served).toBe(served);
  });

  it("lets no effect run live unless it is allowed", () => {
    const tools = { cancel_order: { live: true } };
    expect(() => buildCassette(tapes, { tools })).toThrow(/cancel_order may change the world/);
    expect(() => buildCassette(tapes, { tools, allowEffects: true })).not.toThrow();
    expect(() => buildCassette(tapes, { tools: { cancel_order: { live: true, effect: false } } })).not.toThrow();
  });

  it("runs missed reads live only where that was chosen, and missed effects never", () => {
    const asked = [order(77), { name: "cancel_order", args: { id: 77 } }, { name: "frobnicate", args: {} }];
    const decisions = (miss: CassetteOptions["miss"]) =>
      ask([tape("a", [read(1)])], asked, { miss }).map((answer) => (answer.served === "miss" ? answer.decision : "?"));
    expect(decisions("live-reads")).toEqual(["run", "refuse", "refuse"]);
    expect(decisions("refuse")).toEqual(["refuse", "refuse", "refuse"]);
    expect(decisions("stop")).toEqual(["stop", "stop", "stop"]);
  });
});

describe("masks in arguments", () => {
  const at = "2026-11-15T04:00:00Z";
  const recordedAt = (input: JsonObject, output: Json = "ok"): Trace => {
    const trace = traceOf([{ user: "do a", calls: [{ name: "get_log", input, output }] }], { scenario_id: "a" });
    return { ...buildTrace(trace.records.map((record) => ({ ...record, ts: at }))), key: "x" };
  };
  const id = (digit: string) => `${digit.repeat(8)}-aaaa-4aaa-8aaa-${digit.repeat(12)}`;

  it.each([
    { name: "a fresh id", recorded: { key: id("1") }, asked: { key: id("2") }, served: "exact" },
    { name: "the time of the recording", recorded: { at }, asked: { at: "2026-12-01T10:11:12.123Z" }, served: "exact" },
    { name: "its day", recorded: { day: "2026-11-15" }, asked: { day: "2026-12-01" }, served: "exact" },
    { name: "its second", recorded: { t: 1_794_715_205 }, asked: { t: 1_796_119_872 }, served: "exact" },
    {
      name: "another day that was asked for",
      recorded: { day: "2026-10-01" },
      asked: { day: "2026-12-01" },
      served: "miss",
    },
    {
      name: "a number that only looks like a time",
      recorded: { item: "1656367028" },
      asked: { item: "1421289881" },
      served: "miss",
    },
    { name: "a day that is not today", recorded: { day: "2026-11-15" }, asked: { day: "2027-01-01" }, served: "miss" },
    {
      name: "a folder for one run",
      recorded: { f: "/tmp/agent-x8GzQ1/a.txt" },
      asked: { f: "/tmp/agent-Y7kk2M/a.txt" },
      served: "exact",
    },
    {
      name: "another file in it",
      recorded: { f: "/tmp/agent-x8GzQ1/a.txt" },
      asked: { f: "/tmp/agent-Y7kk2M/b.txt" },
      served: "miss",
    },
    {
      name: "another home",
      recorded: { f: "/home/ci/app/a.txt" },
      asked: { f: "/Users/ann/app/a.txt" },
      served: "exact",
    },
  ])("$name: $served", ({ recorded, asked, served }) => {
    const session = buildCassette([recordedAt(recorded)]).open({
      scenario: "a",
      nowMs: Date.parse("2026-12-01T10:11:12Z"),
    });
    expect(session.answerTool({ name: "get_log", args: asked }).served).toBe(served);
  });

  it("keeps an id apart that the recording knows as something else", () => {
    const trace = recordedAt({ order: id("1") }, { other_order: id("2") });
    const session = buildCassette([trace]).open({ scenario: "a" });
    expect(session.answerTool({ name: "get_log", args: { order: id("2") } }).served).toBe("miss");
    expect(session.answerTool({ name: "get_log", args: { order: id("3") } })).toMatchObject({
      served: "exact",
      masked: true,
    });
    expect(session.summary().masked).toBe(1);
  });

  it("takes a mask of one's own, and refuses one that matches everywhere", () => {
    const tapes = [tape("a", [{ name: "get_order", input: { nonce: "n-17" }, output: 1 }])];
    const asked = [{ name: "get_order", args: { nonce: "n-99" } }];
    expect(ask(tapes, asked)[0]!.served).toBe("miss");
    expect(ask(tapes, asked, { mask: ["n-[0-9]+"] })[0]).toMatchObject({ served: "exact", masked: true });
    expect(() => buildCassette(tapes, { mask: ["[0-9]*"] })).toThrow(/matches the empty text/);
    expect(() => buildCassette(tapes, { mask: ["(?=x)"] })).toThrow(/look-around/);
  });
});

it("meets placeholders with placeholders, and counts those it serves", () => {
  const secret = "ann@example.com";
  const redaction = createRedaction();
  const kept = redaction.json({ email: secret });
  const tapes = [tape("a", [{ name: "find_user", input: kept, output: { contact: kept } }])];
  const session = buildCassette(tapes, { redaction }).open({ scenario: "a" });
  expect(session.answerTool({ name: "find_user", args: { email: secret } })).toMatchObject({
    served: "exact",
    redacted: true,
  });
  expect(session.summary().redacted).toBe(1);
});

describe("equal calls side by side", () => {
  const tapes = [tape("a", [read(1, "first"), read(1, "second"), read(1, "third")])];
  const ids = ["c1", "c2", "c3"];
  const expected = { c1: "first", c2: "second", c3: "third" };

  it("take the recorded results in the order of the response, whoever runs first", () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(ids, { minLength: 3 }), (ran) => {
        const session = buildCassette(tapes).open({ scenario: "a" });
        session.noteCalls(ids.map((id) => ({ ...order(1), id })));
        const answers = ran.map((id) => [id, session.answerTool({ ...order(1), id })] as const);
        for (const [id, answer] of answers)
          expect(answer).toMatchObject({ served: "exact", result: expected[id as keyof typeof expected] });
      }),
    );
  });
});

it.each([
  { name: "ids that are counted anew in every response", ids: ["0", "1"] },
  { name: "calls without an id", ids: [undefined, undefined] },
])("$name get no answer of an earlier response", ({ ids }) => {
  const session = buildCassette([
    tape("a", [read(1, "first"), read(1, "second"), read(2, "third"), read(2, "fourth")]),
  ]).open({ scenario: "a" });
  session.noteCalls(ids.map((id) => ({ ...order(1), id })));
  // The agent runs only the second of the two.
  session.answerTool({ ...order(1), id: ids[1] });
  session.noteCalls(ids.map((id) => ({ ...order(2), id })));
  expect(ids.map((id) => session.answerTool({ ...order(2), id }))).toMatchObject([
    { served: "exact", result: "third" },
    { served: "exact", result: "fourth" },
  ]);
});

it("serves each recorded result once before any of them again", () => {
  const call = fc.record({ id: fc.integer({ min: 1, max: 3 }) });
  fc.assert(
    fc.property(fc.array(call, { maxLength: 12 }), fc.array(call, { maxLength: 20 }), (recorded, asked) => {
      const trace = tape(
        "a",
        recorded.map(({ id }, index) => read(id, `result ${index}`)),
      );
      const session = buildCassette([trace]).open({ scenario: "a" });
      const exact: Json[] = [];
      for (const { id } of asked) {
        const answer = session.answerTool(order(id));
        if (answer.served === "exact") exact.push(answer.result!);
      }
      expect(new Set(exact).size).toBe(exact.length);
      for (const id of [1, 2, 3]) {
        const results = recorded.flatMap((one, index) => (one.id === id ? [`result ${index}`] : []));
        const wanted = asked.filter((one) => one.id === id).length;
        // The first so many of the recording, in its order.
        expect(exact.filter((result) => results.includes(result as string))).toEqual(results.slice(0, wanted));
      }
    }),
  );
});

it("says in its summary what was served, missed and never asked", () => {
  const tapes = [tape("a", [read(1), read(2), cancel(1)])];
  const session = buildCassette(tapes).open({ scenario: "a" });
  session.answerTool(order(1));
  session.answerTool({ name: "cancel_order", args: { id: 5 } });
  expect(session.summary()).toMatchObject({
    scope: { by: "scenario", recordings: ["a.1"] },
    tools: { exact: 1, miss: 1 },
    misses: [{ name: "cancel_order", args: { id: 5 }, decision: "refuse" }],
    neverAsked: {
      tools: [
        { name: "get_order", from: { turn: 1 } },
        { name: "cancel_order", from: { turn: 2 } },
      ],
    },
  });
});
