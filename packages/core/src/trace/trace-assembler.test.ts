import { expect, test } from "vitest";
import { buildTrace } from "./build-trace.ts";
import { stringifyJson } from "./json.ts";
import { MessageList } from "./message-list.ts";
import type { TraceRecord } from "./record.ts";
import { TraceAssembler } from "./trace-assembler.ts";

const ask = (text: string, meta?: TraceRecord["meta"]): TraceRecord => ({
  kind: "chat_request",
  payload: { model: "m", messages: [{ role: "user", content: text }] },
  ...(meta ? { meta } : {}),
});
const answer = (text: string, meta?: TraceRecord["meta"]): TraceRecord => ({
  kind: "chat_response",
  payload: { content: [{ type: "text", text }], stop_reason: "end_turn" },
  ...(meta ? { meta } : {}),
});
const call = (id: string): TraceRecord => ({
  kind: "chat_response",
  payload: { content: [{ type: "tool_use", id, name: "look", input: {} }], stop_reason: "tool_use" },
});
const result = (id: string): TraceRecord => ({ kind: "tool_result", payload: { tool_call_id: id, output: "found" } });
const marker: TraceRecord = { kind: "metadata", payload: { agent: "a" } };
const tag = (name: string) => ({ session_tag: name });

test.each([
  ["conversations", [marker, ask("one"), call("c1"), result("c1"), ask("two"), answer("done")], [0, 1]],
  // Only the last record says to which conversation it belongs, and that decides for all of them.
  ["a tag that comes late", [ask("one"), answer("a"), ask("two"), answer("b", tag("x"))], [0, 0]],
  ["interleaved tags", [ask("1", tag("x")), ask("2", tag("y")), answer("a", tag("x")), answer("b", tag("y"))], [0, 1]],
  ["a second marker", [marker, ask("one"), answer("a"), ask("two"), answer("b"), marker], [0, 0]],
])("records that are taken as they come are built as a whole list is: %s", (_, records, sessions) => {
  const growing: TraceRecord[] = [];
  const assembler = new TraceAssembler(growing);
  for (const record of records) assembler.take(growing.push(record) - 1);
  const trace = assembler.finish({});
  expect(trace.turns.map((turn) => turn.sessionIndex)).toEqual(sessions);
  expect(JSON.parse(JSON.stringify(trace))).toEqual(JSON.parse(JSON.stringify(buildTrace(records))));
});

test("what was said may be forgotten while records come: steps, calls, offers and names stay those of the whole list", () => {
  const broken: TraceRecord = { ...answer("half"), parent: "q", meta: { complete: false } };
  const failed: TraceRecord = { kind: "chat_response", payload: { stop_reason: "error", error_type: "overloaded" } };
  const offering: TraceRecord = {
    kind: "chat_request",
    id: "q",
    payload: { model: "m2", messages: [], tools: ["look"] },
  };
  const records = [marker, ask("one"), call("c1"), result("c1"), offering, broken, { ...answer("b"), parent: "q" }];
  const all = [...records, ask("three"), failed, ask("four")];
  const growing: TraceRecord[] = [];
  const assembler = TraceAssembler.forgetting(growing, 1);
  for (const record of all) assembler.take(growing.push(record) - 1);
  const [lean, whole] = [assembler.finish({}), buildTrace(all)];
  expect(lean.steps).toEqual(whole.steps);
  expect(lean.steps.map(({ target }) => target)).toEqual(["m", "look", "m2", "m2", "m"]);
  const offered = (trace: typeof lean) =>
    new Set(trace.turns.flatMap((turn) => turn.offeredTools?.map((one) => one.name)));
  expect(offered(lean)).toEqual(offered(whole));
  expect([lean.key, lean.agent, lean.recording]).toEqual([whole.key, whole.agent, whole.recording]);
  // Only the request that nothing answered yet is whole.
  const text = JSON.stringify([lean.turns, growing]);
  expect(["one", "half", "three", "four"].filter((said) => text.includes(`"${said}"`))).toEqual(["four"]);
});

test("sessions and steps are made once, when they are asked for, and are there for whoever copies or writes the trace", () => {
  const trace = buildTrace([ask("one"), call("c1"), result("c1"), ask("two"), answer("done")]);
  expect(trace.steps.map(({ kind, status }) => [kind, status])).toEqual([
    ["llm", "ok"],
    ["tool", "ok"],
    ["llm", "ok"],
  ]);
  expect(trace.steps).toBe(trace.steps);
  const copy = { ...trace, name: "other" };
  expect(copy.sessions).toBe(trace.sessions);
  expect(copy.sessions.map(({ turns, records }) => [turns.length, records.length])).toEqual([
    [1, 3],
    [1, 2],
  ]);
  expect(Object.keys(JSON.parse(JSON.stringify(trace)))).toEqual(expect.arrayContaining(["sessions", "steps"]));
});

test("a trace with integers of 64 bits is written with the messages that its requests show", () => {
  const messages = new MessageList(["a", "b", "c"], 2);
  expect(stringifyJson({ messages, big: 12345678901234567890n } as never)).toBe(
    '{"messages":["a","b"],"big":12345678901234567890}',
  );
});
