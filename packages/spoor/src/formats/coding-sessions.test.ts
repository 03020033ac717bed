/** Sessions of OpenHands and goose, in every shape they are kept in. */
import type { Json } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { importFixture } from "../../test/fixtures.ts";
import { readTraceValue } from "../load/read-trace.ts";

const calls = (name: string) =>
  importFixture(name)[0]!.toolCalls.map(({ id, name: tool, input, output, status }) => ({
    id,
    tool,
    input,
    output,
    status,
  }));

describe("OpenHands", () => {
  it("joins the actions of one response, and tells failed commands by their exit code", () => {
    const [trace] = importFixture("openhands/trajectory.json");
    expect(trace!.source.unknown).toBeUndefined();
    expect(trace!.turns.map(({ toolCalls }) => toolCalls.length)).toEqual([2, 1]);
    expect(calls("openhands/trajectory.json")).toEqual([
      { id: "t1", tool: "execute_bash", input: { command: "npm test" }, output: "1 failed", status: "error" },
      {
        id: "t2",
        tool: "str_replace_editor",
        input: { command: "view", path: "/repo/a.ts" },
        output: "export {}",
        status: "ok",
      },
      { id: "t3", tool: "finish", input: { message: "Fixed." }, output: undefined, status: "unknown" },
    ]);
    expect(trace!.turns[0]).toMatchObject({ model: "claude-sonnet-4", system: "You are OpenHands agent." });
    expect(trace!.turns[0]!.response).toMatchObject({
      content: [{ type: "text", text: "I run the tests." }, {}, {}],
      usage: { input_tokens: 60, cached_input_tokens: 40, output_tokens: 20 },
    });
    expect(trace!.toolCalls[0]!.durationMs).toBe(2000);
    expect(trace!.source.notes).toEqual(["the clock names no time zone; it is read as UTC"]);
  });

  it("reads results of evaluations, one trace per line, pairs included", () => {
    const traces = importFixture("openhands/output.jsonl");
    expect(traces.map(({ scenario, metadata }) => [scenario, metadata["labels"]])).toEqual([
      ["swe__1", { resolved: true }],
      ["swe__2", { resolved: false }],
    ]);
    expect(traces[0]!.turns).toHaveLength(2);
    expect(traces[0]!.toolCalls).toMatchObject([
      { name: "run", input: { command: "ls" }, output: "a.py", status: "ok" },
    ]);
  });

  it("reads a result of an evaluation that was broken off: its error, the tools on offer and what each response took", () => {
    const [trace, ...others] = importFixture("openhands/evaluation.jsonl");
    expect(others).toEqual([]);
    expect(trace!.source.unknown).toBeUndefined();
    expect(trace!.scenario).toBe("shop__cart-7");
    expect(trace!.toolCalls.map(({ id, status }) => [id, status])).toEqual([
      ["toolu_01", "ok"],
      ["toolu_02", "error"],
    ]);
    expect(trace!.turns.map(({ durationMs }) => durationMs)).toEqual([1914, 2082.5]);
    expect(trace!.turns[0]).toMatchObject({
      model: "small-coder",
      request: { tools: [{ function: { name: "execute_bash" } }] },
      // The service said "stop", and asked for a tool.
      response: { stop_reason: "tool_use", usage: { input_tokens: 500, output_tokens: 40 } },
    });
    expect(trace!.records.at(-1)).toMatchObject({
      kind: "error",
      payload: { message: "RuntimeError: the agent used all of its 2 iterations" },
    });
  });

  it("takes the tokens of a response from the run's metrics where its event has none", () => {
    const history = [
      {
        id: "e1",
        kind: "MessageEvent",
        source: "user",
        llm_message: { role: "user", content: [{ type: "text", text: "Hi" }] },
      },
      {
        id: "e2",
        kind: "MessageEvent",
        source: "agent",
        llm_response_id: "r1",
        llm_message: { role: "assistant", content: [{ type: "text", text: "Hello." }] },
      },
    ];
    const token_usages = [{ response_id: "r1", prompt_tokens: 50, completion_tokens: 5, cache_read_tokens: 20 }];
    const result = { instance_id: "x", history, metrics: { token_usages }, error: null };
    const trace = readTraceValue(result);
    expect(trace.turns[0]!.response["usage"]).toEqual({ input_tokens: 30, cached_input_tokens: 20, output_tokens: 5 });
    expect(trace.records.some(({ kind }) => kind === "error")).toBe(false);
  });

  it("reads version 1, with an error of the tool and a call that a person refused", () => {
    const [trace] = importFixture("openhands/events-v1.jsonl");
    expect(trace!.source.unknown).toBeUndefined();
    expect(trace!.turns.map(({ toolCalls }) => toolCalls.length)).toEqual([2, 1, 0]);
    expect(trace!.toolCalls).toMatchObject([
      { name: "terminal", input: { command: "ls" }, output: "a.ts", status: "ok" },
      { name: "file_editor", output: "no such file", status: "error" },
      { name: "terminal", status: "error", refused: true },
    ]);
    expect(trace!.turns[0]!.response["content"]).toMatchObject([
      { type: "thinking", text: "Which file?" },
      { text: "I look." },
      {},
      {},
    ]);
  });
});

