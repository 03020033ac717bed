import { describe, expect, it } from "vitest";
import { recordsOf, traceOf } from "../../test/build.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { Json } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { buildRunView } from "./run-view.ts";

const at = (seconds: number) => new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();

/** A request at one time and its answer at another, with what else matters. */
function turn(
  sent: number | undefined,
  came: number | undefined,
  content: Json[],
  more: {
    user?: string;
    payload?: Record<string, Json>;
    meta?: Record<string, Json>;
    response?: Record<string, Json>;
  } = {},
): TraceRecord[] {
  return [
    {
      kind: "chat_request",
      ...(sent === undefined ? {} : { ts: at(sent) }),
      payload: {
        model: "m",
        messages: more.user === undefined ? [] : [{ role: "user", content: more.user }],
        ...more.payload,
      },
      ...(more.meta === undefined ? {} : { meta: more.meta }),
    },
    {
      kind: "chat_response",
      ...(came === undefined ? {} : { ts: at(came) }),
      payload: { model: "m", content, ...more.response },
      ...(more.meta === undefined ? {} : { meta: more.meta }),
    },
  ];
}

const use = (id: string, name: string): Json => ({ type: "tool_use", id, name, input: {} });
const result = (id: string, seconds: number | undefined, latency?: number): TraceRecord => ({
  kind: "tool_result",
  ...(seconds === undefined ? {} : { ts: at(seconds) }),
  payload: { tool_call_id: id, output: "ok", ...(latency === undefined ? {} : { latency_ms: latency }) },
});

describe("when things happened", () => {
  it("a turn lasts from its request to its answer, a call up to its result", () => {
    const view = buildRunView(
      buildTrace([...turn(10, 13, [use("a", "look")]), result("a", 15, 1500), ...turn(16, 17, [])]),
    );
    expect(view.turns.map((entry) => entry.at)).toEqual([
      { start: 0, ms: 3000 },
      { start: 6000, ms: 1000 },
    ]);
    // 15 s less 1.5 s, counted from 10 s on.
    expect(view.turns[0]!.calls[0]!.at).toEqual({ start: 3500, ms: 1500 });
    expect(view.axis).toEqual({ unit: "time", spanMs: 7000 });
    expect(view.totals).toMatchObject({ modelMs: 4000, toolMs: 1500, waitingMs: 1500 });
  });

  it("an answer whose request has no time ends when it came", () => {
    const [first, second] = buildRunView(
      buildTrace([...turn(undefined, 5, [], { response: { latency_ms: 2000 } }), ...turn(undefined, 9, [])]),
    ).turns;
    expect([first!.at, second!.at]).toEqual([{ start: 0, ms: 2000 }, { start: 6000 }]);
  });

  it("a call of which only the length is known stands where it can begin at the earliest", () => {
    const view = buildRunView(buildTrace([...turn(0, 2, [use("a", "look")]), result("a", undefined, 700)]));
    expect(view.turns[0]!.calls[0]!.at).toEqual({ start: 2000, ms: 700, earliest: true });
  });

  it("two results of one id say nothing about when a call ended", () => {
    const view = buildRunView(
      buildTrace([...turn(0, 1, [use("a", "look")]), result("a", 5, 100), result("a", 9, 100)]),
    );
    expect(view.turns[0]!.calls[0]!.at).toMatchObject({ start: 1000, earliest: true });
  });

  it("without a clock there is an order, and lengths are kept", () => {
    const view = buildRunView(traceOf([{ text: "a", latencyMs: 5 }, { text: "b" }]));
    expect(view.axis).toEqual({ unit: "order" });
    expect(view.turns.map(({ at: span, ms }) => [span, ms])).toEqual([
      [undefined, 5],
      [undefined, undefined],
    ]);
    expect(view.totals).not.toHaveProperty("waitingMs");
  });
});

it.each([
  { name: "the user", calls: [], user: "and now?", wait: "user" },
  { name: "tools whose times nobody wrote down", calls: [use("a", "look")], user: undefined, wait: "tools" },
  { name: "nobody knows what", calls: [], user: undefined, wait: "unknown" },
])("a gap is waiting for $name", ({ calls, user, wait }) => {
  const view = buildRunView(buildTrace([...turn(0, 1, calls), ...turn(4, 5, [], user === undefined ? {} : { user })]));
  expect(view.waits).toEqual([{ start: 1000, ms: 3000, for: wait }]);
});

it("a long call over the turns of its sub-agent leaves nothing to wait for, and has a lane of its own", () => {
  const meta = { agent: "scout", parent_tool_call_id: "a" };
  const view = buildRunView(
    buildTrace([
      ...turn(0, 1, [use("a", "Task")]),
      ...turn(2, 3, [{ type: "text", text: "found" }], { meta }),
      result("a", 5, 4000),
      ...turn(5, 6, []),
    ]),
  );
  expect(view.lanes).toEqual([{}, { agent: "scout", startedBy: 0 }]);
  expect(view.turns.map(({ lane }) => lane)).toEqual([0, 1, 0]);
  expect(view.turns[0]!.calls[0]!.starts).toBe(1);
  expect(view.waits).toEqual([]);
});

