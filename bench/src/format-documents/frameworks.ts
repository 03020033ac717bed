/** Messages and events as agent frameworks keep them, and the runs of benchmarks. */
import { chatCall } from "./chat-messages.ts";
import { type FormatDocument, lines, whole } from "./run.ts";

const usage = { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 };

export const frameworks: readonly FormatDocument[] = [
  whole("adk", (run) => ({
    id: "s",
    app_name: "a",
    user_id: "u",
    state: {},
    events: run.each((n) => {
      const event = (role: string, part: unknown) => ({
        content: { parts: [part], role },
        invocation_id: "i",
        author: "desk",
        actions: {},
        timestamp: run.seconds(n),
      });
      return [
        event("model", { function_call: { id: `c${n}`, name: "shell", args: run.input(n) } }),
        event("user", { function_response: { id: `c${n}`, name: "shell", response: { result: run.result } } }),
      ];
    }),
  })),
  whole("openhands", (run) =>
    run.each((n) => [
      {
        id: 2 * n,
        timestamp: run.iso(n),
        source: "agent",
        action: "run",
        args: { ...run.input(n), thought: "go" },
        tool_call_metadata: {
          function_name: "shell",
          tool_call_id: `c${n}`,
          model_response: { id: `r${n}`, model: "m", usage },
        },
      },
      {
        id: 2 * n + 1,
        timestamp: run.iso(n),
        source: "environment",
        observation: "run",
        content: run.result,
        extras: { metadata: { exit_code: 0 } },
        cause: 2 * n,
      },
    ]),
  ),
  whole("langchain", (run) =>
    run.each((n) => [
      {
        type: "ai",
        data: {
          content: "",
          type: "ai",
          tool_calls: [{ name: "shell", args: run.input(n), id: `c${n}`, type: "tool_call" }],
          usage_metadata: { input_tokens: 30, output_tokens: 9, total_tokens: 39 },
        },
      },
      {
        type: "tool",
        data: { content: run.result, type: "tool", name: "shell", tool_call_id: `c${n}`, status: "success" },
      },
    ]),
  ),
  whole("pydantic-ai", (run) =>
    run.each((n) => {
      const common = { tool_name: "shell", tool_call_id: `c${n}` };
      return [
        {
          kind: "response",
          parts: [{ part_kind: "tool-call", ...common, args: run.input(n) }],
          usage: { input_tokens: 30, output_tokens: 9 },
          model_name: "m",
          timestamp: run.iso(n),
        },
        {
          kind: "request",
          parts: [{ part_kind: "tool-return", ...common, content: run.result, timestamp: run.iso(n) }],
        },
      ];
    }),
  ),
  whole("autogen", (run) =>
    run.each((n) => [
      {
        type: "ToolCallRequestEvent",
        source: "desk",
        models_usage: usage,
        created_at: run.iso(n),
        content: [{ id: `c${n}`, name: "shell", arguments: run.text(run.input(n)) }],
      },
      {
        type: "ToolCallExecutionEvent",
        source: "desk",
        created_at: run.iso(n),
        content: [{ call_id: `c${n}`, name: "shell", content: run.result, is_error: false }],
      },
    ]),
  ),
  whole("mastra", (run) =>
    run.each((n) => {
      const call = { state: "result", toolCallId: `c${n}`, toolName: "shell", args: run.input(n), result: run.result };
      const content = { format: 2, parts: [{ type: "tool-invocation", toolInvocation: call }] };
      return [{ id: `m${n}`, role: "assistant", threadId: "t", createdAt: run.iso(n), content }];
    }),
  ),
  whole("ai-sdk", (run) =>
    run.each((n) => {
      const state = "output-available";
      const call = { type: "tool-shell", toolCallId: `c${n}`, state, input: run.input(n), output: run.result };
      return [{ id: `m${n}`, role: "assistant", parts: [{ type: "step-start" }, call] }];
    }),
  ),
  whole("swe-agent", (run) => ({
    environment: "main",
    trajectory: run.each((n) => {
      const said = { response: "The next step.", thought: "The next step." };
      return [{ action: `step ${n}`, observation: run.result, ...said, execution_time: 0.25, state: {} }];
    }),
    history: run.each((n) => {
      const common = { agent: "main" };
      const said = { content: "The next step.", thought: "The next step.", action: `step ${n}` };
      const tool_calls = [chatCall(run, n)];
      return [
        { role: "assistant", ...said, ...common, message_type: "action", tool_calls },
        { role: "tool", content: run.result, ...common, message_type: "observation", tool_call_ids: [`c${n}`] },
      ];
    }),
    info: { exit_status: "submitted", submission: "", model_stats: {} },
  })),
  whole("inspect", (run) => ({
    version: 2,
    status: "success",
    eval: { task: "t", model: "m" },
    samples: [
      {
        id: 1,
        epoch: 1,
        messages: run.each((n) => [
          {
            role: "assistant",
            content: "",
            tool_calls: [{ id: `c${n}`, function: "shell", arguments: run.input(n), type: "function" }],
          },
          { role: "tool", content: run.result, tool_call_id: `c${n}`, function: "shell" },
        ]),
      },
    ],
  })),
  whole("tau-bench", (run) =>
    run.inConversations(({ index, turns }) => ({
      task_id: index,
      trial: 0,
      reward: 1,
      info: { task: { instruction: "go", actions: [], outputs: [] } },
      traj: [
        { role: "user", content: "Go" },
        ...turns.flatMap((n) => [
          { role: "assistant", content: null, tool_calls: [chatCall(run, n)], function_call: null },
          { role: "tool", tool_call_id: `c${n}`, name: "shell", content: run.result },
        ]),
      ],
    })),
  ),
  whole("tau2-bench", (run) => ({
    timestamp: run.iso(0),
    info: { agent_info: { implementation: "llm_agent", llm: "m", llm_args: {} }, user_info: {}, environment_info: {} },
    tasks: [],
    simulations: run.inConversations(({ index, first, turns }) => ({
      id: `sim-${index}`,
      task_id: `${index}`,
      trial: 0,
      start_time: run.iso(first),
      termination_reason: "user_stop",
      reward_info: { reward: 1 },
      messages: turns.flatMap((n) => [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: `c${n}`, name: "shell", arguments: run.input(n), requestor: "assistant" }],
          turn_idx: 2 * n,
          timestamp: run.iso(n),
          usage: { prompt_tokens: 30, completion_tokens: 9 },
          raw_data: null,
        },
        {
          id: `c${n}`,
          role: "tool",
          content: run.result,
          requestor: "assistant",
          error: false,
          turn_idx: 2 * n + 1,
          timestamp: run.iso(n),
        },
      ]),
    })),
  })),
  lines("agentdojo", (run) =>
    run.inConversations(({ index, turns }) => ({
      suite_name: "slack",
      pipeline_name: "m",
      user_task_id: `user_task_${index}`,
      injection_task_id: null,
      attack_type: null,
      injections: {},
      messages: turns.flatMap((n) => {
        const call = { function: "shell", args: run.input(n), id: `c${n}`, placeholder_args: null };
        return [
          { role: "assistant", content: null, tool_calls: [call] },
          {
            role: "tool",
            content: [{ type: "text", content: run.result }],
            tool_call_id: `c${n}`,
            tool_call: call,
            error: null,
          },
        ];
      }),
      error: null,
      utility: true,
      security: false,
      duration: 1.5,
    })),
  ),
];
