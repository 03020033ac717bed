import { describe, expect, it } from "vitest";
import type { Json } from "./json.ts";
import type { TraceRecord } from "./record.ts";
import { cutSessions } from "./sessions.ts";

const marker: TraceRecord = { kind: "metadata", payload: {} };
const ask = (...messages: Json[]): TraceRecord => ({ kind: "chat_request", payload: { model: "m", messages } });
const answer = (stop: string): TraceRecord => ({ kind: "chat_response", payload: { content: [], stop_reason: stop } });
const failed: TraceRecord = { kind: "error", payload: { source: "llm", code: "429", message: "slow down" } };
const tagged = (tag: string, record: TraceRecord): TraceRecord => ({
  ...record,
  meta: { ...record.meta, session_tag: tag },
});
const user = (content: Json) => ({ role: "user", content });
const tool = { role: "tool", tool_call_id: "1", content: "x" };
const toolResults = user([{ type: "tool_result", tool_use_id: "1", content: "x" }]);

const LONG = "Your parcel arrives tomorrow before noon.";

describe("sessions of a trace", () => {
  it.each([
    {
      name: "two markers decide alone",
      records: [marker, ask(user("a")), answer("end_turn"), marker, ask(user("b"))],
      expected: [0, 0, 0, 1, 1],
    },
    {
      name: "a response goes with its request across a marker",
      records: [marker, ask(user("a")), marker, answer("end_turn")],
      expected: [0, 0, 1, 0],
    },
    {
      name: "an ended response and a new user message open a session",
      records: [ask(user("a")), answer("end_turn"), ask(user("b")), answer("end_turn")],
      expected: [0, 0, 1, 1],
    },
    {
      name: "a tool result continues",
      records: [ask(user("a")), answer("tool_use"), ask(user("a2"), tool), answer("end_turn")],
      expected: [0, 0, 0, 0],
    },
    {
      name: "tool results in a user message are not the user speaking",
      records: [ask(user("a")), answer("tool_use"), ask(user("z"), toolResults), answer("end_turn")],
      expected: [0, 0, 0, 0],
    },
    {
      name: "a request that extends the previous one is the same conversation",
      records: [
        ask(user("a")),
        answer("end_turn"),
        ask(user("a"), { role: "assistant", content: "x" }, user("b")),
        answer("end_turn"),
      ],
      expected: [0, 0, 0, 0],
    },
    {
      name: "equal lists are no extension",
      records: [ask(user("a")), answer("end_turn"), ask(user("a")), answer("end_turn")],
      expected: [0, 0, 1, 1],
    },
    {
      name: "an agent that speaks first stays in its conversation",
      records: [ask(), answer("end_turn"), ask({ role: "assistant", content: "hello" }, user("a")), answer("end_turn")],
      expected: [0, 0, 0, 0],
    },
    {
      name: "a conversation goes on after a cut of its history",
      records: [
        ask(user("a")),
        answer("end_turn"),
        { kind: "harness_event", payload: { category: "context_trim", name: "compaction", severity: "info" } },
        ask(user("summary")),
        answer("end_turn"),
      ],
      expected: [0, 0, 0, 0, 0],
    },
    {
      name: "a sub-agent works inside the session that called it",
      records: [
        ask(user("a")),
        answer("tool_use"),
        { ...ask(user("sub")), meta: { parent_tool_call_id: "1" } },
        { ...answer("end_turn"), meta: { parent_tool_call_id: "1" } },
        ask(user("a"), { role: "assistant", content: [] }, tool),
        answer("end_turn"),
      ],
      expected: [0, 0, 0, 0, 0, 0],
    },
    {
      name: "a clock in the system prompt does not cut",
      records: [
        ask({ role: "system", content: "It is 10:00." }, user("a")),
        answer("end_turn"),
        ask({ role: "system", content: "It is 10:01." }, user("a"), { role: "assistant", content: "x" }, user("b")),
        answer("end_turn"),
      ],
      expected: [0, 0, 0, 0],
    },
    {
      name: "a mark for the cache that moves does not cut",
      records: [
        ask(user([{ type: "text", text: "a", cache_control: { type: "ephemeral" } }])),
        answer("end_turn"),
        ask(user([{ type: "text", text: "a" }]), { role: "assistant", content: "x" }, user("b")),
        answer("end_turn"),
      ],
      expected: [0, 0, 0, 0],
    },
    {
      name: "a text that becomes a block does not cut",
      records: [
        ask(user("a")),
        answer("end_turn"),
        ask(user([{ type: "text", text: "a" }]), { role: "assistant", content: "x" }, user("b")),
        answer("end_turn"),
      ],
      expected: [0, 0, 0, 0],
    },
    {
      name: "a history whose beginning was cut off goes on where it quotes the answer",
      records: [
        ask(user("a"), { role: "assistant", content: "x" }, user("b")),
        { kind: "chat_response", payload: { content: [{ type: "text", text: LONG }], stop_reason: "end_turn" } },
        ask(user("b"), { role: "assistant", content: LONG }, user("c")),
        answer("end_turn"),
      ],
      expected: [0, 0, 0, 0],
    },
    {
      name: "and where it quotes the calls",
      records: [
        ask(user("a"), { role: "assistant", content: "x" }, user("b")),
        {
          kind: "chat_response",
          payload: { content: [{ type: "tool_use", id: "c1", name: "t", input: {} }], stop_reason: "max_tokens" },
        },
        ask(
          { role: "assistant", content: null, tool_calls: [{ id: "c1", function: { name: "t", arguments: "{}" } }] },
          user("c"),
        ),
        answer("end_turn"),
      ],
      expected: [0, 0, 0, 0],
    },
    {
      name: "another conversation that also heard OK is another conversation",
      records: [
        ask(user("a")),
        { kind: "chat_response", payload: { content: "OK", stop_reason: "end_turn" } },
        ask(user("z"), { role: "assistant", content: "OK" }, user("c")),
        answer("end_turn"),
      ],
      expected: [0, 0, 1, 1],
    },
    {
      name: "another system prompt alone is no conversation",
      records: [
        ask({ role: "system", content: "one" }, user("a")),
        answer("end_turn"),
        ask({ role: "system", content: "two" }, user("b")),
        answer("end_turn"),
      ],
      expected: [0, 0, 1, 1],
    },
    {
      name: "responses without requests stay together",
      records: [answer("end_turn"), answer("end_turn")],
      expected: [0, 0],
    },
    {
      name: "a first request after lone responses opens a session",
      records: [answer("end_turn"), ask(user("a"))],
      expected: [0, 1],
    },
    {
      name: "a request tried again after an error stays where it was",
      records: [ask(user("a")), failed, ask(user("a")), answer("end_turn")],
      expected: [0, 0, 0, 0],
    },
    {
      name: "another request after an error is another conversation",
      records: [ask(user("a")), failed, ask(user("b")), answer("end_turn")],
      expected: [0, 0, 1, 1],
    },
    {
      name: "an error after the answer makes no retry of an equal request",
      records: [ask(user("a")), answer("end_turn"), failed, ask(user("a"))],
      expected: [0, 0, 0, 1],
    },
    {
      name: "interleaved conversations with a tag stay apart, a sub-agent with its root, and answers with their requests",
      records: [
        tagged("x", ask(user("a"))),
        tagged("y", ask(user("b"))),
        tagged("x", answer("tool_use")),
        { ...answer("end_turn") },
        tagged("x", { ...ask(user("sub")), meta: { parent_tool_call_id: "1" } }),
        tagged("x", { ...answer("end_turn"), meta: { parent_tool_call_id: "1" } }),
        tagged("y", ask(user("b"), { role: "assistant", content: "x" }, user("c"))),
      ],
      expected: [0, 1, 0, 1, 0, 0, 1],
    },
  ])("$name", ({ records, expected }) => {
    expect(cutSessions(records)).toEqual(expected);
  });

  it("an explicit key beats markers", () => {
    const keyed = (key: string): TraceRecord => ({ ...ask(user("a")), meta: { session: key } });
    const key = (record: TraceRecord) => record.meta?.["session"] as string | undefined;
    expect(cutSessions([marker, keyed("x"), marker, keyed("y"), keyed("x")], { key })).toEqual([0, 0, 0, 1, 0]);
  });
});
