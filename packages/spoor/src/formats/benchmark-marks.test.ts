/** What benchmarks mark only by their texts: failed calls, calls, and steps that a history left out. */
import type { Json } from "@spoor/core";
import { describe, expect, it } from "vitest";
import { importValues } from "../../test/fixtures.ts";

const call = (id: string, name: string) => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, name, arguments: {} }],
});

describe("tau2 results without a mark", () => {
  const failed = (result: Json) =>
    importValues("tau2-bench", {
      document: {
        simulations: [
          {
            id: "s",
            task_id: "1",
            messages: [call("a", "pay"), { role: "tool", id: "a", ...(result as object) }] as Json[],
          },
        ],
      },
    })[0]!.toolCalls[0]!.status;

  it.each([
    { name: "no key", result: { content: "Error: order not found" }, status: "error" },
    { name: "null", result: { content: "Error executing pay: no funds", error: null }, status: "error" },
    { name: "a text", result: { content: '{"ok": true, "note": "Error free"}' }, status: "ok" },
    { name: "another word", result: { content: "Errors were found in none of the orders" }, status: "ok" },
    { name: "a word with a hyphen", result: { content: "Error-free delivery: yes" }, status: "ok" },
    { name: "the word alone", result: { content: "Error" }, status: "error" },
    { name: "marked as no error", result: { content: "Error: as asked for", error: false }, status: "ok" },
    { name: "marked as error", result: { content: "refused", error: true }, status: "error" },
  ])("$name: $status", ({ result, status }) => {
    expect(failed(result)).toBe(status);
  });
});

describe("tau-bench agents that act by text", () => {
  const run = (...traj: Json[]) => importValues("tau-bench", { document: [{ task_id: 1, trial: 0, traj }] })[0]!;

  it("the action is a call, the API's output its result, the thought is thought", () => {
    const trace = run(
      { role: "user", content: "Cancel it." },
      {
        role: "assistant",
        content: 'Thought:\nI need the order.\nAction:\n{"name": "get_order", "arguments": {"id": "#7"}}',
      },
      { role: "user", content: "API output: Error: order not found" },
      { role: "assistant", content: 'Action:\n{"name": "respond", "arguments": {"content": "Which order?"}}' },
    );
    expect(trace.toolCalls).toMatchObject([
      { name: "get_order", input: { id: "#7" }, output: "Error: order not found", status: "error" },
    ]);
    expect(trace.turns.map((turn) => turn.text)).toEqual(["", "Which order?"]);
    expect(trace.turns[0]!.thinking).toEqual(["I need the order."]);
  });

  it.each(["Action: none", 'Action:\n{"name": "x"}', 'Action:\n{"name": "x", "arguments": ', "No action at all"])(
    "%j stays what the model said",
    (content) => {
      const trace = run({ role: "assistant", content });
      expect(trace.turns.map((turn) => turn.text)).toEqual([content]);
      expect(trace.toolCalls).toEqual([]);
    },
  );
});

describe("steps that SWE-agent's history left out", () => {
  const step = (action: string) => ({
    action,
    observation: `did ${action}`,
    response: `I run ${action}`,
    execution_time: 0.1,
  });
  const said = (action: string): Json[] => [
    { role: "assistant", content: `I run ${action}`, action, agent: "main" },
    { role: "user", content: `did ${action}`, agent: "main" },
  ];
  const commands = (actions: string[], kept: string[]) =>
    importValues("swe-agent", {
      document: {
        history: [{ role: "user", content: "Fix it." }, ...kept.flatMap(said)],
        trajectory: actions.map(step),
      },
    })[0]!.toolCalls.map((made) => (made.input as { command: string }).command);

  it.each([
    { name: "in the middle", actions: ["ls", "vim x", "cat x"], kept: ["ls", "cat x"] },
    { name: "at the beginning", actions: ["vim x", "ls"], kept: ["ls"] },
    { name: "at the end", actions: ["ls", "vim x"], kept: ["ls"] },
    { name: "two in a row", actions: ["ls", "a", "b", "cat x"], kept: ["ls", "cat x"] },
    { name: "none", actions: ["ls", "ls"], kept: ["ls", "ls"] },
  ])("$name", ({ actions, kept }) => {
    expect(commands(actions, kept)).toEqual(actions);
  });
});
