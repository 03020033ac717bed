import { expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";

it("takes the first word of the shell text as the tool where there are no call objects", () => {
  const [trace] = importFixture("swe-agent/older.traj");
  expect(trace!.turns.map((turn) => turn.toolCalls.map((call) => [call.name, call.input]))).toEqual([
    [["ls", { command: "ls -F\n" }]],
    [],
    [["submit", { command: "submit\n" }]],
  ]);
  expect(trace!.toolCalls.map((call) => call.output)).toEqual(["a.py\n(Open file: n/a)", "diff --git"]);
});

it("shows demonstrations to the model but counts no turn for them", () => {
  const [trace] = importFixture("swe-agent/older.traj");
  expect(trace!.turns).toHaveLength(3);
  expect(trace!.turns[0]!.request["messages"]).toMatchObject([
    { role: "system" },
    { role: "user" },
    { content: "shown only" },
    { role: "user" },
  ]);
  expect(trace!.metadata["labels"]).toMatchObject({ exit_status: "submitted", cost_usd: 0.5 });
});

it("reads call objects and the execution times of the steps", () => {
  const [trace] = importFixture("swe-agent/newer.traj");
  expect(trace!.toolCalls).toMatchObject([
    { id: "call_1", name: "find_file", input: { file_name: "x.py" }, durationMs: 250 },
  ]);
});

it("reads a trajectory without a history", () => {
  const trajectory = [
    { action: "ls", observation: "a", response: "I list." },
    { action: "", observation: "", response: "Hm." },
  ];
  const [trace] = importValues("swe-agent", { document: { trajectory } });
  expect(trace!.turns.map((turn) => turn.toolCalls.map((call) => [call.name, call.output]))).toEqual([
    [["ls", "a"]],
    [],
  ]);
});
