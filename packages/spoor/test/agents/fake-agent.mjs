// Plays a coding agent for tests: node fake-agent.mjs KIND SCENARIO [args…]
// KIND: cli, codex, claude, copilot, vscode. What it writes has the shape of the real program's output.
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";

const [kind, scenario, ...args] = process.argv.slice(2);
const line = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

const bad = scenario === "malformed";

function input() {
  return readFileSync(0, "utf8");
}

const play = {
  cli() {
    const tool_calls = [
      { tool: "lookup", input: { q: 1 }, output: "found", duration_ms: 12 },
      ...(bad ? [{ input: {} }] : []),
    ];
    const text = JSON.stringify({
      output_messages: [
        { role: "assistant", tool_calls },
        { role: "assistant", content: `Done: ${input().trim()}` },
      ],
    });
    const file = args.find((arg) => arg.endsWith("output.json"));
    if (file === undefined) process.stdout.write(text);
    else writeFileSync(file, text);
  },
  codex() {
    const prompt = input().trim();
    line({ type: "thread.started", thread_id: "t" });
    line({ type: "turn.started" });
    const item = {
      id: "item_1",
      type: "mcp_tool_call",
      server: "shop",
      tool: "lookup",
      arguments: { q: 1 },
      status: "in_progress",
    };
    line({ type: "item.started", item });
    if (bad) process.stdout.write("this is not JSON\n");
    line({ type: "item.completed", item: { ...item, result: "found", status: "completed" } });
    line({ type: "item.completed", item: { id: "item_2", type: "agent_message", text: `Done: ${prompt}` } });
    line({ type: "turn.completed", usage: { input_tokens: 100, cached_input_tokens: 10, output_tokens: 20 } });
  },
  claude() {
    const prompt = input().trim();
    line({ type: "system", subtype: "init" });
    line({
      type: "assistant",
      message: {
        id: "m1",
        model: "scripted",
        content: [
          { type: "tool_use", id: "t1", name: "lookup", input: { q: 1 } },
          ...(bad ? [{ type: "tool_use", input: {} }] : []),
        ],
      },
    });
    line({
      type: "user",
      message: {
        content: [
          { type: "tool_result", tool_use_id: "t1", content: [{ type: "text", text: "found" }], is_error: false },
        ],
      },
    });
    line({
      type: "assistant",
      message: { id: "m2", model: "scripted", content: [{ type: "text", text: `Done: ${prompt}` }] },
    });
    line({
      type: "result",
      subtype: "success",
      is_error: false,
      total_cost_usd: 0.01,
      duration_ms: 900,
      usage: { input_tokens: 90, cache_read_input_tokens: 10, output_tokens: 20 },
    });
  },
  copilot() {
    const prompt = args[args.indexOf("-p") + 1];
    line({ type: "user.message", data: { content: prompt }, timestamp: "2026-01-01T00:00:00.000Z" });
    line({
      type: "tool.execution_start",
      data: { toolCallId: "c1", toolName: "lookup", arguments: { q: 1 } },
      timestamp: "2026-01-01T00:00:01.000Z",
    });
    if (bad) line({ type: "tool.execution_start", data: { arguments: {} } });
    line({
      type: "tool.execution_complete",
      data: { toolCallId: "c1", success: true, result: { content: "found" } },
      timestamp: "2026-01-01T00:00:01.250Z",
    });
    line({
      type: "assistant.message",
      data: { messageId: "m", content: `Done: ${prompt}` },
      timestamp: "2026-01-01T00:00:02.000Z",
    });
    line({ type: "result", usage: { sessionDurationMs: 2000 }, exitCode: 0 });
  },
  vscode() {
    const request = readFileSync(args[args.indexOf("--add-file") + 1], "utf8");
    const prompt = request.slice(0, request.indexOf("\n\nWhen you are done"));
    const file = /to the file (\S+)/.exec(request)[1];
    const tool_calls = [
      { tool: "lookup", input: { q: 1 }, output: "found", duration_ms: 12 },
      ...(bad ? [{ input: {} }] : []),
    ];
    writeFileSync(
      file,
      JSON.stringify({
        output_messages: [
          { role: "assistant", tool_calls },
          { role: "assistant", content: `Done: ${prompt}` },
        ],
      }),
    );
  },
};

if (process.env.FAKE_AGENT_LOG)
  appendFileSync(process.env.FAKE_AGENT_LOG, `${JSON.stringify({ kind, scenario, args, pid: process.pid })}\n`);
if (scenario === "hang") {
  if (process.env.FAKE_AGENT_PID) writeFileSync(process.env.FAKE_AGENT_PID, String(process.pid));
  setInterval(() => undefined, 1000);
} else if (scenario === "crash") {
  process.stderr.write("the agent broke down\n");
  process.exit(3);
} else if (scenario === "killed") {
  process.kill(process.pid, "SIGKILL");
} else if (scenario === "too-large") {
  const chunk = `{"type":"noise","text":"${"x".repeat(1 << 20)}"}\n`;
  for (let written = 0; written < 70; written++) process.stdout.write(chunk);
} else {
  play[kind]?.();
}
