/** One long run each in the shapes of frameworks and stores: a call with its arguments and a result of about 2 KB, again and again. */

/** Name of a format → the text of a document in it. */
export function formatDocuments(turns: number): [string, string][] {
  const result = "The quick brown fox jumps over the lazy dog. ".repeat(45);
  const input = (index: number) => ({ command: `npm run step-${index}`, description: "A step" });
  const iso = (index: number) => new Date(Date.UTC(2026, 0, 5) + index * 1000).toISOString();
  const seconds = (index: number) => Date.UTC(2026, 0, 5) / 1000 + index;
  const each = (make: (index: number) => readonly unknown[]) =>
    Array.from({ length: turns }, (_, index) => make(index)).flat();
  const usage = { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 };
  const documents: [string, unknown][] = [
    [
      "ai-sdk",
      each((n) => [
        {
          id: `m${n}`,
          role: "assistant",
          parts: [
            { type: "step-start" },
            { type: "tool-shell", toolCallId: `c${n}`, state: "output-available", input: input(n), output: result },
          ],
        },
      ]),
    ],
    [
      "bedrock",
      each((n) => [
        { role: "assistant", content: [{ toolUse: { toolUseId: `c${n}`, name: "shell", input: input(n) } }] },
        {
          role: "user",
          content: [{ toolResult: { toolUseId: `c${n}`, content: [{ text: result }], status: "success" } }],
        },
      ]),
    ],
    [
      "bedrock-log",
      each((n) => [
        {
          schemaType: "ModelInvocationLog",
          modelId: "m",
          timestamp: iso(n),
          requestId: `r${n}`,
          input: { inputBodyJson: { messages: [{ role: "user", content: [{ text: `${n} ${result}` }] }] } },
          output: {
            outputBodyJson: {
              output: {
                message: {
                  role: "assistant",
                  content: [{ toolUse: { toolUseId: `c${n}`, name: "shell", input: input(n) } }],
                },
              },
              usage: { inputTokens: 30, outputTokens: 9 },
            },
          },
        },
      ]),
    ],
    [
      "inspect",
      {
        version: 2,
        status: "success",
        eval: { task: "t", model: "m" },
        samples: [
          {
            id: 1,
            epoch: 1,
            messages: each((n) => [
              {
                role: "assistant",
                content: "",
                tool_calls: [{ id: `c${n}`, function: "shell", arguments: input(n), type: "function" }],
              },
              { role: "tool", content: result, tool_call_id: `c${n}`, function: "shell" },
            ]),
          },
        ],
      },
    ],
    [
      "adk",
      {
        id: "s",
        app_name: "a",
        user_id: "u",
        state: {},
        events: each((n) => [
          {
            content: { parts: [{ function_call: { id: `c${n}`, name: "shell", args: input(n) } }], role: "model" },
            invocation_id: "i",
            author: "desk",
            actions: {},
            timestamp: seconds(n),
          },
          {
            content: {
              parts: [{ function_response: { id: `c${n}`, name: "shell", response: { result } } }],
              role: "user",
            },
            invocation_id: "i",
            author: "desk",
            actions: {},
            timestamp: seconds(n),
          },
        ]),
      },
    ],
    [
      "langchain",
      each((n) => [
        {
          type: "ai",
          data: {
            content: "",
            type: "ai",
            tool_calls: [{ name: "shell", args: input(n), id: `c${n}`, type: "tool_call" }],
            usage_metadata: { input_tokens: 30, output_tokens: 9, total_tokens: 39 },
          },
        },
        {
          type: "tool",
          data: { content: result, type: "tool", name: "shell", tool_call_id: `c${n}`, status: "success" },
        },
      ]),
    ],
    [
      "pydantic-ai",
      each((n) => [
        {
          kind: "response",
          parts: [{ part_kind: "tool-call", tool_name: "shell", args: input(n), tool_call_id: `c${n}` }],
          usage: { input_tokens: 30, output_tokens: 9 },
          model_name: "m",
          timestamp: iso(n),
        },
        {
          kind: "request",
          parts: [
            { part_kind: "tool-return", tool_name: "shell", content: result, tool_call_id: `c${n}`, timestamp: iso(n) },
          ],
        },
      ]),
    ],
    [
      "autogen",
      each((n) => [
        {
          type: "ToolCallRequestEvent",
          source: "desk",
          models_usage: usage,
          created_at: iso(n),
          content: [{ id: `c${n}`, name: "shell", arguments: JSON.stringify(input(n)) }],
        },
        {
          type: "ToolCallExecutionEvent",
          source: "desk",
          created_at: iso(n),
          content: [{ call_id: `c${n}`, name: "shell", content: result, is_error: false }],
        },
      ]),
    ],
    [
      "mastra",
      each((n) => [
        {
          id: `m${n}`,
          role: "assistant",
          threadId: "t",
          createdAt: iso(n),
          content: {
            format: 2,
            parts: [
              {
                type: "tool-invocation",
                toolInvocation: { state: "result", toolCallId: `c${n}`, toolName: "shell", args: input(n), result },
              },
            ],
          },
        },
      ]),
    ],
    ["mlflow", { info: { trace_id: "t" }, data: { spans: each((n) => mlflowSpans(n, input(n), result)) } }],
    [
      "weave",
      each((n) => {
        const common = { trace_id: "t", project_id: "p", parent_id: "root", started_at: iso(n), ended_at: iso(n + 1) };
        const call = {
          id: `c${n}`,
          type: "function",
          function: { name: "shell", arguments: JSON.stringify(input(n)) },
        };
        return [
          {
            ...common,
            id: `a${n}`,
            op_name: "weave:///e/p/op/openai.chat.completions.create:x",
            inputs: { model: "m", messages: [{ role: "user", content: "go" }] },
            output: { choices: [{ message: { role: "assistant", tool_calls: [call] } }], usage },
          },
          { ...common, id: `b${n}`, op_name: "weave:///e/p/op/shell:x", inputs: input(n), output: result },
        ];
      }),
    ],
    [
      "openhands",
      each((n) => [
        {
          id: 2 * n,
          timestamp: iso(n),
          source: "agent",
          action: "run",
          args: { ...input(n), thought: "go" },
          tool_call_metadata: {
            function_name: "shell",
            tool_call_id: `c${n}`,
            model_response: { id: `r${n}`, model: "m", usage },
          },
        },
        {
          id: 2 * n + 1,
          timestamp: iso(n),
          source: "environment",
          observation: "run",
          content: result,
          extras: { metadata: { exit_code: 0 } },
          cause: 2 * n,
        },
      ]),
    ],
    [
      "goose",
      {
        id: "s",
        conversation: each((n) => [
          {
            id: `m${n}`,
            role: "assistant",
            created: seconds(n),
            content: [
              {
                type: "toolRequest",
                id: `c${n}`,
                toolCall: { status: "success", value: { name: "shell", arguments: input(n) } },
              },
            ],
          },
          {
            role: "user",
            created: seconds(n),
            content: [
              {
                type: "toolResponse",
                id: `c${n}`,
                toolResult: { status: "success", value: [{ type: "text", text: result }] },
              },
            ],
          },
        ]),
      },
    ],
  ];
  return documents.map(([name, document]) => [name, JSON.stringify(document)]);
}

/** Clocks as MLflow writes them, in nanoseconds within the safe integers' reach as text. */
function mlflowSpans(index: number, input: unknown, result: string): readonly unknown[] {
  const at = (offset: number) => `${1_767_600_000_000 + index * 10 + offset}000000`;
  const span = (id: string, name: string, type: string, inputs: unknown, outputs: unknown, offset: number) => ({
    span_id: `${id}${index}`,
    parent_span_id: null,
    name,
    start_time_unix_nano: at(offset),
    end_time_unix_nano: at(offset + 1),
    events: [],
    status: { code: "STATUS_CODE_OK" },
    attributes: {
      "mlflow.spanType": JSON.stringify(type),
      "mlflow.spanInputs": JSON.stringify(inputs),
      "mlflow.spanOutputs": JSON.stringify(outputs),
    },
  });
  const call = { id: `c${index}`, type: "function", function: { name: "shell", arguments: JSON.stringify(input) } };
  return [
    span(
      "a",
      "chat",
      "CHAT_MODEL",
      { model: "m", messages: [{ role: "user", content: "go" }] },
      { choices: [{ message: { role: "assistant", tool_calls: [call] } }] },
      0,
    ),
    span("b", "shell", "TOOL", input, result, 2),
  ];
}
