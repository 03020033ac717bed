import { expect, it } from "vitest";
import { exchange, testCapture } from "../../test/capture.ts";
import { chat } from "../providers/chat.ts";
import type { JsonObject } from "../trace/json.ts";

const TASK = "Please look after the second half of the work";
const user = (content: string): JsonObject => ({ role: "user", content });
const reply = (message: JsonObject): JsonObject => ({
  id: "x",
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content: null, ...message }, finish_reason: "stop" }],
});
const spawning = {
  tool_calls: [
    { id: "call_1", type: "function", function: { name: "spawn", arguments: JSON.stringify({ task: TASK }) } },
  ],
};
const ROOT = { "session-id": "s", "thread-id": "root" };
const CHILD = { "session-id": "s", "thread-id": "child", "x-codex-parent-thread-id": "root" };

/** The parent call of the last request. */
function parentOf(opening: readonly JsonObject[], headers: Record<string, string>, isAnswered: boolean): unknown {
  const { capture, files } = testCapture();
  const asked = [user("Do it")];
  exchange(capture, chat, { model: "m", messages: asked }, reply(spawning), { headers: ROOT });
  const told = [
    ...asked,
    { role: "assistant", content: null, ...spawning },
    { role: "tool", tool_call_id: "call_1", content: "started" },
  ];
  if (isAnswered)
    exchange(capture, chat, { model: "m", messages: told }, reply({ content: "Waiting." }), {
      headers: ROOT,
      atMs: 2_000,
    });
  exchange(capture, chat, { model: "m", messages: [...opening] }, reply({ content: "ok" }), { headers, atMs: 3_000 });
  const last = [...files.values()]
    .flat()
    .filter(({ kind }) => kind.startsWith("chat_request"))
    .at(-1)!;
  return last.meta?.["parent_tool_call_id"];
}

it.each([
  ["the task is all that was said", [user(TASK)], CHILD, false, "call_1"],
  ["notes stand before the task", [user("<environment/>"), user(TASK)], CHILD, false, "call_1"],
  ["the task stands inside a longer text", [user(`Notes. ${TASK} Be brief.`)], CHILD, false, "call_1"],
  [
    "the call was answered at once, before the agent it started spoke",
    [user("<notes/>"), user(TASK)],
    CHILD,
    true,
    "call_1",
  ],
  [
    "an answered call starts nobody whom the client does not call started",
    [user(TASK)],
    { "session-id": "s", "thread-id": "other" },
    true,
    undefined,
  ],
  ["another task", [user("Something else entirely, and long enough")], CHILD, true, undefined],
  [
    "the task is only quoted after an answer",
    [user("Hello"), { role: "assistant", content: "Hi." }, user(TASK)],
    CHILD,
    false,
    undefined,
  ],
])("%s", (_, opening, headers, isAnswered, parent) => {
  expect(parentOf(opening, headers as Record<string, string>, isAnswered)).toBe(parent);
});
