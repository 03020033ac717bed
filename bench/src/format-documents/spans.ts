/** OpenTelemetry: the spans of instrumented agents, as exporters and stores write them. */
import { chatAnswer, chatHistory } from "./chat-messages.ts";
import { type Conversation, type FormatDocument, lines, type Run, whole } from "./run.ts";

export const spans: readonly FormatDocument[] = [
  whole("otlp", (run) => ({
    resourceSpans: inConversations(run, (span) => otlpSpan(span, run)).map((spans) => ({
      resource,
      scopeSpans: [{ scope, spans }],
    })),
  })),
  whole("tempo", (run) => ({
    batches: inConversations(run, (span) => otlpSpan(span, run)).map((spans) => ({
      resource,
      instrumentationLibrarySpans: [{ instrumentationLibrary: scope, spans }],
    })),
  })),
  whole("jaeger", (run) => ({
    data: inConversations(run, (span) => jaegerSpan(span, run)).map((spans, index) => ({
      traceID: traceId(index),
      spans,
      processes: { p1: { serviceName: "desk", tags: [] } },
    })),
  })),
  lines("otel-spans", (run) => inConversations(run, (span) => sdkSpan(span, run)).flat()),
  whole("phoenix", (run) => ({
    data: run.inConversations((conversation) => phoenixSpans(run, conversation)).flat(),
    next_cursor: null,
  })),
];

const resource = { attributes: [{ key: "service.name", value: { stringValue: "desk" } }] };
const scope = { name: "desk" };

interface Span {
  readonly trace: string;
  readonly id: string;
  readonly parent?: string;
  readonly name: string;
  /** In turns; a span ends half a turn after it begins. */
  readonly begin: number;
  readonly end: number;
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** By the semantic conventions for generative AI: an agent around its model calls and tool runs. */
function inConversations<T>(run: Run, write: (span: Span) => T): T[][] {
  return run.inConversations((conversation) => agentSpans(run, conversation).map(write));
}

function agentSpans(run: Run, { index, first, last, turns }: Conversation): Span[] {
  const root = spanId(index, 0);
  const trace = traceId(index);
  const inner = turns.flatMap((n, place): Span[] => [
    {
      trace,
      id: spanId(index, 2 * place + 1),
      parent: root,
      name: "chat m",
      begin: n,
      end: n + 0.4,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": "m",
        "gen_ai.response.model": "m",
        "gen_ai.usage.input_tokens": 30,
        "gen_ai.usage.output_tokens": 12,
        "gen_ai.input.messages": run.text(genAiHistory(run, first, n)),
        "gen_ai.output.messages": run.text([{ ...genAiAnswer(run, n), finish_reason: "tool_call" }]),
      },
    },
    {
      trace,
      id: spanId(index, 2 * place + 2),
      parent: root,
      name: "execute_tool shell",
      begin: n + 0.5,
      end: n + 0.9,
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "shell",
        "gen_ai.tool.call.id": `c${n}`,
        "gen_ai.tool.call.arguments": run.text(run.input(n)),
        "gen_ai.tool.call.result": run.result,
      },
    },
  ]);
  const attributes = { "gen_ai.operation.name": "invoke_agent", "gen_ai.agent.name": "desk" };
  return [{ trace, id: root, name: "invoke_agent desk", begin: first, end: last + 1, attributes }, ...inner];
}

function genAiAnswer(run: Run, n: number) {
  return { role: "assistant", parts: [{ type: "tool_call", id: `c${n}`, name: "shell", arguments: run.input(n) }] };
}

function genAiHistory(run: Run, first: number, n: number): unknown[] {
  const history: unknown[] = [{ role: "user", parts: [{ type: "text", content: `Go on from ${first}` }] }];
  for (let turn = first; turn < n; turn++) {
    const result = { type: "tool_call_response", id: `c${turn}`, response: run.result };
    history.push(genAiAnswer(run, turn), { role: "tool", parts: [result] });
  }
  return history;
}

function traceId(index: number): string {
  return `5b8efff798038103${index.toString(16).padStart(16, "0")}`;
}

function spanId(conversation: number, place: number): string {
  return `${conversation.toString(16).padStart(8, "0")}${(place + 1).toString(16).padStart(8, "0")}`;
}

