import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { recordsOf, traceOf } from "../../test/build.ts";
import { buildTrace } from "./build-trace.ts";
import type { TraceRecord } from "./record.ts";

const response = (content: TraceRecord["payload"], extra = {}): TraceRecord => ({
  kind: "chat_response",
  payload: { model: "m", content, stop_reason: "tool_use", ...extra },
});
const use = (id: string | undefined, name: string, input: TraceRecord["payload"] = {}) => ({
  type: "tool_use",
  ...(id === undefined ? {} : { id }),
  name,
  input,
});
const call = (id: string, name: string): TraceRecord => ({
  kind: "tool_call",
  payload: { tool_name: name, tool_call_id: id, arguments: { a: 1 } },
});
const result = (id: string, extra = {}): TraceRecord => ({
  kind: "tool_result",
  payload: { tool_call_id: id, output: "ok", is_error: false, ...extra },
});

const record = (id: string, name: string, input: TraceRecord["payload"]): TraceRecord => ({
  kind: "tool_call",
  payload: { tool_name: name, tool_call_id: id, arguments: input },
});

describe("a call seen twice is one call", () => {
  it.each([
    { name: "block, then record", records: [response([use("1", "search")]), call("1", "search")] },
    { name: "record, then block", records: [call("1", "search"), response([use("1", "search")])] },
    {
      name: "record and result before the block",
      records: [call("1", "search"), result("1"), response([use("1", "search")])],
    },
  ])("$name", ({ records }) => {
    const trace = buildTrace(records);
    expect(trace.toolCalls.map((entry) => [entry.name, entry.turnIndex, entry.position])).toEqual([["search", 0, 0]]);
    expect(trace.toolCalls[0]).not.toHaveProperty("standalone");
    expect(trace.steps.filter((step) => step.kind === "tool")).toHaveLength(1);
    expect(trace.turns[0]!.toolCalls).toHaveLength(1);
  });

  it("keeps two blocks that share an id", () => {
    expect(buildTrace([response([use("1", "a"), use("1", "b")])]).toolCalls.map((entry) => entry.name)).toEqual([
      "a",
      "b",
    ]);
  });

  it.each([
    {
      name: "another tool",
      records: [response([use("1", "ok")]), { ...call("1", "del") }],
      calls: ["ok {}", 'del {"a":1}'],
    },
    {
      name: "other arguments",
      records: [response([use("1", "pay", { amount: 5 })]), record("1", "pay", { amount: 5000 })],
      calls: ['pay {"amount":5}', 'pay {"amount":5000}'],
    },
    {
      name: "a later turn, in which ids begin anew",
      records: [response([use("call_0", "ok")]), response("x"), record("call_0", "ok", {})],
      calls: ["ok {}", "ok {}"],
    },
    {
      name: "two records, two tools",
      records: [response("x"), record("1", "ok", {}), record("1", "del", {})],
      calls: ["ok {}", "del {}"],
    },
    {
      name: "a record before a block with other arguments",
      records: [record("1", "pay", { amount: 5000 }), response([use("1", "pay", { amount: 5 })])],
      calls: ['pay {"amount":5000}', 'pay {"amount":5}'],
    },
    {
      name: "defaults filled in: one call, with what it ran with",
      records: [response([use("1", "pay", { amount: 5 })]), record("1", "pay", { amount: 5, currency: "EUR" })],
      calls: ['pay {"amount":5,"currency":"EUR"}'],
    },
    {
      name: "an id that nobody gives out twice, its record later: one call",
      records: [
        response([use("toolu_01TKoqQLvY2UWuC49", "a", { city: "Berlin" })]),
        response([use("toolu_01NtVat4vJLFfVd5T", "a", { city: "Rome" })]),
        record("toolu_01TKoqQLvY2UWuC49", "a", { input: { city: "Berlin" } }),
        record("toolu_01NtVat4vJLFfVd5T", "a", { input: { city: "Rome" } }),
      ],
      calls: ['a {"city":"Berlin"}', 'a {"city":"Rome"}'],
    },
    {
      name: "a record after the turns of a sub-agent: one call",
      records: [
        response([use("1", "task"), use("2", "save")]),
        { ...response("sub"), meta: { parent_tool_call_id: "1", agent: "helper" } },
        record("2", "save", {}),
      ],
      calls: ["task {}", "save {}"],
    },
  ])("an id used again: $name", ({ records, calls }) => {
    const built = buildTrace(records as TraceRecord[]).toolCalls;
    expect(built.map(({ name, input }) => `${name} ${JSON.stringify(input)}`)).toEqual(calls);
  });

  it("takes records out of the turns they followed when a later response asks for them, and leaves the others", () => {
    const trace = buildTrace([
      call("toolu_fedcba9876543210", "early"),
      response([use("1", "first")]),
      call("toolu_0123456789abcdef", "asked_later"),
      call("3", "left"),
      response([use("toolu_0123456789abcdef", "asked_later"), use("toolu_fedcba9876543210", "early")]),
    ]);
    expect(trace.turns.map((turn) => turn.toolCalls.map((entry) => entry.name))).toEqual([
      ["first", "left"],
      ["asked_later", "early"],
    ]);
    expect(trace.toolCalls.map((entry) => [entry.name, entry.turnIndex, entry.position])).toEqual([
      ["first", 0, 0],
      ["left", 0, 1],
      ["asked_later", 1, 2],
      ["early", 1, 3],
    ]);
    expect(trace.steps.filter((step) => step.kind === "tool").map((step) => step.target)).toEqual([
      "first",
      "left",
      "asked_later",
      "early",
    ]);
  });

  it("keeps a record without a block, after the response it follows", () => {
    const trace = buildTrace([call("0", "early"), response([]), call("1", "late")]);
    expect(trace.toolCalls.map((entry) => [entry.name, entry.turnIndex, entry.standalone])).toEqual([
      ["early", -1, true],
      ["late", 0, true],
    ]);
  });
});

