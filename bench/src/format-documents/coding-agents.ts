/** Sessions of coding agents, as they lie on disk. */
import { type FormatDocument, lines, type Run, rows, whole } from "./run.ts";

export const codingAgents: readonly FormatDocument[] = [
  lines("claude-code", (run) => run.each((n) => claudeLines(run, n))),
  lines("qwen-code", (run) => run.each((n) => qwenLines(run, n))),
  lines("iflow", (run) => run.each((n) => iflowLines(run, n))),
  whole("gemini-cli", (run) => ({
    sessionId: "s",
    projectHash: "p",
    startTime: run.iso(0),
    lastUpdated: run.iso(run.turns),
    messages: run.each((n) => [geminiCliMessage(run, n)]),
  })),
  whole("opencode", (run) => ({
    info: { id: "ses_1", directory: "/home/dev", title: "t", version: "1.0.0", time: { created: run.milliseconds(0) } },
    messages: run.each((n) => [opencodeMessage(run, n)]),
  })),
  whole("vscode-chat", (run) => ({
    responderUsername: "GitHub Copilot",
    initialLocation: "panel",
    requests: run.inConversations(({ turns, first }) => vscodeRequest(run, turns, first)),
  })),
  lines("codex-rollout", (run) =>
    run.each((n) => {
      const item = (payload: unknown) => ({ timestamp: run.iso(n), type: "response_item", payload });
      return [
        item({ type: "function_call", name: "shell", arguments: run.text(run.input(n)), call_id: `t${n}` }),
        item({ type: "function_call_output", call_id: `t${n}`, output: run.result }),
      ];
    }),
  ),
  lines("codex-exec", (run) => [
    { type: "thread.started", thread_id: "t" },
    { type: "turn.started" },
    ...run.each((n) => codexExecLines(run, n)),
  ]),
  lines("copilot", (run) => [
    {
      id: "e",
      timestamp: run.iso(0),
      parentId: null,
      type: "session.start",
      data: { sessionId: "s", version: 1, producer: "copilot-agent", copilotVersion: "1.0.7", startTime: run.iso(0) },
    },
    ...run.each((n) => copilotLines(run, n)),
  ]),
  lines("pi", (run) => [
    { type: "session", id: "s", timestamp: run.iso(0), cwd: "/home/dev", provider: "anthropic", modelId: "m" },
    ...run.each((n) => piLines(run, n)),
  ]),
  rows("cursor", "cursorDiskKV", cursorRows),
  whole("goose", (run) => ({ id: "s", conversation: run.each((n) => gooseMessages(run, n)) })),
  lines("gptme", (run) =>
    run.each((n) => [
      {
        role: "assistant",
        content: `The next step.\n\n\`\`\`shell\nnpm run step-${n}\n\`\`\``,
        timestamp: run.iso(n),
        metadata: { model: "m", cost: 0.001, usage: { input_tokens: 120, output_tokens: 42, cache_read_tokens: 80 } },
      },
      {
        role: "system",
        content: `Ran allowlisted command: \`npm run step-${n}\`\n\n${run.result}`,
        timestamp: run.iso(n),
      },
    ]),
  ),
];

function claudeLines(run: Run, n: number): unknown[] {
  const common = { sessionId: "s", isSidechain: false, cwd: "/home/dev", version: "2.0.0", timestamp: run.iso(n) };
  const call = { type: "tool_use", id: `t${n}`, name: "Bash", input: run.input(n) };
  const message = {
    id: `m${n}`,
    role: "assistant",
    model: "claude",
    content: [call],
    stop_reason: "tool_use",
    usage: { input_tokens: 3, output_tokens: 90, cache_read_input_tokens: 1000 },
  };
  const content = [{ type: "tool_result", tool_use_id: `t${n}`, content: run.result }];
  return [
    { ...common, type: "assistant", uuid: `a${n}`, parentUuid: `u${n - 1}`, message },
    { ...common, type: "user", uuid: `u${n}`, parentUuid: `a${n}`, message: { role: "user", content } },
  ];
}

