import { describe, expect, it } from "vitest";
import { exchange, seenRequest, testCapture } from "../../test/capture.ts";
import { chat } from "../providers/chat.ts";
import { encodeStream } from "../providers/event-stream.ts";
import { messages } from "../providers/messages.ts";
import { streamOf } from "../providers/stream-codecs.ts";
import type { JsonObject } from "../trace/json.ts";
import type { Capture } from "./capture.ts";

const ask = (text: string): JsonObject => ({ model: "m", messages: [{ role: "user", content: text }] });
const answer = (id: string): JsonObject => ({
  id: `c-${id}`,
  object: "chat.completion",
  model: "m",
  choices: [
    {
      index: 0,
      message: {
        role: "assistant",
        content: null,
        tool_calls: [{ id, type: "function", function: { name: "look", arguments: '{"at":1}' } }],
      },
      finish_reason: "tool_calls",
    },
  ],
});

/** Half of an answer that will ask for a call. */
function begin(capture: Capture, text: string, id: string) {
  const call = capture.request(seenRequest(chat, ask(text)))!;
  const events = encodeStream(streamOf(chat)!, answer(id));
  call.head(200, { "content-type": "text/event-stream" }, 1_010);
  const half = events.length >> 1;
  call.text(events.slice(0, half), 1_020);
  return {
    end() {
      call.text(events.slice(half), 1_060);
      call.end(1_070);
    },
    cut: () => call.broke("server", { message: "gone" }, 1_070),
  };
}

describe("a tool that runs before its answer has ended", () => {
  it("is the call that the answer asks for, also where nobody knows its id", () => {
    const { capture, files } = testCapture();
    const only = begin(capture, "first", "call_1");
    capture.tool({ name: "look", input: { at: 1 }, atMs: 1_030 }).end("seen", 1_040);
    const other = capture.tool({ name: "look", input: { at: 2 }, atMs: 1_035 });
    only.end();
    other.end("else", 1_080);
    const tools = [...files.values()].flat().filter(({ kind }) => kind.startsWith("tool_"));
    expect(tools.map(({ payload }) => (payload as JsonObject)["tool_call_id"])).toEqual([
      "call_1",
      "call_1",
      "ran-1",
      "ran-1",
    ]);
  });

  it("stands in the run that asks for it, after the answer, with the times it had", () => {
    const { capture, files } = testCapture();
    const first = begin(capture, "first", "call_1");
    const second = begin(capture, "second", "call_2");
    const tool = capture.tool({ name: "look", input: { at: 1 }, callId: "call_1", atMs: 1_030 });
    tool.end("seen", 1_040);
    second.end();
    expect([...files.values()].flat().filter(({ kind }) => kind === "tool_call")).toEqual([]);
    first.end();
    const [run] = [...files.values()];
    expect(run!.map(({ kind }) => kind)).toEqual([
      "metadata",
      "chat_request",
      "chat_response",
      "tool_call",
      "tool_result",
    ]);
    expect(run!.at(-1)).toMatchObject({
      payload: { tool_call_id: "call_1", output: "seen", latency_ms: 10 },
      meta: { evidence: "ran" },
    });
    const history = [...(ask("first")["messages"] as JsonObject[])];
    const { message } = (answer("call_1")["choices"] as { message: JsonObject }[])[0]!;
    const told = { role: "tool", tool_call_id: "call_1", content: "seen" };
    exchange(capture, chat, { model: "m", messages: [...history, message, told] }, answer("call_3"));
    expect(run!.filter(({ kind }) => kind === "tool_result")).toHaveLength(1);
  });

  it("still runs when the answer ends, and is recorded when it does", () => {
    const { capture, records } = testCapture();
    const call = begin(capture, "first", "call_1");
    const tool = capture.tool({ name: "look", input: { at: 1 }, callId: "call_1", atMs: 1_030 });
    call.end();
    expect(records().at(-1)?.kind).toBe("tool_call");
    tool.failed({ message: "no" }, 1_090);
    expect(records().at(-1)).toMatchObject({ kind: "tool_result", payload: { is_error: true, output: "no" } });
  });

  it.each(["cut", "close"] as const)("is not lost when no answer asks for it: %s", (how) => {
    const { capture, records } = testCapture();
    const call = begin(capture, "first", "call_1");
    capture.tool({ name: "look", input: { at: 1 }, callId: "call_9", atMs: 1_030 }).end("seen", 1_040);
    if (how === "cut") call.cut();
    else capture.close(1_100);
    expect(records().filter(({ kind }) => kind === "tool_result")).toHaveLength(1);
  });
});

it.each([
  ["after", undefined],
  ["before", false],
] as const)("a client that leaves %s the model's last word: complete is %s", (when, complete) => {
  const { capture, records } = testCapture();
  const call = capture.request(seenRequest(messages, { ...ask("hello"), max_tokens: 5 }))!;
  const body = { id: "m1", type: "message", role: "assistant", model: "m", content: [{ type: "text", text: "hi" }] };
  const whole = { ...body, stop_reason: "end_turn", stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } };
  call.head(200, { "content-type": "text/event-stream" }, 1_010);
  const events = encodeStream(streamOf(messages)!, whole);
  call.text(when === "after" ? events : events.slice(0, events.indexOf("message_delta")), 1_020);
  call.broke("client", { message: "left" }, 1_030);
  const response = records().find(({ kind }) => kind === "chat_response")!;
  expect((response.meta as JsonObject)["complete"]).toBe(complete);
});
