/** Sub-agents stand under the calls that started them; what is beside the agent's work stands aside. */
import { describe, expect, it } from "vitest";
import { exchange, testCapture } from "../../test/capture.ts";
import { messages } from "../providers/messages.ts";
import type { JsonObject } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import type { SeenRequest } from "./seen.ts";

const user = (content: string): JsonObject => ({ role: "user", content });
const requests = (records: readonly TraceRecord[]) => records.filter(({ kind }) => kind.startsWith("chat_request"));
const tags = (records: readonly TraceRecord[]) => requests(records).map(({ meta }) => meta!["session_tag"]);

describe("sub-agents", () => {
  const prompt = "Find out which tests fail and why, then report.";
  const spawning = messages.encodeResponse({
    model: "m",
    content: [
      { type: "tool_use", id: "toolu_0123456789abcdef", name: "Agent", input: { subagent_type: "explorer", prompt } },
      {
        type: "tool_use",
        id: "toolu_fedcba9876543210",
        name: "Agent",
        input: { subagent_type: "writer", prompt: "Write the summary of it all." },
      },
    ],
    stop_reason: "tool_use",
  });
  const request = (text: string) =>
    messages.encodeRequest({ model: "m", messages: [user(text)], tools: [{ name: "Agent" }] });
  const done = messages.encodeResponse({
    model: "m",
    content: [{ type: "text", text: "done" }],
    stop_reason: "end_turn",
  });

  it.each<[string, (agent?: string) => Partial<SeenRequest>]>([
    ["without any header", () => ({})],
    [
      "of Claude Code",
      (agent) => ({
        headers: {
          "x-claude-code-session-id": "s",
          ...(agent === undefined ? {} : { "x-claude-code-agent-id": agent }),
        },
      }),
    ],
    ["of a stated session", () => ({ session: { id: "s" } })],
    [
      "of codex",
      (agent) => ({
        headers: {
          "session-id": "s",
          "thread-id": agent ?? "s",
          ...(agent === undefined ? {} : { "x-codex-parent-thread-id": "s" }),
        },
      }),
    ],
  ])("%s: one trace, each under the call that started it", (_name, more) => {
    const { capture, records, trace } = testCapture();
    exchange(capture, messages, request("Mend the tests"), spawning, more());
    exchange(capture, messages, request(prompt), done, more("agent-1"));
    exchange(capture, messages, request("<reminder>x</reminder>\nWrite the summary of it all."), done, more("agent-2"));
    expect(new Set(tags(records())).size).toBe(1);
    expect(trace().turns.map(({ agent, parentCallId }) => [agent, parentCallId])).toEqual([
      [undefined, undefined],
      ["explorer", "toolu_0123456789abcdef"],
      ["writer", "toolu_fedcba9876543210"],
    ]);
    expect(trace().sessions).toHaveLength(1);
  });

  it("named by the client alone, they are known by their thread", () => {
    const { capture, trace } = testCapture();
    exchange(capture, messages, request("Mend the tests"), done, { headers: { "x-claude-code-session-id": "s" } });
    const agent = { headers: { "x-claude-code-session-id": "s", "x-claude-code-agent-id": "agent-1" } };
    exchange(capture, messages, request("something else"), done, agent);
    expect(trace().turns.map((turn) => turn.agent)).toEqual([undefined, "agent-1"]);
  });

  it("a conversation that quotes no open call is no sub-agent", () => {
    const { capture, files } = testCapture();
    exchange(capture, messages, request("Mend the tests"), spawning);
    exchange(capture, messages, request("Something else altogether, about tests."), done);
    expect(files.size).toBe(2);
  });
});

describe("requests beside the agent's work", () => {
  const title = {
    ...messages.encodeRequest({ model: "m", messages: [user("Name this conversation")] }),
    output_format: { type: "json_schema", schema: {} },
  };
  const done = messages.encodeResponse({
    model: "m",
    content: [{ type: "text", text: "{}" }],
    stop_reason: "end_turn",
  });
  const main = messages.encodeRequest({ model: "m", messages: [user("Mend it")], tools: [{ name: "f" }] });

  it("a title of Claude Code, whichever comes first", () => {
    for (const order of [
      [title, main],
      [main, title],
    ]) {
      const { capture, files } = testCapture();
      for (const request of order)
        exchange(capture, messages, request, done, { headers: { "x-claude-code-session-id": "s" } });
      expect([...files.keys()].sort()).toEqual(["auxiliary", "s"]);
      expect(requests(files.get("s")!)).toHaveLength(1);
    }
  });

  it("an agent that works with forms alone is no one's title", () => {
    const { capture, files } = testCapture();
    for (let turn = 0; turn < 2; turn++) exchange(capture, messages, title, done, { session: { id: "s" } });
    expect([...files.keys()]).toEqual(["s"]);
  });
});