function qwenLines(run: Run, n: number): unknown[] {
  const common = { sessionId: "s", cwd: "/home/dev", version: "0.9.0", gitBranch: "main", timestamp: run.iso(n) };
  const call = { functionCall: { id: `c${n}`, name: "shell", args: run.input(n) } };
  const answer = { functionResponse: { id: `c${n}`, name: "shell", response: { output: run.result } } };
  return [
    {
      uuid: `a${n}`,
      parentUuid: `r${n - 1}`,
      ...common,
      type: "assistant",
      model: "qwen3-coder",
      message: { role: "model", parts: [{ text: "The next step.", thought: true }, call] },
      usageMetadata: { promptTokenCount: 210, candidatesTokenCount: 31, totalTokenCount: 241 },
    },
    {
      uuid: `r${n}`,
      parentUuid: `a${n}`,
      ...common,
      type: "tool_result",
      message: { role: "user", parts: [answer] },
      toolCallResult: { callId: `c${n}`, status: "success", resultDisplay: "Done." },
    },
  ];
}

function iflowLines(run: Run, n: number): unknown[] {
  const common = {
    sessionId: "s",
    isSidechain: false,
    userType: "external",
    cwd: "/home/dev",
    gitBranch: null,
    version: "1.0.0",
    timestamp: run.iso(n),
  };
  const call = { type: "tool_use", id: `call_${n}`, name: "shell", input: run.input(n) };
  const message = {
    id: `response-${n}`,
    type: "message",
    role: "assistant",
    content: [{ type: "text", text: "The next step." }, call],
    model: "glm-4.7",
    stop_reason: null,
    usage: { input_tokens: 0, output_tokens: 0 },
  };
  const answer = { functionResponse: { id: `call_${n}`, name: "shell", response: { output: run.result } } };
  const content = { callId: `call_${n}`, responseParts: answer, resultDisplay: "" };
  return [
    { uuid: `a${n}`, parentUuid: `u${n - 1}`, ...common, type: "assistant", message },
    {
      uuid: `u${n}`,
      parentUuid: `a${n}`,
      ...common,
      type: "user",
      message: { role: "user", content: [{ tool_use_id: `call_${n}`, type: "tool_result", content }] },
    },
  ];
}

function geminiCliMessage(run: Run, n: number): unknown {
  const response = { functionResponse: { id: `c${n}`, name: "shell", response: { output: run.result } } };
  return {
    id: `m${n}`,
    timestamp: run.iso(n),
    type: "gemini",
    content: "The next step.",
    thoughts: [{ subject: "Stepping", description: "One after the other.", timestamp: run.iso(n) }],
    tokens: { input: 1200, output: 40, cached: 200, thoughts: 25, tool: 0, total: 1265 },
    model: "gemini-2.5-pro",
    toolCalls: [
      {
        id: `c${n}`,
        name: "shell",
        args: run.input(n),
        result: [response],
        status: "success",
        timestamp: run.iso(n),
        displayName: "Shell",
        resultDisplay: "",
      },
    ],
  };
}

function opencodeMessage(run: Run, n: number): unknown {
  const at = run.milliseconds(n);
  const tokens = { input: 10, output: 50, reasoning: 0, cache: { read: 900, write: 30 } };
  return {
    info: {
      id: `msg_${n}`,
      sessionID: "ses_1",
      role: "assistant",
      modelID: "claude-sonnet-4",
      providerID: "anthropic",
      mode: "build",
      time: { created: at, completed: at + 900 },
      cost: 0.01,
      tokens,
    },
    parts: [
      { id: `s${n}`, type: "step-start", snapshot: "aa" },
      {
        id: `p${n}`,
        type: "tool",
        callID: `c${n}`,
        tool: "bash",
        state: {
          status: "completed",
          input: run.input(n),
          output: run.result,
          title: "step",
          metadata: {},
          time: { start: at + 100, end: at + 800 },
        },
      },
      { id: `f${n}`, type: "step-finish", reason: "tool-calls", cost: 0.01, tokens },
    ],
  };
}

function vscodeRequest(run: Run, turns: readonly number[], first: number): unknown {
  const rounds = turns.map((n) => ({
    response: "The next step.",
    toolCalls: [{ name: "run_in_terminal", arguments: run.text(run.input(n)), id: `c${n}` }],
    toolInputRetry: 0,
    id: `r${n}`,
  }));
  const results = turns.map((n) => [`c${n}`, { $mid: 20, content: [{ $mid: 21, value: run.result }] }]);
  return {
    requestId: `request_${first}`,
    message: { text: "Go on", parts: [] },
    variableData: { variables: [] },
    response: [
      { value: "The next step." },
      ...turns.map((n) => ({
        kind: "toolInvocationSerialized",
        toolId: "copilot_runInTerminal",
        toolCallId: `x${n}`,
        isComplete: true,
      })),
    ],
    result: {
      timings: { firstProgress: 900, totalElapsed: 8000 },
      metadata: { toolCallRounds: rounds, toolCallResults: Object.fromEntries(results) },
    },
    modelId: "copilot/gpt-4.1",
    timestamp: run.milliseconds(first),
    isCanceled: false,
  };
}

