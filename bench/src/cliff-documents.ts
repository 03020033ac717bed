/** Documents that grow in one direction only, for looking at how a cost grows: turns, calls, names, arguments, rules. */
import type { Json } from "@spoor/core";

/** A Claude Code session: one answer with one call per turn, and its result as the next line. */
export function claudeSession(turns: number, changed: boolean): string {
  const lines: string[] = [];
  let parent: string | null = null;
  const add = (line: Record<string, Json>) => {
    const uuid = `00000000-0000-4000-8000-${String(lines.length).padStart(12, "0")}`;
    lines.push(
      JSON.stringify({
        parentUuid: parent,
        isSidechain: false,
        userType: "external",
        cwd: "/work",
        sessionId: "5e0f0000-0000-4000-8000-000000000000",
        version: "1.0.0",
        ...line,
        uuid,
        timestamp: time(lines.length),
      }),
    );
    parent = uuid;
  };
  add({ type: "user", message: { role: "user", content: "start" } });
  for (let turn = 0; turn < turns; turn++) {
    const id = `toolu_${String(turn).padStart(20, "0")}A`;
    const input = { command: `ls ${isChanged(changed, turn) ? "-la " : ""}folder-${turn}` };
    const content = [
      { type: "text", text: `step ${turn}: looking at files` },
      { type: "tool_use", id, name: turn % 3 === 0 ? "Read" : "Bash", input },
    ];
    const usage = { input_tokens: 10, output_tokens: 5 };
    const message = { id: `msg_${turn}`, type: "message", role: "assistant", model: "claude", content, usage };
    add({ type: "assistant", requestId: `req_${turn}`, message: { ...message, stop_reason: "tool_use" } });
    const result = { type: "tool_result", tool_use_id: id, content: `output ${turn}` };
    add({ type: "user", message: { role: "user", content: [result] } });
  }
  return `${lines.join("\n")}\n`;
}

/** One list of OpenAI chat messages. */
export function chatMessages(turns: number, changed: boolean): string {
  const messages: Json[] = [{ role: "user", content: "start" }];
  for (let turn = 0; turn < turns; turn++) {
    const call = {
      name: turn % 3 === 0 ? "read" : "search",
      arguments: JSON.stringify({ turn, query: isChanged(changed, turn) ? "other" : "same" }),
    };
    const tool_calls = [{ id: `call_${turn}`, type: "function", function: call }];
    messages.push({ role: "assistant", content: `step ${turn}`, tool_calls });
    messages.push({ role: "tool", tool_call_id: `call_${turn}`, content: `output ${turn}` });
  }
  return JSON.stringify(messages);
}

/** An agent log of calls that ran before the first answer, which then asks for them (`absorbed`) or says something else. */
export function earlyCalls(calls: number, absorbed: boolean): string {
  const blocks: Json[] = [];
  const lines = [record("metadata", { agent: "early" })];
  for (let index = 0; index < calls; index++) {
    const [tool_call_id, tool_name] = [`call_${index}`, `tool_${index % 5}`];
    lines.push(record("tool_call", { tool_name, tool_call_id, arguments: { index } }));
    lines.push(record("tool_result", { tool_call_id, output: "done" }));
    blocks.push({ type: "tool_use", id: tool_call_id, name: tool_name, input: { index } });
  }
  lines.push(response(absorbed ? blocks : [{ type: "text", text: "that was all" }]));
  return lines.join("");
}

/** One answer with many calls, each of a tool of its own. */
export function manyCalls(calls: number, changed: boolean): string {
  const blocks = Array.from({ length: calls }, (_, index) => call(index, isChanged(changed, index)));
  return record("metadata", { agent: "busy" }) + response(blocks);
}

/** Many answers with one call each, each of a tool of its own. */
export function manyNames(turns: number, changed: boolean): string {
  const lines = [record("metadata", { agent: "broad" })];
  for (let turn = 0; turn < turns; turn++) lines.push(response([call(turn, isChanged(changed, turn))]));
  return lines.join("");
}

/** One call with an argument of so many megabytes; sizes are in tenths, because a line has at most 16 MiB. */
export function largeArgument(tenths: number, changed: boolean): string {
  const text = `${"a word and another ".repeat(tenths * 5_000)}${changed ? "changed" : "same"}`;
  return (
    record("metadata", { agent: "wordy" }) + response([{ type: "tool_use", id: "c", name: "write", input: { text } }])
  );
}

export function manyRules(rules: number): string {
  const lines = Array.from({ length: rules }, (_, index) =>
    index % 2 === 0
      ? `  - { id: rule-${index}, kind: max_calls, params: { tool: other_${index}, limit: 3 } }`
      : `  - { id: rule-${index}, kind: no_call, params: { tool: other_${index} } }`,
  );
  return `rules:\n${lines.join("\n")}\n`;
}

function isChanged(changed: boolean, index: number): boolean {
  return changed && index % 20 === 0;
}

function call(index: number, changed: boolean): Json {
  return { type: "tool_use", id: `call_${index}`, name: `tool_${index}`, input: { index, changed } };
}

function response(content: readonly Json[]): string {
  return record("chat_response", { model: "model-1", content, stop_reason: "tool_use" });
}

function record(kind: string, payload: Json): string {
  return `${JSON.stringify({ version: "0.1", id: "sha256:0", kind, ts: "", parent: null, payload })}\n`;
}

function time(seconds: number): string {
  return new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString();
}
