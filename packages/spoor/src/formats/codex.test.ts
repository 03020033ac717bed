import type { Trace } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";

const names = (trace: Trace) => trace.turns.map((turn) => turn.toolCalls.map((call) => call.name));

describe("rollouts", () => {
  it("gives a search that ran at the provider no duration: its item is written when it has ended", () => {
    const item = (type: string, payload: object) => ({ timestamp: "2026-01-05T00:00:02.000Z", type, payload });
    const search = { type: "web_search_call", status: "completed", action: { type: "search", query: "q" } };
    const lines = [item("session_meta", { id: "s", cli_version: "0.60.0" }), item("response_item", search)];
    const [trace] = importValues("codex-rollout", { lines: lines as never });
    expect(trace!.toolCalls).toMatchObject([{ name: "web_search", status: "ok" }]);
    expect(trace!.toolCalls[0]).not.toHaveProperty("durationMs");
  });

  it("groups the items of one response, and takes its usage from whichever record has it", () => {
    const [trace] = importFixture("codex/rollout.jsonl");
    expect(names(trace!)).toEqual([["exec_command", "exec_command"], ["exec_command"], ["exec_command"], []]);
    expect(trace!.turns.map((turn) => turn.response["usage"])).toEqual([
      { input_tokens: 1000, output_tokens: 20 },
      { input_tokens: 1090, output_tokens: 21, cached_input_tokens: 10 },
      { input_tokens: 1180, output_tokens: 22, cached_input_tokens: 20 },
      { input_tokens: 1270, output_tokens: 23, cached_input_tokens: 30 },
    ]);
    expect(trace).toMatchObject({ agent: "codex", id: "01a1dd8a-c33e-7ce1-8da2-15a85f0576c9" });
  });

  it("takes exit codes and durations of commands from the events", () => {
    const [trace] = importFixture("codex/rollout.jsonl");
    expect(trace!.toolCalls.map((call) => call.status)).toEqual(["ok", "ok", "error", "ok"]);
    expect(trace!.toolCalls.map((call) => call.durationMs)).toEqual([0.006, 83.683, 266.174, 0.005]);
    expect(trace!.toolCalls[0]!.input).toEqual({ cmd: "ls -1" });
  });

  it("reads older files: outputs wrapped in JSON text, counts repeated by events, instructions as text", () => {
    const [trace] = importFixture("codex-rollout/older.jsonl");
    expect(names(trace!)).toEqual([["shell"], ["apply_patch", "local_shell"], []]);
    expect(trace!.turns[0]!.request["messages"]).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "Run the tests" },
    ]);
    expect(trace!.turns.map((turn) => turn.response["usage"])).toEqual([
      { input_tokens: 60, output_tokens: 20, cached_input_tokens: 40, thinking_tokens: 10 },
      undefined,
      undefined,
    ]);
    expect(trace!.toolCalls).toMatchObject([
      { status: "error", output: "1 failed\n", durationMs: 1500, input: { command: ["npm", "test"] } },
      { status: "ok", input: "*** Begin Patch" },
      { status: "error", output: "a.txt" },
    ]);
    expect(trace!.turns[0]!.response["content"]).toMatchObject([
      { type: "thinking", text: "Tests first." },
      { type: "tool_use" },
    ]);
  });

  it("begins anew after a compaction, keeps interruptions, counts the unknown", () => {
    const [trace] = importFixture("codex-rollout/older.jsonl");
    expect(trace!.turns.at(-1)!.request["messages"]).toEqual([{ role: "user", content: "We fixed the test." }]);
    expect(trace!.sessions).toHaveLength(1);
    expect(trace!.source.unknown).toEqual({ "item: something_new": 1, brand_new: 1 });
    expect(trace!.records.at(-1)).toMatchObject({ payload: { category: "stream_interrupt", name: "turn_aborted" } });
  });
});

