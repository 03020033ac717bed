/**
 * What a span stands for. Told by attributes, hardly ever by names: each convention marks model calls, tools and agents in
 * its own way. Spans of transport (HTTP, RPC, A2A queues, the MCP handshake) are no behaviour of the agent: they carry
 * the calls already seen above them, so they are put aside and counted by kind. docs/formats-otel.md says so too.
 */

import type { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { present } from "@spoor/core/internal/trace/present";
import type { Activity, Did, Failure, ToolRun } from "../activities/activity.ts";
import { AROUND } from "../activities/activity.ts";
import { parseToolOutput } from "../activities/tool-output.ts";
import { type Attributes, countOf, jsonOf, textOf } from "./attributes.ts";
import { genAiModelCall } from "./gen-ai.ts";
import { openInferenceModelCall } from "./open-inference.ts";
import type { Span } from "./spans.ts";
import { vercelModelCall, vercelOperation } from "./vercel.ts";

export interface Classified {
  readonly activity: Activity;
  /** Why the span is only structure; absent when it means something. */
  readonly aside?: string;
}

export function classifySpan(span: Span, unknown: UnknownCounter): Classified {
  const failure = failureOf(span);
  const { did, aside, failed } = meaningOf(span, unknown);
  const activity: Activity = {
    id: span.spanId,
    parentId: span.parentSpanId,
    start: span.start,
    end: span.end,
    failure: failure ?? (failed ? {} : undefined),
    succeeded: span.status.isOk,
    durationMs: countOf(span.attributes, "spoor.duration_ms"),
    sequence: countOf(span.attributes, "spoor.sequence"),
    sequential: span.attributes.get("spoor.sequential") === true,
    did,
  };
  return aside === undefined ? { activity } : { activity, aside };
}

interface Meaning {
  readonly did: Did;
  readonly aside?: string;
  readonly failed?: boolean | undefined;
}

const MODEL_OPERATIONS: ReadonlySet<string> = new Set(["chat", "generate_content", "text_completion"]);
const STEP_OPERATIONS: ReadonlySet<string> = new Set([
  "embeddings",
  "retrieval",
  "create_memory_store",
  "search_memory",
  "update_memory",
  "upsert_memory",
  "delete_memory",
  "delete_memory_store",
]);
const STRUCTURE_OPERATIONS: ReadonlySet<string> = new Set(["create_agent", "invoke_workflow", "plan", "chain"]);
/** Azure's agents: what is done to a thread. The run itself tells it again, so these are no calls whatever else they carry. */
const THREAD_OPERATIONS: ReadonlySet<string> = new Set([
  "create_thread",
  "create_message",
  "submit_tool_outputs",
  "list_messages",
  "list_run_steps",
]);

function meaningOf(span: Span, unknown: UnknownCounter): Meaning {
  const { attributes } = span;
  const category = textOf(attributes, "spoor.event.category");
  if (category !== undefined) return { did: { kind: "step", category, name: span.name } };
  const vercel = vercelOperation(span);
  if (vercel !== undefined) return vercelMeaning(vercel, span, unknown);
  const operation = textOf(attributes, "gen_ai.operation.name");
  if (operation === "execute_tool") return toolMeaning(span);
  if (operation !== undefined && THREAD_OPERATIONS.has(operation)) return { did: AROUND };
  if (textOf(attributes, "mcp.method.name") !== undefined) return mcpMeaning(span);
  if (operation === "invoke_agent") return agentMeaning(span);
  if (operation !== undefined && MODEL_OPERATIONS.has(operation)) return { did: genAiModelCall(span, unknown) };
  if (operation !== undefined && STEP_OPERATIONS.has(operation)) return stepMeaning(operation, span);
  const kind = textOf(
    attributes,
    "openinference.span.kind",
    "traceloop.span.kind",
    "langsmith.span.kind",
  )?.toUpperCase();
  if (kind !== undefined) return markedMeaning(kind, span, unknown);
  if (toolName(attributes) !== undefined && !attributes.has("gen_ai.request.model")) return toolMeaning(span);
  if (looksLikeModelCall(attributes)) return { did: genAiModelCall(span, unknown) };
  if (operation === undefined) {
    const transport = transportOf(span);
    // Agent runs of instrumentations that predate `invoke_agent`: all they say is whose run it is.
    if (transport === undefined && agentNameOf(attributes) !== undefined) return agentMeaning(span);
    return { did: AROUND, aside: transport ?? "other" };
  }
  if (!STRUCTURE_OPERATIONS.has(operation)) unknown.add(`operation ${operation}`);
  return { did: AROUND };
}

/** Spans of instrumentations that predate `gen_ai.operation.name`. */
function looksLikeModelCall(attributes: Attributes): boolean {
  if (attributes.has("llm.request.type")) return textOf(attributes, "llm.request.type") !== "embedding";
  if (!attributes.has("gen_ai.request.model") && !attributes.has("gen_ai.response.model")) return false;
  for (const key of attributes.keys()) {
    if (/^gen_ai\.(usage|prompt|completion|input\.messages|output\.messages|response)\b/.test(key)) return true;
  }
  return attributes.has("gcp.vertex.agent.llm_request");
}

function vercelMeaning(operation: string, span: Span, unknown: UnknownCounter): Meaning {
  if (operation === "ai.toolCall") return toolMeaning(span);
  if (/^ai\.(embed|embedMany|rerank)(\.|$)/.test(operation)) {
    // The outer span already says it.
    return operation.includes(".do") ? { did: AROUND } : stepMeaning(operation, span);
  }
  if (/^ai\.(generate|stream)(Text|Object)(\.|$)/.test(operation)) return { did: vercelModelCall(span, unknown) };
  unknown.add(`operation ${operation}`);
  return { did: AROUND };
}

/** OpenInference, OpenLLMetry and LangSmith's exporter mark each span with a kind. */
function markedMeaning(kind: string, span: Span, unknown: UnknownCounter): Meaning {
  switch (kind) {
    case "LLM":
      return {
        did: span.attributes.has("openinference.span.kind")
          ? openInferenceModelCall(span, unknown)
          : genAiModelCall(span, unknown),
      };
    case "TOOL":
      return toolMeaning(span);
    case "AGENT":
      return agentMeaning(span);
    case "RETRIEVER":
    case "EMBEDDING":
    case "RERANKER":
      return stepMeaning(kind.toLowerCase(), span);
    case "GUARDRAIL":
      return { did: { kind: "step", category: "guardrail", name: span.name } };
    case "CHAIN":
    case "WORKFLOW":
    case "TASK":
    case "PROMPT":
    case "PARSER":
      return { did: AROUND };
    default:
      unknown.add(`span kind ${kind}`);
      return { did: AROUND };
  }
}

function agentMeaning(span: Span): Meaning {
  // The serving side of a remote invocation is a gateway; the agent itself follows below it.
  if (span.kind === "server") return { did: AROUND };
  return { did: { kind: "agent", name: agentNameOf(span.attributes) ?? agentOfSpanName(span.name) } };
}

export function agentNameOf(attributes: Attributes): string | undefined {
  return textOf(attributes, "gen_ai.agent.name", "agent.name", "agent_name", "traceloop.entity.name");
}

/** `invoke_agent planner`, ADK's `agent_run [planner]`. */
export function agentOfSpanName(name: string): string {
  return name.replace(/^invoke_agent\s*/, "").replace(/^agent_run \[(.*)\]$/, "$1");
}

function stepMeaning(operation: string, span: Span): Meaning {
  const subject = textOf(span.attributes, "gen_ai.data_source.id", "gen_ai.request.model", "embedding.model_name");
  const name = subject === undefined ? span.name || operation : `${operation} ${subject}`;
  const attributes = present({ operation });
  return { did: { kind: "step", category: "step", name, attributes } };
}

const NAME_KEYS = [
  "gen_ai.tool.name",
  "tool.name",
  "ai.toolCall.name",
  "tool_name",
  "function.name",
  "agent.tool_name",
  "agent.tool",
  "codex.mcp.tool",
  "tool",
] as const;
const INPUT_KEYS = [
  "gen_ai.tool.call.arguments",
  "gcp.vertex.agent.tool_call_args",
  "ai.toolCall.args",
  "ai.toolCall.input",
  "tool.parameters",
  "tool_arguments",
  "input.value",
  "traceloop.entity.input",
] as const;
const OUTPUT_KEYS = [
  "gen_ai.tool.call.result",
  "gcp.vertex.agent.tool_response",
  "ai.toolCall.result",
  "ai.toolCall.output",
  "tool_response",
  "output.value",
  "traceloop.entity.output",
] as const;

/** A JSON list or object under such a key is a list of definitions, not a name. */
function toolName(attributes: Attributes): string | undefined {
  for (const key of NAME_KEYS) {
    const name = textOf(attributes, key);
    if (name !== undefined && !/^\s*[[{]/.test(name)) return name;
  }
  return undefined;
}

function toolMeaning(span: Span): Meaning {
  const { run, failed } = toolRunOf(span.attributes, span.name);
  return { did: run, failed };
}

/** A tool run told by attributes of any convention; `spanName` is the last resort for its name. */
export function toolRunOf(attributes: Attributes, spanName: string): { run: ToolRun; failed?: true | undefined } {
  const { output, callId, failed } = parseToolOutput(jsonOf(attributes, ...OUTPUT_KEYS));
  const name = toolName(attributes) ?? textOf(attributes, "traceloop.entity.name");
  const run: ToolRun = {
    kind: "tool",
    name: name ?? spanName.replace(/^(execute_tool|running tool:|tools\/call)\s*/, ""),
    callId:
      textOf(attributes, "gen_ai.tool.call.id", "ai.toolCall.id", "tool_call.id", "tool_call_id", "tool.id") ?? callId,
    input: jsonOf(attributes, ...INPUT_KEYS),
    output,
  };
  return { run, failed };
}

/** Of the MCP methods only a tool's call is something the agent did. */
function mcpMeaning(span: Span): Meaning {
  if (textOf(span.attributes, "mcp.method.name") !== "tools/call") return { did: AROUND, aside: "mcp" };
  const { run, failed } = toolRunOf(span.attributes, span.name);
  return { did: { ...run, transport: true }, failed };
}

/** The protocol a span of plumbing belongs to. */
function transportOf(span: Span): string | undefined {
  const { attributes } = span;
  if (span.name.startsWith("a2a.") || span.scope?.startsWith("a2a") === true) return "a2a";
  for (const key of ["http.method", "http.request.method", "http.url", "url.full", "asgi.event.type", "http.target"]) {
    if (attributes.has(key)) return "http";
  }
  if (attributes.has("rpc.system")) return "rpc";
  if (attributes.has("db.system") || attributes.has("db.system.name")) return "database";
  return attributes.has("messaging.system") ? "messaging" : undefined;
}

function failureOf(span: Span): Failure | undefined {
  const exception = span.events.find((event) => event.name === "exception")?.attributes;
  const named = textOf(span.attributes, "error.type");
  // The conventions' word for "no class known".
  const kind = named === "_OTHER" ? undefined : (named ?? (exception && textOf(exception, "exception.type")));
  if (!span.status.isError && !span.attributes.has("error.type")) return undefined;
  const message = span.status.message ?? (exception && textOf(exception, "exception.message"));
  return { message, kind };
}