describe("results", () => {
  it("come from result records, with their duration and error", () => {
    const trace = buildTrace([
      response([use("1", "a")]),
      result("1", { is_error: true, output: "no such order", latency_ms: 45 }),
    ]);
    expect(trace.toolCalls[0]).toMatchObject({ status: "error", error: { message: "no such order" }, durationMs: 45 });
  });

  it.each([
    { name: "a tool message", message: { role: "tool", tool_call_id: "1", content: "found" } },
    {
      name: "an Anthropic user message",
      message: { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "found" }] },
    },
  ])("come from $name of the next request", ({ message }) => {
    const request = {
      kind: "chat_request",
      payload: { model: "m", messages: [{ role: "assistant", content: "" }, message] },
    };
    expect(buildTrace([response([use("1", "a")]), request]).toolCalls[0]).toMatchObject({
      status: "ok",
      output: "found",
    });
  });

  it("are unknown when none was recorded, and then nothing is invented", () => {
    const [only] = buildTrace([response([use("1", "a")])]).toolCalls;
    expect(only).toEqual({ id: "1", name: "a", input: {}, status: "unknown", turnIndex: 0, position: 0 });
  });
});

describe("content shapes", () => {
  it("reads string content and OpenAI tool calls", () => {
    const trace = buildTrace([
      response("hello", { tool_calls: [{ id: "1", type: "function", function: { name: "f", arguments: '{"x":1}' } }] }),
    ]);
    expect(trace.toolCalls[0]).toMatchObject({ name: "f", input: { x: 1 } });
  });

  it.each([
    ["as text", response([use("1", "pay", '{"amount":89}')])],
    ["encoded twice", record("1", "pay", JSON.stringify('{"amount":89}'))],
    ["run by the provider", response([{ type: "server_tool_use", id: "1", name: "pay", input: { amount: 89 } }])],
    ["the older single call", response(null, { function_call: { name: "pay", arguments: '{"amount":89}' } })],
    ["a part of another API", response([{ type: "tool-call", toolName: "pay", args: { amount: 89 } }])],
    ["a record that says name", { kind: "tool_call", payload: { name: "pay", arguments: { amount: 89 } } }],
  ] as const)("reads a call %s", (_name, one) => {
    expect(buildTrace([one as TraceRecord]).toolCalls).toMatchObject([{ name: "pay", input: { amount: 89 } }]);
  });

  it("takes names and inputs of any type without failing", () => {
    const trace = buildTrace([
      response([use(undefined, "constructor", "text"), { type: "tool_use", name: 7 }, null, 3, "x"]),
    ]);
    expect(trace.toolCalls.map((entry) => entry.name)).toEqual(["constructor", "7"]);
    expect(trace.toolCalls[0]!.input).toBe("text");
    expect(trace.toolCalls[1]).not.toHaveProperty("input");
  });

  it("groups calls of one response, and only when there are several", () => {
    const trace = traceOf([{ calls: ["a"] }, { calls: ["b", "c"] }]);
    expect(trace.toolCalls.map((entry) => entry.parallelGroup)).toEqual([undefined, "turn-1", "turn-1"]);
  });
});

