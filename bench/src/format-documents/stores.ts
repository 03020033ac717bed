/** Exports of the stores that keep traces of agents; requests repeat the history of their conversation. */
import { chatAnswer, chatHistory } from "./chat-messages.ts";
import { type Conversation, type FormatDocument, type Run, whole } from "./run.ts";

const usage = { prompt_tokens: 30, completion_tokens: 9, total_tokens: 39 };

export const stores: readonly FormatDocument[] = [
  whole("langfuse", (run) => ({
    traces: run.inConversations((conversation) => ({
      id: `lf-${conversation.index}`,
      name: "desk",
      timestamp: run.iso(conversation.first),
      sessionId: "s",
      input: run.text("Go"),
      output: null,
      metadata: {},
      observations: observations(run, conversation),
    })),
  })),
  whole("langsmith", (run) => run.inConversations((conversation) => langsmithRuns(run, conversation)).flat()),
  whole("openai-agents", (run) => ({
    data: run.inConversations((conversation) => agentsSpans(run, conversation)).flat(),
  })),
  whole("mlflow", (run) => ({
    traces: run.inConversations((conversation) => ({
      info: { trace_id: `tr-${conversation.index}`, tags: { "mlflow.traceName": "desk" } },
      data: { spans: mlflowSpans(run, conversation) },
    })),
  })),
  whole("weave", (run) => run.inConversations((conversation) => weaveCalls(run, conversation)).flat()),
];

function observations(run: Run, { index, first, last, turns }: Conversation): unknown[] {
  const observation = (id: string, parent: string | null, type: string, name: string, begin: number, end: number) => ({
    id,
    traceId: `lf-${index}`,
    parentObservationId: parent,
    type,
    name,
    startTime: run.iso(begin),
    endTime: run.iso(end),
    level: "DEFAULT",
    statusMessage: null,
  });
  const root = `o${index}`;
  return [
    { ...observation(root, null, "AGENT", "desk", first, last + 1), input: run.text("Go"), output: "Done." },
    ...turns.flatMap((n) => [
      {
        ...observation(`a${n}`, root, "GENERATION", "llm", n, n + 0.4),
        input: run.text(chatHistory(run, first, n)),
        output: run.text(chatAnswer(run, n)),
        model: "m",
        usageDetails: { input: 40, output: 12, total: 52 },
        modelParameters: { temperature: 0 },
      },
      {
        ...observation(`b${n}`, root, "TOOL", "shell", n + 0.5, n + 0.9),
        input: run.text(run.input(n)),
        output: run.result,
      },
    ]),
  ];
}

function langsmithRuns(run: Run, { index, first, last, turns }: Conversation): unknown[] {
  const root = `10000000-0000-4000-8000-${index.toString(16).padStart(12, "0")}`;
  const common = (id: string, name: string, type: string, begin: number, end: number) => ({
    id,
    trace_id: root,
    name,
    run_type: type,
    start_time: run.iso(begin),
    end_time: run.iso(end),
    status: "success",
    error: null,
    dotted_order: id === root ? `${run.iso(begin)}${root}` : `${run.iso(first)}${root}.${run.iso(begin)}${id}`,
    ...(id === root ? {} : { parent_run_id: root }),
    extra: { metadata: { thread_id: `t${index}` } },
  });
  const message = (kind: string, kwargs: unknown) => ({
    lc: 1,
    type: "constructor",
    id: ["langchain", "schema", "messages", kind],
    kwargs,
  });
  const answer = (n: number) =>
    message("AIMessage", {
      content: "",
      type: "ai",
      tool_calls: [{ name: "shell", args: run.input(n), id: `c${n}`, type: "tool_call" }],
      invalid_tool_calls: [],
      usage_metadata: { input_tokens: 52, output_tokens: 17, total_tokens: 69 },
      response_metadata: { finish_reason: "tool_calls", model_name: "m" },
    });
  const history = (n: number) => [
    message("HumanMessage", { content: `Go on from ${first}`, type: "human" }),
    ...turns
      .filter((turn) => turn < n)
      .flatMap((turn) => [
        answer(turn),
        message("ToolMessage", { content: run.result, type: "tool", tool_call_id: `c${turn}`, status: "success" }),
      ]),
  ];
  return [
    { ...common(root, "LangGraph", "chain", first, last + 1), inputs: { messages: [] }, outputs: { messages: [] } },
    ...turns.flatMap((n) => [
      {
        ...common(`20000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`, "ChatOpenAI", "llm", n, n + 0.4),
        inputs: { messages: [history(n)] },
        outputs: {
          generations: [[{ text: "", generation_info: {}, type: "ChatGeneration", message: answer(n) }]],
          llm_output: null,
          run: null,
          type: "LLMResult",
        },
      },
      {
        ...common(`30000000-0000-4000-8000-${n.toString(16).padStart(12, "0")}`, "shell", "tool", n + 0.5, n + 0.9),
        inputs: { input: run.text(run.input(n)) },
        outputs: {
          output: { content: run.result, type: "tool", name: "shell", tool_call_id: `c${n}`, status: "success" },
        },
      },
    ]),
  ];
}

