import { expect, it } from "vitest";
import { importFixture, importValues } from "../../test/fixtures.ts";

const [trace] = importFixture("copilot/events.jsonl");

it("makes a turn of each assistant message and pairs tools with their executions", () => {
  expect(trace!.turns.map((turn) => turn.toolCalls.map((call) => call.name))).toEqual([["view", "task"], [], []]);
  expect(trace!.toolCalls).toMatchObject([
    { status: "error", error: { message: "denied by the user", kind: "denied" }, durationMs: 400 },
    { status: "ok", output: "found it", durationMs: 1000 },
  ]);
  expect(trace).toMatchObject({ id: "cop-1", agent: "copilot" });
});

it("knows the sub-agent by the call that started it", () => {
  expect(trace!.turns.map((turn) => [turn.agent, turn.parentCallId])).toEqual([
    [undefined, undefined],
    ["explore", "t2"],
    [undefined, undefined],
  ]);
});

it("takes usage from its event, without counting cached tokens twice", () => {
  expect(trace!.turns[0]!.response).toMatchObject({
    model: "gpt-y",
    usage: { input_tokens: 500, output_tokens: 50, cached_input_tokens: 400 },
    latency_ms: 2000,
  });
  expect(trace!.turns[0]!.response).not.toHaveProperty("stop_reason");
});

it("takes the output tokens of a message where no event tells more", () => {
  const message = (id: string) => ({ type: "assistant.message", data: { content: id, outputTokens: 9 } });
  const usage = { type: "assistant.usage", data: { inputTokens: 20, outputTokens: 10 } };
  const start = { type: "session.start", data: { sessionId: "s", copilotVersion: "1.0" } };
  const [saved] = importValues("copilot", { lines: [start, message("a"), message("b"), usage] });
  expect(saved!.turns.map((turn) => turn.response["usage"])).toEqual([
    { output_tokens: 9 },
    { input_tokens: 20, output_tokens: 10 },
  ]);
});

it("keeps refused permissions and counts the unknown", () => {
  expect(
    trace!.records.filter((record) => record.kind === "harness_event").map((record) => record.payload),
  ).toMatchObject([{ category: "guardrail", name: "permission denied-interactively-by-user" }]);
  expect(trace!.source.unknown).toEqual({ brandnew: 1 });
});

it("takes a command that exits with an error for a failed call, and a tool nobody asked for in words for a call", () => {
  const lines = [
    { type: "tool.execution_start", data: { toolCallId: "c", toolName: "bash", arguments: { command: "exit 7" } } },
    {
      type: "tool.execution_complete",
      data: { toolCallId: "c", success: true, result: { content: "" }, shellExecution: { exitCode: 7 } },
    },
    { type: "assistant.message", data: { content: "It failed." } },
    { type: "result", usage: { sessionDurationMs: 2000 }, exitCode: 0 },
  ];
  const [printed] = importValues("copilot", { lines });
  expect(printed!.toolCalls).toMatchObject([{ name: "bash", input: { command: "exit 7" }, status: "error" }]);
  expect(printed!.metadata).toMatchObject({ duration_ms: 2000 });
  expect(printed!.source.unknown).toBeUndefined();
});

it("names a tool of an MCP server by server and tool, asked for in words or not", () => {
  const mcp = { mcpServerName: "my-docs", mcpToolName: "look-up" };
  const request = { toolCallId: "c1", name: "my-docs-look-up", arguments: { q: 1 }, ...mcp };
  const lines = [
    { type: "assistant.message", data: { content: "", toolRequests: [request] } },
    {
      type: "tool.execution_start",
      data: { ...mcp, toolCallId: "c2", toolName: "my-docs-look-up", arguments: { q: 2 } },
    },
    { type: "tool.execution_complete", data: { toolCallId: "c2", success: true, result: { content: "found" } } },
    { type: "model.call_start", data: { turnId: "0", model: "m" } },
    { type: "result", exitCode: 0 },
  ];
  const [printed] = importValues("copilot", { lines });
  expect(printed!.toolCalls.map(({ name }) => name)).toEqual(["mcp__my-docs__look-up", "mcp__my-docs__look-up"]);
  expect(printed!.source.unknown).toBeUndefined();
});

it.each([
  ["an exit code beside the result", { success: true, shellExecution: { exitCode: 2 } }, "error"],
  ["an exit code inside the result", { success: true, result: { shellExecution: { exitCode: 1 } } }, "error"],
  ["a tool that failed", { success: false, error: { message: "no such file", code: "failure" } }, "error"],
  ["a command that ended well", { success: true, shellExecution: { exitCode: 0 }, result: { content: "" } }, "ok"],
])("tells by %s whether a call failed", (_, outcome, status) => {
  const start = { type: "tool.execution_start", data: { toolCallId: "c", toolName: "bash", arguments: {} } };
  const end = { type: "tool.execution_complete", data: { toolCallId: "c", ...outcome } };
  const [printed] = importValues("copilot", { lines: [start, end, { type: "result", exitCode: 0 }] });
  expect(printed!.toolCalls).toMatchObject([{ status }]);
});
