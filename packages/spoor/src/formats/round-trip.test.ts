/** What Spoor writes it reads back: turns, calls, arguments, results and durations survive OTLP JSON and AgentV JSONL. */
import { buildTrace, type Json, type JsonObject, parseJson, type Trace, type TraceRecord } from "@spoor/core";
import { stringifyJson } from "@spoor/core/trace/json";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agentv } from "./agentv.ts";
import type { ReadContext } from "./format.ts";
import { otlpJson } from "./otel/otlp-json.ts";
import { writeAgentv } from "./write-agentv.ts";
import { writeOtlp } from "./write-otlp.ts";

const context: ReadContext = {
  file: "round trip",
  lenient: false,
  fail(message) {
    throw new Error(message);
  },
};

const throughOtlp = (traces: readonly Trace[]) =>
  otlpJson.readDocument!(parseJson(writeOtlp(traces)), context).map((imported) => buildTrace(imported.records));

const throughAgentv = (traces: readonly Trace[]) => {
  const reader = agentv.openLines!(context);
  for (const [index, line] of writeAgentv(traces).trimEnd().split("\n").entries())
    reader.line(parseJson(line), index + 1);
  return reader.finish().map((imported) => buildTrace(imported.records));
};

const text = fc.string({ maxLength: 12, unit: "grapheme" });
const name = fc.constantFrom("search", "book", "refund", "mcp__files__read", "a|b");
/** Arguments are anything but null, which importers take for "none given". */
const input: fc.Arbitrary<Json> = fc.oneof(
  fc.dictionary(text, fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>, { maxKeys: 3 }),
  fc.constantFrom<Json>("plain words", '{"looks":"like JSON"}', "42", "", 7, [1, 2], { id: 9007199254740993n }),
);
const output = fc.oneof(input, text);
const latency = fc.option(
  fc.nat(5_000_000).map((micros) => micros / 1000),
  { nil: undefined },
);
const clock = fc.option(
  fc.nat(1_000_000).map((ms) => new Date(Date.UTC(2026, 0, 1) + ms).toISOString()),
  { nil: undefined },
);

const call = fc.record({
  name,
  input: fc.option(input, { nil: undefined }),
  result: fc.option(fc.record({ output: fc.option(output, { nil: undefined }), failed: fc.boolean(), latency }), {
    nil: undefined,
  }),
  startedAt: clock,
  standalone: fc.boolean(),
});
const turn = fc.record({ text, calls: fc.array(call, { maxLength: 3 }), latency, clock, tokens: fc.nat(1000) });
const run = fc.record({
  early: fc.array(call, { maxLength: 1 }),
  turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
});

type Run = typeof run extends fc.Arbitrary<infer T> ? T : never;
type Call = Run["early"][number];

/** As a reader of files would give them: integers beyond 2^53 are bigint, and -0 is 0. */
function recordsOf(made: Run): TraceRecord[] {
  return parseJson(stringifyJson(madeRecords(made) as unknown as Json)) as unknown as TraceRecord[];
}

function madeRecords({ early, turns }: Run): TraceRecord[] {
  const records: TraceRecord[] = [{ kind: "metadata", payload: { agent: "helper" }, meta: { trace_id: "run-1" } }];
  let calls = 0;
  const add = (made: Call, id: string, asked: boolean) => {
    if (!asked || made.startedAt !== undefined) {
      records.push({
        kind: "tool_call",
        ...(made.startedAt === undefined ? {} : { ts: made.startedAt }),
        payload: without({ tool_name: made.name, tool_call_id: id, arguments: asked ? undefined : argument(made) }),
      });
    }
    if (made.result === undefined) return;
    const { output: given, failed, latency: took } = made.result;
    const payload = without({ tool_call_id: id, output: given, is_error: failed, latency_ms: took });
    records.push({ kind: "tool_result", payload });
  };
  for (const made of early) add(made, `c${calls++}`, false);
  for (const spoken of turns) {
    const made = spoken.calls.map((each) => ({ each, id: `c${calls++}` }));
    const asked = made.filter(({ each }) => !each.standalone);
    const time = spoken.clock === undefined ? {} : { ts: spoken.clock };
    const blocks = asked.map(({ each, id }) => without({ type: "tool_use", id, name: each.name, input: each.input }));
    const said = spoken.text === "" ? [] : [{ type: "text", text: spoken.text }];
    const messages = [{ role: "user", content: "go on" }];
    records.push({ kind: "chat_request", ...time, payload: { model: "m-1", messages } });
    const usage = { input_tokens: spoken.tokens, output_tokens: 3, cached_input_tokens: 2 };
    const payload = without({ model: "m-1", content: [...said, ...blocks], usage, latency_ms: spoken.latency });
    records.push({ kind: "chat_response", ...time, payload });
    for (const { each, id } of asked) add(each, id, true);
    for (const { each, id } of made.filter((one) => one.each.standalone)) add(each, id, false);
  }
  return records;
}

/** `.agentlog` reads a record's text arguments as JSON; a text that is JSON would differ before any writer saw it. */
function argument(made: Call): Json | undefined {
  return typeof made.input === "string" ? { value: made.input } : made.input;
}

function without(fields: Record<string, Json | undefined>): JsonObject {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as JsonObject;
}

/** What must survive. Sub-millisecond clocks and made-up ids are not part of it. */
function kept(trace: Trace): unknown {
  return {
    id: trace.id,
    agent: trace.agent,
    turns: trace.turns.map(({ response, durationMs, ts, toolCalls }) => {
      return { text: response["content"], usage: response["usage"], durationMs, ts, calls: toolCalls.map(callKept) };
    }),
    calls: trace.toolCalls.map(callKept),
  };
}