function codexExecLines(run: Run, n: number): unknown[] {
  const item = { id: `item_${n}`, type: "command_execution", command: `/bin/bash -lc 'npm run step-${n}'` };
  return [
    { type: "item.started", item: { ...item, aggregated_output: "", exit_code: null, status: "in_progress" } },
    { type: "item.completed", item: { ...item, aggregated_output: run.result, exit_code: 0, status: "completed" } },
  ];
}

/** A chat, and a message for what was asked, every text and every call. */
function cursorRows(run: Run): [string, unknown][] {
  const bubble = (n: number, place: number, type: number, more: object) => ({
    _v: 3,
    type,
    bubbleId: `${n}-${place}`,
    lints: [],
    codebaseContextChunks: [],
    attachedCodeChunks: [],
    toolResults: [],
    capabilities: [],
    isAgentic: true,
    tokenCount: { inputTokens: 20, outputTokens: 8 },
    createdAt: run.iso(n),
    text: "",
    ...more,
  });
  const messages = run.each((n) => [
    ...(n % 50 === 0 ? [bubble(n, 0, 1, { text: "Go on" })] : []),
    bubble(n, 1, 2, { text: "Next step" }),
    bubble(n, 2, 2, {
      toolFormerData: {
        tool: 15,
        toolCallId: `call_${n}`,
        status: "completed",
        name: "run_terminal_cmd",
        rawArgs: run.text(run.input(n)),
        result: run.text({ output: run.result, exitCodeV2: 0 }),
      },
    }),
  ]) as { bubbleId: string; type: number }[];
  const headers = messages.map(({ bubbleId, type }) => ({ bubbleId, type }));
  return [
    ["composerData:c", { _v: 10, composerId: "c", name: "Steps", fullConversationHeadersOnly: headers }],
    ...messages.map((message): [string, unknown] => [`bubbleId:c:${message.bubbleId}`, message]),
  ];
}

function copilotLines(run: Run, n: number): unknown[] {
  const event = (id: string, type: string, data: unknown) => ({
    id: `${id}${n}`,
    timestamp: run.iso(n),
    parentId: "e",
    type,
    data,
  });
  const call = { toolCallId: `t${n}`, name: "bash", arguments: run.input(n), type: "function" };
  return [
    event("a", "assistant.turn_start", { turnId: `${n}` }),
    event("b", "assistant.message", { messageId: `m${n}`, content: "", toolRequests: [call] }),
    event("c", "assistant.usage", { model: "m", inputTokens: 900, outputTokens: 50, cacheReadTokens: 400 }),
    event("d", "tool.execution_start", { toolCallId: `t${n}`, toolName: "bash", arguments: run.input(n) }),
    event("e", "tool.execution_complete", { toolCallId: `t${n}`, success: true, result: { content: run.result } }),
    event("f", "assistant.turn_end", { turnId: `${n}` }),
  ];
}

function piLines(run: Run, n: number): unknown[] {
  const line = (message: unknown) => ({ type: "message", timestamp: run.iso(n), message });
  return [
    line({
      role: "assistant",
      content: [{ type: "toolCall", id: `p${n}`, name: "bash", arguments: run.input(n) }],
      api: "a",
      provider: "anthropic",
      model: "m",
      usage: { input: 3, output: 40, cacheRead: 100, cacheWrite: 20, cost: { total: 0.1 } },
      stopReason: "toolUse",
      timestamp: run.milliseconds(n),
    }),
    line({
      role: "toolResult",
      toolCallId: `p${n}`,
      toolName: "bash",
      content: [{ type: "text", text: run.result }],
      isError: false,
      timestamp: run.milliseconds(n),
    }),
  ];
}

function gooseMessages(run: Run, n: number): unknown[] {
  const toolCall = { status: "success", value: { name: "shell", arguments: run.input(n) } };
  const toolResult = { status: "success", value: [{ type: "text", text: run.result }] };
  return [
    {
      id: `m${n}`,
      role: "assistant",
      created: run.seconds(n),
      content: [{ type: "toolRequest", id: `c${n}`, toolCall }],
    },
    { role: "user", created: run.seconds(n), content: [{ type: "toolResponse", id: `c${n}`, toolResult }] },
  ];
}
