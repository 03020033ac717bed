/** Sessions of OpenHands and goose, in every shape they are kept in. */
import { describe, expect, it } from "vitest";
import { importFixture } from "../../test/fixtures.ts";

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
  it.each(["export.json", "session.jsonl", "stream.jsonl"])("%s is the same two turns", (name) => {
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
});
