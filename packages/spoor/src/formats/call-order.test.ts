/** Which calls ran one after the other and which side by side, whatever the format says it with. */

import { blindTrace, buildTrace, fingerprintTrace, type Json } from "@spoor/core";
import { readTraceInMemory } from "@spoor/core/internal/providers/read-trace";
import { describe, expect, it } from "vitest";
import { readTrace, readTraceValue } from "../load/read-trace.ts";
import { writeAgentlog } from "./agentlog.ts";
import { writeAgentv } from "./write-agentv.ts";
import { writeOtlp } from "./write-otlp.ts";

const hash = (value: Json) => fingerprintTrace(readTraceValue(value)).hash;
const groups = (value: Json) => readTraceValue(value).toolCalls.map(({ parallelGroup }) => parallelGroup);

describe("calls in one AgentV message", () => {
  const message = (...calls: readonly Json[]) => ({ output_messages: [{ role: "assistant", tool_calls: calls }] });
  const call = (tool: string, second: string, rest: Record<string, Json> = {}) => ({
    tool,
    timestamp: `2026-01-15T10:30:${second}Z`,
    ...rest,
  });

  it.each([
    { name: "ten seconds apart, 45 ms each", rest: { duration_ms: 45 } },
    { name: "ten seconds apart, of unknown length", rest: {} },
  ])("$name, keep their order", ({ rest }) => {
    const ab = message(call("a", "00", rest), call("b", "10", rest));
    const ba = message(call("b", "00", rest), call("a", "10", rest));
    expect(hash(ab)).not.toBe(hash(ba));
    expect(groups(ab)).toEqual([undefined, undefined]);
  });

  it("with start and end times keep it too", () => {
    const timed = (tool: string, from: string, to: string) => ({
      tool,
      start_time: `2026-01-15T10:30:${from}Z`,
      end_time: `2026-01-15T10:30:${to}Z`,
    });
    expect(groups(message(timed("b", "00", "01"), timed("a", "01", "02")))).toEqual([undefined, undefined]);
    expect(groups(message(timed("b", "00", "05"), timed("a", "01", "02")))).toEqual(["turn-0", "turn-0"]);
  });

  it("without times, or at one and the same time, are side by side", () => {
    expect(hash(message({ tool: "a" }, { tool: "b" }))).toBe(hash(message({ tool: "b" }, { tool: "a" })));
    expect(groups(message(call("a", "00"), call("b", "00")))).toEqual(["turn-0", "turn-0"]);
  });
});

it("blocks of one response are a sequence where their own records show it", () => {
  const lines = (second: string) => [
    { kind: "chat_request", payload: { model: "m", messages: [] } },
    {
      kind: "chat_response",
      payload: { model: "m", content: ["b", "a"].map((name) => ({ type: "tool_use", id: name, name, input: {} })) },
    },
    { kind: "tool_call", ts: "2026-01-15T10:30:00Z", payload: { tool_name: "b", tool_call_id: "b" } },
    { kind: "tool_call", ts: `2026-01-15T10:30:${second}Z`, payload: { tool_name: "a", tool_call_id: "a" } },
    { kind: "tool_result", payload: { tool_call_id: "b", output: 1, latency_ms: 3000 } },
    { kind: "tool_result", payload: { tool_call_id: "a", output: 2, latency_ms: 45 } },
  ];
  expect(buildTrace(lines("10")).toolCalls.map((call) => call.parallelGroup)).toEqual([undefined, undefined]);
  expect(buildTrace(lines("02")).toolCalls.map((call) => call.parallelGroup)).toEqual(["turn-0", "turn-0"]);
});