describe("codex exec --json", () => {
  it("gives the same turns as the rollout of the same real run", () => {
    const [stream] = importFixture("codex/exec-stream.jsonl");
    const [rollout] = importFixture("codex/rollout.jsonl");
    expect(stream!.id).toBe(rollout!.id);
    expect(stream!.turns.map((turn) => turn.toolCalls.length)).toEqual(
      rollout!.turns.map((turn) => turn.toolCalls.length),
    );
    expect(stream!.toolCalls.map((call) => call.status)).toEqual(["ok", "ok", "error", "ok"]);
    expect(stream!.turns[0]!.toolCalls.every((call) => call.parallelGroup === "turn-0")).toBe(true);
    expect(stream!.source.notes).toEqual([
      "the stream does not mark model responses; they are told apart by tool results",
    ]);
  });

  it("gives the usage of a whole turn to no single response of several", () => {
    const [stream] = importFixture("codex/exec-stream.jsonl");
    expect(stream!.turns.every((turn) => !Object.hasOwn(turn.response, "usage"))).toBe(true);
    expect(stream!.records.at(-1)).toMatchObject({
      payload: { name: "turn_usage", attributes: { input_tokens: 4540, output_tokens: 86, cached_input_tokens: 60 } },
    });
  });

  it("keeps the calls of sub-agents, with what they were told and what became of them", () => {
    const spawn = {
      id: "i1",
      type: "collab_tool_call",
      tool: "spawn_agent",
      sender_thread_id: "t0",
      prompt: "Count files",
    };
    const wait = { id: "i2", type: "collab_tool_call", tool: "wait", receiver_thread_ids: ["t1"], prompt: null };
    const states = { t1: { status: "completed", message: "There are 3." } };
    const [trace] = importValues("codex-exec", {
      lines: [
        { type: "thread.started", thread_id: "t0" },
        { type: "item.started", item: { ...spawn, receiver_thread_ids: [], agents_states: {}, status: "in_progress" } },
        {
          type: "item.completed",
          item: { ...spawn, receiver_thread_ids: ["t1"], agents_states: {}, status: "completed" },
        },
        { type: "item.started", item: { ...wait, agents_states: {}, status: "in_progress" } },
        { type: "item.completed", item: { ...wait, agents_states: states, status: "completed" } },
        { type: "item.completed", item: { id: "i3", type: "agent_message", text: "3" } },
      ],
    });
    expect(trace!.toolCalls).toMatchObject([
      { name: "spawn_agent", input: { prompt: "Count files" }, status: "ok" },
      { name: "wait", input: { receiver_thread_ids: ["t1"] }, output: states, status: "ok" },
    ]);
    expect(trace!.source.unknown).toBeUndefined();
  });

  it("takes an item of a kind it does not know for a call, or says that it was there", () => {
    const [trace] = importValues("codex-exec", {
      lines: [
        { type: "thread.started", thread_id: "t0" },
        { type: "item.completed", item: { id: "a", type: "image_view_call", path: "a.png" } },
        {
          type: "item.completed",
          item: { id: "b", type: "browser", tool: "open", arguments: { url: "x" }, status: "failed" },
        },
        { type: "item.started", item: { id: "c", type: "thought_bubble" } },
        { type: "item.completed", item: { id: "d", type: "weather_note", note: "rain" } },
        { type: "item.completed", item: { id: "e", type: "agent_message", text: "Done." } },
      ],
    });
    expect(trace!.toolCalls).toMatchObject([
      { name: "image_view_call", input: { path: "a.png" }, status: "ok" },
      { name: "open", input: { url: "x" }, status: "error" },
    ]);
    expect(trace!.source.unknown).toEqual({ "item: thought_bubble": 1, "item: weather_note": 1 });
  });
});

describe("Trae, which writes the history as it changes", () => {
  const line = (type: string, payload: object) => ({ timestamp: "2026-01-05T10:00:00.000Z", type, payload });
  const said = (role: string, text: string) => ({ type: "message", role, content: [{ type: "output_text", text }] });

  it("what is appended happened; nobody measured how long a tool took", () => {
    const [trace] = importFixture("codex-rollout/trae.jsonl");
    expect(trace!.turns.map((turn) => turn.text)).toEqual(["I look.", "Two files."]);
    expect(trace!.toolCalls).toMatchObject([
      { name: "exec", input: { cmd: "ls" }, output: "a.ts\nb.ts\n", status: "ok", turnIndex: 0 },
    ]);
    expect(trace!.toolCalls[0]!.durationMs).toBeUndefined();
    // 90 with 30 cached, 14 with 4 of reasoning.
    expect(trace!.turns[0]!.usage).toEqual({
      inputTokens: 60,
      cachedInputTokens: 30,
      outputTokens: 10,
      thinkingTokens: 4,
    });
    expect(trace!.source.unknown).toBeUndefined();
  });

  it.each(["replace", "truncate"])("%s gives a new history, in which nothing happened again", (operation) => {
    const [trace] = importValues("codex-rollout", {
      lines: [
        line("history_mutation", { operation: "append", items: [said("user", "Go."), said("assistant", "Done.")] }),
        line("history_mutation", { operation, items: [said("user", "So far: done.")] }),
        line("history_mutation", { operation: "append", items: [said("assistant", "And more.")] }),
      ] as never,
    });
    expect(trace!.turns.map((turn) => turn.text)).toEqual(["Done.", "And more."]);
    expect(trace!.turns[1]!.request["messages"]).toEqual([{ role: "user", content: "So far: done." }]);
  });

  it("a change that holds no items is counted", () => {
    const lines = [
      line("history_mutation", { operation: "append", items: [said("assistant", "Done.")] }),
      line("history_mutation", { operation: "rollback", to: 1 }),
    ];
    const [trace] = importValues("codex-rollout", { lines: lines as never });
    expect(trace!.source.unknown).toEqual({ "history_mutation: rollback": 1 });
  });
});