function callKept({
  id,
  name: tool,
  input: given,
  output: got,
  status,
  durationMs,
  startedAt,
  standalone,
  turnIndex,
}: Trace["toolCalls"][number]) {
  return { id, tool, given, got, status, durationMs, startedAt, standalone, turnIndex };
}

describe("OTLP JSON", () => {
  it("keeps every run", () => {
    fc.assert(
      fc.property(run, (made) => {
        const trace = buildTrace(recordsOf(made));
        const [again] = throughOtlp([trace]) as [Trace];
        expect({ ...(kept(again) as object), id: "run-1" }).toEqual(kept(trace));
        expect(again.steps.map((step) => [step.kind, step.target])).toEqual(
          trace.steps.map((step) => [step.kind, step.target]),
        );
      }),
    );
  });

  it("keeps the words of stop reasons, sub-agents, HTTP steps and errors", () => {
    const trace = buildTrace(storyRecords());
    const [again] = throughOtlp([trace]) as [Trace];
    expect(again.turns.map((turn) => turn.response["stop_reason"])).toEqual([
      "tool_use",
      "end_turn",
      "max_tokens",
      "error",
    ]);
    expect(again.turns.map((turn) => [turn.agent, turn.parentCallId])).toEqual([
      [undefined, undefined],
      ["researcher", "c1"],
      [undefined, undefined],
      [undefined, undefined],
    ]);
    expect(again.steps).toEqual(trace.steps);
    expect(again.turns.map((turn) => turn.request)).toEqual(trace.turns.map((turn) => turn.request));
  });

  it("writes several traces into one document and reads them apart", () => {
    const traces = ["one", "two"].map((id) =>
      buildTrace([{ ...storyRecords()[0]!, meta: { trace_id: id } }, ...storyRecords().slice(1)]),
    );
    expect(throughOtlp(traces).map((trace) => trace.turns.length)).toEqual([4, 4]);
  });

  it("invents no time: a run without clocks has spans without clocks", () => {
    const trace = buildTrace([{ kind: "chat_response", payload: { content: [{ type: "text", text: "hello" }] } }]);
    expect(writeOtlp([trace])).not.toContain("TimeUnixNano");
    const [again] = throughOtlp([trace]) as [Trace];
    expect(again.turns[0]).not.toHaveProperty("ts");
    expect(again.turns[0]).not.toHaveProperty("durationMs");
    expect(again.turns[0]!.response).toEqual({ content: [{ type: "text", text: "hello" }] });
  });
});

describe("AgentV JSONL", () => {
  it("keeps every run", () => {
    fc.assert(
      fc.property(run, (made) => {
        const trace = buildTrace(recordsOf(made));
        const [again] = throughAgentv([trace]) as [Trace];
        expect(kept(again)).toEqual(kept(trace));
      }),
    );
  });

  it("keeps stop reasons, models, sub-agents and kinds of errors in metadata", () => {
    const trace = buildTrace(storyRecords());
    const [again] = throughAgentv([trace]) as [Trace];
    expect(again.turns.map((turn) => turn.response["stop_reason"])).toEqual([
      "tool_use",
      "end_turn",
      "max_tokens",
      "error",
    ]);
    expect(again.turns.map((turn) => turn.response["model"])).toEqual(["m-1", "m-2", "m-1", "m-1"]);
    expect(again.turns[1]).toMatchObject({ agent: "researcher", parentCallId: "c1" });
    expect(again.toolCalls[0]!.error).toEqual({ message: "no such page", kind: "NotFound" });
  });

  it("writes one line per trace", () => {
    const trace = buildTrace(storyRecords());
    expect(writeAgentv([trace, trace]).trimEnd().split("\n")).toHaveLength(2);
    expect(throughAgentv([trace, trace])).toHaveLength(2);
  });
});

/** A call that starts a sub-agent and fails, an HTTP step, a cut answer, a model that failed. */
function storyRecords(): TraceRecord[] {
  const ask = { role: "user", content: "look it up" };
  const use = { type: "tool_use", id: "c1", name: "delegate", input: { topic: "x" } };
  const sub = { agent: "researcher", parent_tool_call_id: "c1" };
  return [
    { kind: "metadata", payload: { agent: "helper" }, meta: { trace_id: "story" } },
    { kind: "chat_request", payload: { model: "m-1", messages: [ask] } },
    { kind: "chat_response", payload: { model: "m-1", content: [use], stop_reason: "tool_use" } },
    { kind: "chat_request", meta: sub, payload: { model: "m-2", messages: [{ role: "user", content: "x?" }] } },
    {
      kind: "chat_response",
      meta: sub,
      payload: {
        model: "m-2",
        content: [
          { type: "thinking", text: "hm" },
          { type: "text", text: "no" },
        ],
        stop_reason: "end_turn",
      },
    },
    {
      kind: "tool_result",
      payload: { tool_call_id: "c1", output: "no such page", is_error: true, error_type: "NotFound", latency_ms: 12.5 },
    },
    {
      kind: "harness_event",
      payload: {
        category: "http_request",
        name: "GET h/x",
        severity: "error",
        attributes: { status_code: 503, latency_ms: 4 },
      },
    },
    {
      kind: "chat_request",
      payload: {
        model: "m-1",
        messages: [
          ask,
          { role: "assistant", content: [use] },
          { role: "tool", tool_call_id: "c1", content: "no such page" },
        ],
      },
    },
    {
      kind: "chat_response",
      payload: { model: "m-1", content: [{ type: "text", text: "It is" }], stop_reason: "max_tokens" },
    },
    { kind: "chat_request", payload: { model: "m-1", messages: [ask] } },
    { kind: "chat_response", payload: { model: "m-1", content: [], stop_reason: "error", error_type: "RateLimit" } },
  ];
}
