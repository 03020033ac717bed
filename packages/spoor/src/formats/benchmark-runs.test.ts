/** The result files of three benchmarks: tau-bench, tau2-bench and AgentDojo. */
import { describe, expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";

describe("tau-bench", () => {
  const [run, dead] = importFixture("tau-bench/results.json");

  it("names runs by task and trial and labels them with the reward", () => {
    expect(run).toMatchObject({
      id: "task 12 trial 3",
      scenario: "12",
      source: { entry: "task 12 trial 3" },
      metadata: { task_id: 12, trial: 3, labels: { reward: 1 } },
    });
    expect(run).not.toHaveProperty("agent");
  });

  it("parses arguments that are JSON text, exactly, and leaves other text as it is", () => {
    expect(run!.toolCalls.map((call) => call.input)).toEqual([{ id: 12345678901234567890n }, "{not json"]);
  });

  it("knows a failed call by the text it begins with, and only by that", () => {
    expect(run!.toolCalls.map((call) => call.status)).toEqual(["error", "ok"]);
  });

  it("invents no clock, usage, model or stop reason", () => {
    expect(run!.turns[2]!.response).toEqual({ content: [{ type: "text", text: "Not found." }] });
    expect(run!.records.every((record) => !("ts" in record))).toBe(true);
  });

  it("keeps a run that died before its first turn, with its error", () => {
    expect(dead!.turns).toEqual([]);
    expect(dead!.records.at(-1)).toEqual({
      kind: "error",
      payload: { source: "llm", message: "litellm.APIConnectionError: reset" },
    });
  });

  it("refuses an entry that is no run, and says which", () => {
    expect(() => importValues("tau-bench", { document: [{ task_id: 1, traj: [] }, 7] })).toThrow(
      expect.objectContaining({ at: { file: "sample", path: "[1]" } }),
    );
  });
});

describe("tau2-bench", () => {
  const [run, dead] = importFixture("tau2-bench/results.json");

  it("lets the assistant speak first, in the same session", () => {
    expect(run!.turns[0]!.request["messages"]).toEqual([]);
    expect(run!.sessions).toHaveLength(1);
  });

  it("takes times from the clock, and none for the opening line that no model wrote", () => {
    expect(run!.turns.map((turn) => turn.durationMs)).toEqual([undefined, 750.5, 900]);
    expect(run!.toolCalls.map((call) => call.durationMs)).toEqual([0.25, 0.5]);
    expect(run!.source.notes).toContain("the clock names no time zone; it is read as UTC");
  });

  it("knows failed calls by their mark, and leaves the simulated user's own calls out", () => {
    expect(run!.toolCalls.map((call) => [call.name, call.status])).toEqual([
      ["find", "ok"],
      ["cancel", "error"],
    ]);
    expect(run!.source.notes).toContain("1 tool call of the simulated user left out");
  });

  it("carries model, parameters, usage, stop reason and reward", () => {
    expect(run!.turns[1]).toMatchObject({
      request: { model: "gpt-y", params: { temperature: 0 } },
      response: { stop_reason: "tool_use", usage: { input_tokens: 3107, output_tokens: 32 } },
    });
    expect(run).toMatchObject({
      id: "sim-1",
      agent: "llm_agent",
      scenario: "5",
      metadata: { trial: 1, labels: { reward: 0.5 } },
    });
  });

  it("keeps a run that ended in an error", () => {
    expect(dead!.records.at(-1)).toMatchObject({ kind: "error", payload: { code: "agent_error" } });
  });
});

describe("AgentDojo", () => {
  it("reads names from function and arguments from args, and joins results without ids", () => {
    const [run] = importFixture("agentdojo/run.json");
    expect(run!.toolCalls).toMatchObject([
      { name: "get_webpage", input: { url: "x" }, status: "ok", output: "page" },
      {
        name: "send",
        input: { to: "y" },
        status: "error",
        error: { message: "ValueError: no such channel", kind: "ValueError" },
      },
    ]);
    expect(run!.turns.at(-1)!.response["content"]).toEqual([{ type: "text", text: "Done." }]);
  });

  it("carries suite, task, attack and both labels", () => {
    const [run] = importFixture("agentdojo/run.json");
    expect(run).toMatchObject({
      agent: "gpt-y",
      scenario: "slack/user_task_0/injection_task_1",
      metadata: {
        attack_type: "direct",
        variant_of: "slack/user_task_0",
        labels: { utility: true, security: false },
      },
    });
  });

  it("reads one run per line, under `run` and `conversations`", () => {
    const runs = importFixture("agentdojo/runs.jsonl");
    expect(runs.map((run) => [run.id, run.scenario, run.toolCalls[0]!.input])).toEqual([
      ["runs/0.json", "banking/user_task_0", { n: 0 }],
      ["runs/1.json", "banking/user_task_1", { n: 1 }],
    ]);
  });
});