describe("a bare list", () => {
  it.each<{ name: string; list: (first: string, second: string) => Json }>([
    { name: "of names", list: (first, second) => [first, second] },
    { name: "of calls", list: (first, second) => [{ tool: first }, { tool: second }] },
    { name: "under tool_calls", list: (first, second) => ({ tool_calls: [{ tool: first }, { tool: second }] }) },
  ])("$name is a sequence", ({ list }) => {
    expect(hash(list("confirm", "issue_refund"))).not.toBe(hash(list("issue_refund", "confirm")));
  });

  it("of blocks of a response leaves their order open", () => {
    const block = (name: string) => ({ type: "tool_use", id: name, name, input: {} });
    expect(hash([block("a"), block("b")])).toBe(hash([block("b"), block("a")]));
  });
});

it.each<{ name: string; value: Json }>([
  { name: "a list of names", value: ["issue_refund", "confirm"] },
  {
    name: "an AgentV message with times",
    value: {
      output_messages: [
        {
          role: "assistant",
          tool_calls: [
            { tool: "b", timestamp: "2026-01-15T10:30:00Z" },
            { tool: "a", timestamp: "2026-01-15T10:30:10Z" },
          ],
        },
      ],
    },
  },
])("$name keeps its order through every writer", async ({ value }) => {
  const trace = readTraceValue(value);
  const blind = blindTrace(trace)
    .map((line) => JSON.stringify(line))
    .join("\n");
  for (const text of [writeAgentlog(trace.records), writeAgentv([trace]), writeOtlp([trace]), `${blind}\n`]) {
    expect(fingerprintTrace(await readTrace(text)).string).toBe(fingerprintTrace(trace).string);
  }
});

describe('{"tool_calls": […]}', () => {
  const guide = { tool_calls: [{ tool: "Read", duration_ms: 45 }] };

  it("has the calls with their durations, through every door", async () => {
    const calls = [{ name: "Read", durationMs: 45, status: "ok" }];
    expect(readTraceValue(guide).toolCalls).toMatchObject(calls);
    expect(readTraceInMemory(guide).toolCalls).toMatchObject(calls);
    expect((await readTrace(JSON.stringify(guide))).toolCalls).toMatchObject(calls);
    expect((await readTrace(Buffer.from(JSON.stringify(guide, null, 2)))).toolCalls).toMatchObject(calls);
  });

  it.each<{ name: string; value: Json; calls: Json }>([
    {
      name: "arguments, outcome and an id",
      value: { id: "case-7", tool_calls: [{ tool: "a", input: { x: 1 }, output: "no", status: "error" }] },
      calls: [{ name: "a", input: { x: 1 }, status: "error" }],
    },
    {
      name: "other SDKs' calls",
      value: { toolCalls: [{ toolName: "a", args: { x: 1 }, durationMs: 7 }, { name: "b" }] },
      calls: [{ name: "a", input: { x: 1 }, durationMs: 7 }, { name: "b" }],
    },
    {
      name: "an answer beside them",
      value: { content: "done", tool_calls: [{ tool: "a" }] },
      calls: [{ name: "a", status: "unknown" }],
    },
  ])("with $name", ({ value, calls }) => {
    expect(readTraceValue(value).toolCalls).toMatchObject(calls as object);
  });

  it("reports a member that is no call and keeps the others", () => {
    const trace = readTraceValue({ tool_calls: [{ tool: "a" }, 7, { tool: "b" }] });
    expect(trace.toolCalls.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(trace.source.unknown).toEqual({ "is not a tool call": 1 });
  });

  it("is one run per line in a file of lines", async () => {
    const line = JSON.stringify(guide);
    await expect(readTrace(`${line}\n${line}\n`)).rejects.toMatchObject({ code: "input.not-one-trace" });
  });

  it("leaves messages and results of SDKs to their own readers", () => {
    const message = {
      role: "assistant",
      tool_calls: [{ id: "1", type: "function", function: { name: "a", arguments: "{}" } }],
    };
    expect(readTraceValue(message).source.format).toBe("openai-chat");
    expect(() => readTraceValue({ tool_calls: [] })).toThrow("No trace can be made");
  });
});