describe("steps", () => {
  it("are model and tool calls in the order they happened, with endpoints and other steps between", () => {
    const event = (category: string, name: string): TraceRecord => ({
      kind: "harness_event",
      payload: { category, name, severity: "info", attributes: { latency_ms: 5 } },
    });
    const trace = buildTrace([
      response([use("1", "search")], { usage: { input_tokens: 3, output_tokens: 4 } }),
      event("http_request", "GET api/x"),
      event("step", "plan"),
      event("retry", "again"),
    ]);
    expect(trace.steps.map((step) => [step.kind, step.target])).toEqual([
      ["llm", "m"],
      ["tool", "search"],
      ["http", "GET api/x"],
      ["other", "plan"],
    ]);
    expect(trace.steps[0]).toMatchObject({ inputTokens: 3, outputTokens: 4 });
  });
});

describe("what a recording knows, and what it lacks", () => {
  const ask = (id: string, content: string): TraceRecord => ({
    kind: "chat_request",
    id,
    payload: { model: "m", messages: [{ role: "user", content }] },
  });
  const failed: TraceRecord = {
    kind: "error",
    parent: "a",
    payload: { source: "llm", code: "429", message: "slow down" },
  };

  it("joins each response with the request it names, however they are interleaved", () => {
    const trace = buildTrace([
      ask("a", "one"),
      ask("b", "two"),
      { ...response("A"), parent: "a" },
      { ...response("B"), parent: "b" },
    ]);
    expect(trace.turns.map((turn) => [turn.requestId, turn.text, turn.messages?.at(0)])).toEqual([
      ["a", "A", { role: "user", content: "one" }],
      ["b", "B", { role: "user", content: "two" }],
    ]);
    expect(trace).not.toHaveProperty("recording");
  });

  it("counts a request without an answer", () => {
    const trace = buildTrace([ask("a", "one"), { ...response("A"), parent: "a" }, ask("b", "two")]);
    expect(trace.recording).toEqual({ unanswered: 1 });
  });

  it("makes a failed request a step of its own, and the retry no second session", () => {
    const trace = buildTrace([ask("a", "one"), failed, ask("a", "one"), { ...response("A"), parent: "a" }]);
    expect(trace.steps).toEqual([
      { kind: "llm", target: "m", status: "error", errorKind: "429", turnIndex: -1, withoutResponse: true },
      { kind: "llm", target: "m", status: "ok", turnIndex: 0 },
    ]);
    expect([trace.turns.length, trace.sessions.length]).toEqual([1, 1]);
    expect(trace).not.toHaveProperty("recording");
  });

  it("takes an error without an open request for no step", () => {
    expect(buildTrace([failed]).steps).toEqual([]);
  });

  it.each([
    { meta: { evidence: "ran" }, known: { evidence: "ran" } },
    { meta: { evidence: "stand_in", stand_in: "near" }, known: { evidence: "stand_in", standIn: "near" } },
    { meta: { evidence: "guessed", stand_in: 7 }, known: {} },
  ])("says how a result is known: $meta", ({ meta, known }) => {
    const [only] = buildTrace([response([use("1", "a")]), { ...result("1"), meta }]).toolCalls;
    expect({ evidence: only!.evidence, standIn: only!.standIn }).toEqual({
      evidence: undefined,
      standIn: undefined,
      ...known,
    });
  });

  it.each([
    ["told", "ran"],
    ["ran", "told"],
  ])("having seen a call run outweighs being told: %s, then %s", (first, second) => {
    const records = [first, second].map((evidence) => ({ ...result("1"), meta: { evidence } }));
    expect(buildTrace([response([use("1", "a")]), ...records]).toolCalls[0]!.evidence).toBe("ran");
  });

  it("puts a lone call after the latest turn of its own conversation", () => {
    const tagged = (tag: string, record: TraceRecord): TraceRecord => ({ ...record, meta: { session_tag: tag } });
    const trace = buildTrace([
      tagged("x", response("one")),
      tagged("y", response("two")),
      tagged("x", call("1", "search")),
    ]);
    expect(trace.turns.map((turn) => turn.toolCalls.length)).toEqual([1, 0]);
  });

  it("counts gaps of the recorder, not its closing record, and makes no step of either", () => {
    const event = (name: string): TraceRecord => ({
      kind: "harness_event",
      payload: { category: "recording", name, severity: "warning", attributes: {} },
    });
    const trace = buildTrace([response("A"), event("gap"), event("gap"), event("closed")]);
    expect(trace.recording).toEqual({ gaps: 2 });
    expect(trace.steps).toHaveLength(1);
  });
});

