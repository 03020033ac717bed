import { expect, it } from "vitest";
import { importFixture } from "../../test/fixtures.ts";

const [trace] = importFixture("pi/session.jsonl");

it("keeps an aborted response without content as a turn, without its empty usage", () => {
  expect(trace!.turns[0]!.response).toEqual({
    model: "gpt-z",
    content: [],
    stop_reason: "aborted",
    latency_ms: 900,
    error: { message: "Request was aborted" },
  });
});

it("reads calls, failures and stop reasons", () => {
  expect(trace!.turns[1]!.toolCalls).toMatchObject([
    { name: "bash", input: { command: "ls" }, status: "ok", output: "a\nb", durationMs: 150, parallelGroup: "turn-1" },
    { name: "read", status: "error", durationMs: 250, parallelGroup: "turn-1" },
  ]);
  expect(trace!.turns.map((turn) => turn.response["stop_reason"])).toEqual(["aborted", "tool_use", "end_turn"]);
});

it("times a response from its own clock to the line's, and counts its tokens once", () => {
  expect(trace!.turns[1]!.durationMs).toBe(1500);
  expect(trace!.turns[1]!.response["usage"]).toEqual({
    input_tokens: 3,
    output_tokens: 40,
    cached_input_tokens: 100,
    cached_write_5m_tokens: 20,
  });
});

it("cuts the history at a compaction", () => {
  expect(trace!.turns[2]!.request["messages"]).toEqual([
    { role: "user", content: "There are a and b." },
    { role: "user", content: "go on" },
  ]);
  expect(trace!.sessions).toHaveLength(1);
  expect(trace!.source.unknown).toEqual({ brand_new: 1 });
});