function agentsSpans(run: Run, { index, first, last, turns }: Conversation): unknown[] {
  const trace = `trace_${index}`;
  const span = (id: string, begin: number, end: number, data: unknown) => ({
    object: "trace.span",
    id,
    trace_id: trace,
    parent_id: id === `span_${index}` ? null : `span_${index}`,
    started_at: run.iso(begin),
    ended_at: run.iso(end),
    span_data: data,
    error: null,
  });
  return [
    { object: "trace", id: trace, workflow_name: "desk", group_id: "g", metadata: {} },
    span(`span_${index}`, first, last + 1, { type: "agent", name: "desk", handoffs: [], tools: ["shell"] }),
    ...turns.flatMap((n) => [
      span(`a${n}`, n, n + 0.4, {
        type: "generation",
        input: chatHistory(run, first, n),
        output: [chatAnswer(run, n)],
        model: "m",
        model_config: { temperature: 0 },
        usage: { input_tokens: 40, output_tokens: 12 },
      }),
      span(`b${n}`, n + 0.5, n + 0.9, {
        type: "function",
        name: "shell",
        input: run.text(run.input(n)),
        output: run.result,
      }),
    ]),
  ];
}

/** Every attribute is a JSON text, the name of a span's type too. */
function mlflowSpans(run: Run, { index, first, last, turns }: Conversation): unknown[] {
  const root = `r${index}`;
  const span = (id: string, name: string, begin: number, end: number, attributes: Record<string, unknown>) => ({
    span_id: id,
    parent_span_id: id === root ? null : root,
    name,
    start_time_unix_nano: run.nanoseconds(begin),
    end_time_unix_nano: run.nanoseconds(end),
    events: [],
    status: { code: "STATUS_CODE_OK", message: "" },
    attributes: Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [`mlflow.${key}`, run.text(value)]),
    ),
  });
  return [
    span(root, "desk", first, last + 1, { spanType: "AGENT" }),
    ...turns.flatMap((n) => [
      span(`a${n}`, "chat", n, n + 0.4, {
        spanType: "CHAT_MODEL",
        spanInputs: { model: "m", messages: chatHistory(run, first, n) },
        spanOutputs: { choices: [{ message: chatAnswer(run, n) }], usage },
      }),
      span(`b${n}`, "shell", n + 0.5, n + 0.9, {
        spanType: "TOOL",
        spanInputs: run.input(n),
        spanOutputs: run.result,
      }),
    ]),
  ];
}

function weaveCalls(run: Run, { index, first, last, turns }: Conversation): unknown[] {
  const root = `r${index}`;
  const call = (id: string, op: string, begin: number, end: number, inputs: unknown, output: unknown) => ({
    id,
    project_id: "e/p",
    op_name: `weave:///e/p/op/${op}:x`,
    trace_id: `t${index}`,
    parent_id: id === root ? null : root,
    started_at: run.iso(begin),
    ended_at: run.iso(end),
    attributes: {},
    inputs,
    output,
    exception: null,
  });
  return [
    call(root, "desk", first, last + 1, {}, "Done."),
    ...turns.flatMap((n) => [
      call(
        `a${n}`,
        "openai.chat.completions.create",
        n,
        n + 0.4,
        { model: "m", messages: chatHistory(run, first, n) },
        { choices: [{ message: chatAnswer(run, n) }], usage },
      ),
      call(`b${n}`, "shell", n + 0.5, n + 0.9, run.input(n), run.result),
    ]),
  ];
}