it("names a trace by meta.trace_id, else by its first id", () => {
  expect(buildTrace([{ kind: "metadata", id: "sha256:a", payload: {} }]).id).toBe("sha256:a");
  expect(buildTrace([{ kind: "metadata", id: "sha256:a", meta: { trace_id: "run-7" }, payload: {} }]).id).toBe("run-7");
});

it("counts every call once, whatever mixture of blocks, records and results comes", () => {
  const part = fc.record({ id: fc.constantFrom("1", "2", "3", "4"), as: fc.constantFrom("block", "record", "result") });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
      const records = parts.map(({ id, as }) =>
        as === "block" ? response([use(id, "t")]) : as === "record" ? call(id, "t") : result(id),
      );
      const trace = buildTrace(records);
      // By hand: a note about a call counts when the latest one of its id stands in another turn.
      let turns = 0;
      let calls = 0;
      const latest = new Map<string, { readonly turn: number; readonly record: boolean }>();
      for (const { id, as } of parts) {
        if (as === "result") continue;
        const known = latest.get(id);
        if (as === "block") {
          if (!(known?.record && known.turn === turns)) calls++;
          latest.set(id, { turn: ++turns, record: false });
        } else if (known?.turn !== turns) {
          calls++;
          latest.set(id, { turn: turns, record: true });
        }
      }
      expect(trace.toolCalls).toHaveLength(calls);
      expect(trace.toolCalls.map((entry) => entry.position)).toEqual(trace.toolCalls.map((_, index) => index));
      expect(trace.turns.flatMap((turn) => turn.toolCalls).length).toBeLessThanOrEqual(trace.toolCalls.length);
    }),
  );
});

it("keeps the records it was built from", () => {
  const records = recordsOf([{ user: "hi", text: "hello" }]);
  expect(buildTrace(records).records).toBe(records);
});

describe("what a damaged file says", () => {
  const source = { format: "agentlog" };

  it("amounts below nothing are absent: durations, counts, prices", () => {
    const usage = { input_tokens: -5, output_tokens: 7, thinking_tokens: -1 };
    const trace = buildTrace(
      [
        response([use("1", "search")], { latency_ms: -3, cost_usd: -0.1, usage }),
        result("1", { latency_ms: -250 }),
        { kind: "harness_event", payload: { category: "step", name: "cache", attributes: { latency_ms: -1 } } },
      ],
      { source },
    );
    expect(trace.turns[0]!.usage).toEqual({ outputTokens: 7 });
    const amounts = [...trace.turns, ...trace.toolCalls, ...trace.steps].flatMap(({ durationMs }) => durationMs ?? []);
    expect([amounts, trace.turns[0]!.costUsd]).toEqual([[], undefined]);
  });

  it("calls that name no tool are left out and counted, as blocks and as records, however often it is built", () => {
    const records = [
      response([use("1", "search"), { type: "tool_use", id: "2", input: {} }, use("3", "  ")]),
      call("4", ""),
      { kind: "tool_call", payload: { tool_call_id: "5" } },
    ];
    const trace = buildTrace(records, { source: { ...source, unknown: { "part x": 1 } } });
    expect(trace.toolCalls.map(({ name }) => name)).toEqual(["search"]);
    expect(trace.source.unknown).toEqual({ "part x": 1, "recorded call without a name": 4 });
    expect(buildTrace(records, { source: trace.source }).source).toEqual(trace.source);
  });

  it("a call whose other note names the tool is a call", () => {
    for (const records of [
      [response([use("1", "search")]), call("1", "")],
      [call("1", "search"), response([use("1", "", { a: 1 })])],
    ]) {
      const trace = buildTrace(records, { source });
      expect(trace.toolCalls.map(({ name }) => name)).toEqual(["search"]);
      expect(trace.source.unknown).toBeUndefined();
    }
  });

  it("empty names of models, agents and steps are none", () => {
    const trace = buildTrace(
      [
        { kind: "metadata", payload: { agent: " " } },
        { ...response([], { model: "" }), meta: { agent: "" } },
        { kind: "harness_event", payload: { category: "http_request", name: "" } },
      ],
      { source },
    );
    expect([trace.agent, trace.turns[0]!.model, trace.turns[0]!.agent]).toEqual([undefined, undefined, undefined]);
    expect(trace.steps.map(({ kind }) => kind)).toEqual(["llm"]);
  });
});