it("sub-agents of one name that two calls started are two", () => {
  const view = buildRunView(
    buildTrace([
      ...turn(0, 1, [use("a", "Task"), use("b", "Task")]),
      ...turn(2, 3, [], { meta: { agent: "scout", parent_tool_call_id: "a" } }),
      ...turn(2, 3, [], { meta: { agent: "scout", parent_tool_call_id: "b" } }),
    ]),
  );
  expect(view.lanes.map(({ startedBy }) => startedBy)).toEqual([undefined, 0, 1]);
});

describe("what went in", () => {
  const asked = (payload: Record<string, Json>) => turn(undefined, undefined, [], { payload });
  const tool = (name: string, description = ""): Json => ({ name, description, input_schema: { type: "object" } });
  const changes = (...payloads: Record<string, Json>[]) =>
    buildRunView(buildTrace(payloads.flatMap(asked))).turns.map(({ changed }) => changed);
  const system = (content: string): Json => [{ role: "system", content }];

  it.each([
    { name: "the prompt", one: { messages: system("be kind") }, two: { messages: system("be quick") }, part: "system" },
    { name: "a tool more", one: { tools: [tool("a")] }, two: { tools: [tool("a"), tool("b")] }, part: "tools" },
    { name: "a tool's words", one: { tools: [tool("a")] }, two: { tools: [tool("a", "x")] }, part: "tools" },
    { name: "the model", one: { model: "m" }, two: { model: "n" }, part: "model" },
    { name: "a setting", one: { params: { temperature: 0 } }, two: { params: { temperature: 1 } }, part: "settings" },
  ])("$name is told from the turn before", ({ one, two, part }) => {
    expect(changes(one as never, one as never, two as never)).toEqual([undefined, undefined, [part]]);
  });

  it("what one request does not have was not recorded, which is no change", () => {
    expect(changes({ tools: [tool("a")] }, {})).toEqual([undefined, undefined]);
  });

  it("prompts and lists of tools are kept once", () => {
    const payload = { messages: system("be kind"), tools: [tool("a")] };
    const view = buildRunView(buildTrace([payload, payload, payload].flatMap((one) => asked(one as never))));
    expect([view.systems, view.toolSets.length]).toEqual([["be kind"], 1]);
    expect(view.turns.map((entry) => [entry.system, entry.tools])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it("messages are those that were not sent before; answers and results stand elsewhere", () => {
    const view = buildRunView(
      buildTrace(
        recordsOf([
          { user: "one", calls: [{ name: "look", output: "seen" }] },
          { text: "done" },
          { user: "two", text: "bye" },
        ]),
      ),
    );
    expect(view.turns.map(({ messages }) => messages)).toEqual([
      { total: 1, fresh: [{ role: "user", content: "one" }] },
      { total: 3, fresh: [] },
      { total: 5, fresh: [{ role: "user", content: "two" }] },
    ]);
    expect(view.turns.map(({ user }) => user)).toEqual(["one", undefined, "two"]);
  });

  it("a history that was put otherwise is called so, and is not repeated", () => {
    const said = (...texts: string[]) =>
      ({ messages: texts.map((content, index) => ({ role: index % 2 ? "assistant" : "user", content })) }) as never;
    const view = buildRunView(buildTrace([...asked(said("a", "b", "c")), ...asked(said("summary", "x", "d"))]));
    expect(view.turns[1]!.messages).toEqual({ total: 3, fresh: [{ role: "user", content: "d" }], rewritten: true });
  });
});

it("long texts are cut where it is asked for, counted, and never inside a character", () => {
  const long = `${"x".repeat(9)}😀${"y".repeat(5)}`;
  const trace = traceOf([{ text: long, calls: [{ name: "look", input: { deep: [long] }, output: "short" }] }]);
  const view = buildRunView(trace, { maxText: 10 });
  // 9 are kept: the tenth is one half of a character. 7 of 16 are cut, twice.
  expect(view.turns[0]!.text).toBe(`${"x".repeat(9)}… (7 more characters)`);
  expect(view.turns[0]!.calls[0]!.input).toEqual({ deep: [`${"x".repeat(9)}… (7 more characters)`] });
  expect(view.cut).toBe(14);
  expect(buildRunView(trace)).not.toHaveProperty("cut");
});

it("findings stand at their turn, and those of the whole run above", () => {
  const found = { rule: "r", severity: "severe", message: "no" } as const;
  const view = buildRunView(traceOf([{ text: "a" }, { text: "b" }]), {
    findings: { turns: new Map([[1, [found]]]), whole: [found] },
  });
  expect(view.turns.map(({ findings }) => findings)).toEqual([undefined, [found]]);
  expect(view.findings).toEqual([found]);
});

it("is plain data", () => {
  const view = buildRunView(traceOf([{ user: "u", text: "a", calls: ["look"] }]), { raw: true });
  expect(JSON.parse(JSON.stringify(view))).toEqual(view);
});
