/** What spans name a run by, and the line to add where they do not, in the words of the instrumentation that made them. */
import type { Span } from "./spans.ts";

export const SESSION_KEYS = [
  ...["gen_ai.conversation.id", "session.id", "session_id", "langfuse.session.id", "langsmith.trace.session_id"],
  ...["ai.telemetry.metadata.sessionId", "traceloop.association.properties.session_id", "conversation_id", "thread_id"],
  ...["traceloop.association.properties.conversation_id", "traceloop.association.properties.chat_id"],
  ...["traceloop.association.properties.thread_id", "mlflow.trace.session"],
] as const;

interface Family {
  knows(span: Span): boolean;
  readonly advice: string;
}

const FAMILIES: readonly Family[] = [
  {
    knows: ({ attributes, scope }) => attributes.has("openinference.span.kind") || /^openinference\b/.test(scope ?? ""),
    advice:
      "Name each run (OpenInference; Python: with using_session(run_id): around it; JavaScript: " +
      "context.with(setSession(context.active(), { sessionId }), …))",
  },
  {
    knows: ({ scope }) => /^(?:pydantic-ai|logfire)\b/.test(scope ?? ""),
    advice: 'Put one span around each run (Logfire: with logfire.span("run"):)',
  },
  {
    knows: ({ attributes, scope }) =>
      /^(?:traceloop|@traceloop)\b/.test(scope ?? "") ||
      [...attributes.keys()].some((key) =>
        /^(?:traceloop\.|gen_ai\.(?:prompt|completion)\.\d|llm\.request\.type$)/.test(key),
      ),
    advice:
      'Put one span around each run (OpenLLMetry; Python: @workflow(name="run") on its function; JavaScript: ' +
      'withWorkflow({ name: "run" }, …)), or name its conversation: @conversation(conversation_id=…)',
  },
];

const ANY =
  'Put one span around each run (Python: with tracer.start_as_current_span("invoke_agent"):; JavaScript: ' +
  'tracer.startActiveSpan("invoke_agent", …)) or set gen_ai.conversation.id on its spans';

/** Without messages there is one more way: to record them. */
export function adviceFor(spans: readonly Span[]): string {
  const family = FAMILIES.find(({ knows }) => spans.some(knows));
  const isSilent = !spans.some(
    ({ attributes, events }) => attributes.has("gen_ai.input.messages") || events.length > 0,
  );
  const record = "; or record the messages (OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true)";
  return family?.advice ?? `${ANY}${isSilent ? record : ""}`;
}