describe("goose", () => {
  it.each(["export.json", "session.jsonl", "stream.jsonl", "rows.jsonl"])("%s is the same two turns", (name) => {
    const [trace, ...others] = importFixture(`goose/${name}`);
    expect(others).toEqual([]);
    expect(trace!.source.unknown).toBeUndefined();
    expect(calls(`goose/${name}`)).toEqual([
      { id: "call_1", tool: "developer__shell", input: { command: "ls" }, output: "a.ts", status: "ok" },
      {
        id: "call_2",
        tool: "developer__text_editor",
        input: { command: "view", path: "x" },
        output: "-32603: no such file",
        status: "error",
      },
    ]);
    expect(trace!.turns.map(({ response }) => response["content"])).toMatchObject([
      [{ type: "text", text: "I look." }, {}, {}],
      [
        { type: "thinking", text: "One." },
        { type: "text", text: "There is a.ts." },
      ],
    ]);
    expect(trace!.turns[0]!.ts).toBe("2026-01-05T08:00:02.000Z");
  });

  it.each(["export.json", "rows.jsonl"])("%s names the model of the session", (name) => {
    expect(importFixture(`goose/${name}`)[0]!.turns.map(({ model }) => model)).toEqual(["small-coder", "small-coder"]);
  });

  it("keeps the calls that were made before the context was compacted, and begins anew at the summary", () => {
    const message = (role: string, content: Json, userVisible: boolean, agentVisible: boolean) => ({
      id: null,
      role,
      created: 1767600000,
      content: Array.isArray(content) ? content : [{ type: "text", text: content }],
      metadata: { userVisible, agentVisible },
    });
    const call = { id: "c1", toolCall: { status: "success", value: { name: "rm", arguments: { path: "x" } } } };
    const result = { status: "success", value: { content: [{ type: "text", text: "gone" }], isError: false } };
    const trace = readTraceValue({
      working_dir: "/w",
      conversation: [
        message("user", "Tidy up", true, false),
        message("assistant", [{ type: "toolRequest", ...call }], true, false),
        message("user", [{ type: "toolResponse", id: "c1", toolResult: result }], true, false),
        message("user", "The agent removed x.", false, true),
        message("assistant", "Go on from the summary.", false, true),
        message("user", "Tidy up", true, true),
        message("assistant", "Done.", true, true),
        message("assistant", "Saved to disk.", true, false),
      ],
    });
    expect(trace.toolCalls).toMatchObject([{ name: "rm", output: "gone", status: "ok" }]);
    expect(trace.turns.map(({ response }) => response["content"])).toMatchObject([
      [{ type: "tool_use" }],
      [{ type: "text", text: "Done." }],
    ]);
    expect(trace.turns[1]!.request["messages"]).toMatchObject([
      { role: "user", content: "The agent removed x." },
      { role: "assistant" },
      { role: "user", content: "Tidy up" },
    ]);
  });

  it("keeps a call whose pair was summed up on its own, and the history around it", () => {
    const at = (role: string, content: Json, metadata: Json) => ({ role, created: 1767600000, content, metadata });
    const gone = { userVisible: true, agentVisible: false };
    const both = { userVisible: true, agentVisible: true };
    const value = { name: "ls", arguments: {} };
    const trace = readTraceValue([
      at("user", [{ type: "text", text: "List" }], both),
      at("assistant", [{ type: "toolRequest", id: "c1", toolCall: { status: "success", value } }], gone),
      at("user", [{ type: "toolResponse", id: "c1", toolResult: { status: "error", error: "denied" } }], gone),
      at("user", [{ type: "text", text: "ls was denied." }], { userVisible: false, agentVisible: true }),
      at("assistant", [{ type: "text", text: "I may not." }], both),
    ]);
    expect(trace.toolCalls).toMatchObject([{ name: "ls", output: "denied", status: "error" }]);
    expect(trace.turns[1]!.request["messages"]).toMatchObject([{ content: "List" }, {}, {}, {}]);
  });
});