function otlpSpan(span: Span, run: Run): unknown {
  return {
    traceId: span.trace,
    spanId: span.id,
    ...(span.parent === undefined ? {} : { parentSpanId: span.parent }),
    name: span.name,
    kind: 1,
    startTimeUnixNano: run.nanoseconds(span.begin),
    endTimeUnixNano: run.nanoseconds(span.end),
    attributes: Object.entries(span.attributes).map(([key, value]) => ({
      key,
      value: typeof value === "string" ? { stringValue: value } : { intValue: `${value}` },
    })),
    status: {},
  };
}

function jaegerSpan(span: Span, run: Run): unknown {
  const references =
    span.parent === undefined ? [] : [{ refType: "CHILD_OF", traceID: span.trace, spanID: span.parent }];
  return {
    traceID: span.trace,
    spanID: span.id,
    operationName: span.name,
    references,
    startTime: run.milliseconds(span.begin) * 1000,
    duration: Math.round((span.end - span.begin) * 1e6),
    tags: Object.entries(span.attributes).map(([key, value]) => ({
      key,
      type: typeof value === "string" ? "string" : "int64",
      value,
    })),
    logs: [],
    processID: "p1",
    warnings: null,
  };
}

/** As `ReadableSpan.to_json` of the Python SDK writes them. */
function sdkSpan(span: Span, run: Run): unknown {
  return {
    name: span.name,
    context: { trace_id: `0x${span.trace}`, span_id: `0x${span.id}`, trace_state: "[]" },
    kind: "SpanKind.INTERNAL",
    parent_id: span.parent === undefined ? null : `0x${span.parent}`,
    start_time: run.iso(span.begin),
    end_time: run.iso(span.end),
    status: { status_code: "UNSET" },
    attributes: span.attributes,
    events: [],
    links: [],
    resource: { attributes: { "service.name": "desk", "telemetry.sdk.language": "python" }, schema_url: "" },
  };
}

/** OpenInference spells messages out, one attribute for each member of each message. */
function phoenixSpans(run: Run, { index, first, last, turns }: Conversation): unknown[] {
  const root = spanId(index, 0);
  const span = (place: number, name: string, kind: string, begin: number, end: number, attributes: unknown) => ({
    id: "U3Bhbjo=",
    name,
    context: { trace_id: traceId(index), span_id: spanId(index, place) },
    span_kind: kind,
    parent_id: place === 0 ? null : root,
    start_time: run.iso(begin),
    end_time: run.iso(end),
    status_code: "OK",
    status_message: "",
    attributes,
    events: [],
  });
  const inner = turns.flatMap((n, place) => [
    span(2 * place + 1, "ChatOpenAI", "LLM", n, n + 0.4, {
      "llm.model_name": "m",
      ...flattened("llm.input_messages", chatHistory(run, first, n)),
      ...flattened("llm.output_messages", [chatAnswer(run, n)]),
      "llm.token_count.prompt": 20,
      "llm.token_count.completion": 8,
    }),
    span(2 * place + 2, "shell", "TOOL", n + 0.5, n + 0.9, {
      "tool.name": "shell",
      "input.value": run.text(run.input(n)),
      "output.value": run.result,
    }),
  ]);
  return [span(0, "desk", "AGENT", first, last + 1, { "agent.name": "desk" }), ...inner];
}

function flattened(prefix: string, messages: readonly unknown[]): Record<string, unknown> {
  const attributes: Record<string, unknown> = {};
  for (const [index, message] of messages.entries()) {
    const { role, content, tool_call_id, tool_calls } = message as ReturnType<typeof chatAnswer> & {
      tool_call_id?: string;
    };
    const at = `${prefix}.${index}.message`;
    attributes[`${at}.role`] = role;
    if (content !== null) attributes[`${at}.content`] = content;
    if (tool_call_id !== undefined) attributes[`${at}.tool_call_id`] = tool_call_id;
    for (const [place, call] of (tool_calls ?? []).entries()) {
      const to = `${at}.tool_calls.${place}.tool_call`;
      attributes[`${to}.id`] = call.id;
      attributes[`${to}.function.name`] = call.function.name;
      attributes[`${to}.function.arguments`] = call.function.arguments;
    }
  }
  return attributes;
}
