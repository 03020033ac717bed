import { expect, it } from "vitest";
import { exchange, testCapture } from "../../test/capture.ts";
import { chat } from "../providers/chat.ts";
import type { JsonObject } from "./json.ts";
import { markOfHeader, REPLAY_HEADER, replayedMetadata, replayHeader, replayMeta, servedWays } from "./replay-marks.ts";

it.each([...servedWays, "refused" as const])("a header says %s as it was meant, with the place", (served) => {
  expect(markOfHeader(replayHeader({ served }))).toEqual({ served });
  const from = { trace: "a;b=c/ü.agentlog#2", turn: 3 };
  expect(markOfHeader(replayHeader({ served, from }))).toEqual({ served, from });
});

it.each([undefined, "", "yes", "turn=3"])("%j says nothing", (text) => {
  expect(markOfHeader(text)).toBeUndefined();
});

const asked: JsonObject = { model: "m", messages: [{ role: "user", content: "hi" }] };
const said: JsonObject = {
  id: "r",
  object: "chat.completion",
  model: "m",
  choices: [
    {
      index: 0,
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "c1", type: "function", function: { name: "get_order", arguments: '{"id":1}' } },
          { id: "c2", type: "function", function: { name: "cancel_order", arguments: '{"id":1}' } },
        ],
      },
    },
  ],
};

it("a recording knows what was served, what was refused and from where it left the path", () => {
  const { capture, trace } = testCapture({
    metadata: { door: "test", ...replayedMetadata({ model: false, tools: true }) },
  });
  exchange(capture, chat, asked, said);
  const tool = (callId: string, name: string) => capture.tool({ name, input: { id: 1 }, callId, atMs: 2_000 });
  tool("c1", "get_order").end("open", 2_500, { served: "exact", from: { trace: "a.agentlog", turn: 0 } });
  tool("c2", "cancel_order").failed({ message: "not run" }, 2_600, { served: "refused" });
  exchange(
    capture,
    chat,
    { ...asked, messages: [{ role: "user", content: "hi" }, ...history()] },
    { ...said, id: "r2" },
  );
  const built = trace();
  expect(built.toolCalls.slice(0, 2)).toMatchObject([
    { name: "get_order", status: "ok", evidence: "replayed", output: "open" },
    { name: "cancel_order", status: "error", evidence: "stand_in", standIn: "refused" },
  ]);
  expect(built.toolCalls[0]!.durationMs).toBeUndefined();
  expect(built.turns[0]!.durationMs).toBe(30);
  expect(built.recording).toEqual({ replayed: { model: false, tools: true }, offPathFrom: 1 });
});

it("an answer of a recording has no latency and says where it is from", () => {
  const { capture, records, trace } = testCapture();
  const call = capture.request({
    method: "POST",
    url: "https://api.openai.com/v1/chat/completions",
    headers: {},
    body: JSON.stringify(asked),
    atMs: 1_000,
  })!;
  const mark = { served: "exact", from: { trace: "a.agentlog", turn: 0 } } as const;
  call.head(200, { "content-type": "application/json", [REPLAY_HEADER]: replayHeader(mark) }, 1_001);
  call.text(JSON.stringify(said), 1_002);
  call.end(1_003);
  expect(trace().turns[0]!.durationMs).toBeUndefined();
  expect(records().find(({ kind }) => kind === "chat_response")!.meta).toMatchObject(replayMeta(mark));
});

function history(): JsonObject[] {
  const [choice] = said["choices"] as readonly JsonObject[];
  return [
    choice!["message"] as JsonObject,
    { role: "tool", tool_call_id: "c1", content: "open" },
    { role: "tool", tool_call_id: "c2", content: "not run" },
  ];
}
