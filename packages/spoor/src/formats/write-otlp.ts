/**
 * Traces as OTLP JSON with the current `gen_ai.*` attributes: `invoke_agent` around everything, a `chat` span per turn, an
 * `execute_tool` span per call that was seen running. Any backend can take it, and Spoor reads it back without loss of
 * turns, calls, arguments, results and durations. What OpenTelemetry has no words for stands under `spoor.*`: the order
 * of steps and calls, a duration without a clock, steps that are neither model nor tool calls. No time is invented: a span of a
 * step without a clock has none either.
 */

import type { Json, JsonObject, Step, ToolCall, Trace, Turn } from "@spoor/core";
import { digestText } from "@spoor/core/internal/canonical/digest";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, numberMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { nanosOfMs } from "./activities/activity.ts";

export function writeOtlp(traces: readonly Trace[]): string {
  return `${stringifyJson({ resourceSpans: traces.map(resourceSpans) })}\n`;
}

/** Several calls of one response that were not made side by side. */
function calledInSequence({ toolCalls }: Turn): boolean {
  const asked = toolCalls.filter((call) => !call.standalone);
  return asked.length > 1 && asked.every((call) => call.parallelGroup === undefined);
}

function resourceSpans(trace: Trace): JsonObject {
  return {
    // The conventions' own word for a service that never named itself.
    resource: { attributes: attributeList({ "service.name": trace.agent ?? "unknown_service" }) },
    scopeSpans: [{ scope: { name: "spoor" }, spans: new SpanWriter(trace).spans() }],
  };
}

class SpanWriter {
  private readonly trace: Trace;
  private readonly traceId: string;
  private readonly written: JsonObject[] = [];
  /** Span ids of agents and of calls, so that what happened inside hangs below them. */
  private readonly agents = new Map<string, string>();
  private readonly callSpans = new Map<string, string>();
  /** Calls that started a sub-agent. */
  private readonly starters: ReadonlySet<string | undefined>;

  constructor(trace: Trace) {
    this.trace = trace;
    this.starters = new Set(trace.turns.map((turn) => turn.parentCallId));
    this.traceId = /^[0-9a-f]{32}$/.test(trace.id) ? trace.id : digestText(trace.id, 32);
    // Filled backwards, so that the first bearer of a reused id stands until a later one is written.
    for (const call of trace.toolCalls.toReversed()) this.nameCall(call);
  }

  private nameCall(call: ToolCall): string {
    const spanId = this.spanId(`call ${call.position}`);
    if (call.id !== undefined) this.callSpans.set(call.id, spanId);
    return spanId;
  }

  spans(): JsonObject[] {
    this.agentSpan(undefined, undefined);
    for (const [sequence, step] of this.trace.steps.entries()) this.step(step, sequence);
    return this.written;
  }

  private spanId(seed: string): string {
    return digestText(`${this.traceId} ${seed}`, 16);
  }

  private step(step: Step, sequence: number): void {
    if (step.withoutResponse) this.failedChat(step, sequence);
    else if (step.kind === "llm") this.chat(this.trace.turns[step.turnIndex]!, step, sequence);
    else if (step.call !== undefined) this.tool(step.call, sequence);
    else this.event(step, sequence);
  }

  /** The span of an agent, written when it first acts: the main one at the root, a sub-agent below the call that started it. */
  private agentSpan(agent: string | undefined, parentCallId: string | undefined): string {
    const key = JSON.stringify([agent, parentCallId]);
    const known = this.agents.get(key);
    if (known !== undefined) return known;
    const id = this.spanId(`agent ${key}`);
    this.agents.set(key, id);
    const name = agent ?? this.trace.agent;
    const main = agent === undefined && parentCallId === undefined ? undefined : this.agentSpan(undefined, undefined);
    const conversation = stringMember(this.trace.metadata, "conversation_id");
    const attributes = {
      "gen_ai.operation.name": "invoke_agent",
      "gen_ai.agent.name": name,
      "gen_ai.conversation.id": conversation,
      // Trace ids are 16 bytes here; a name that is not keeps its own place.
      "spoor.trace_id": main === undefined && this.traceId !== this.trace.id ? this.trace.id : undefined,
      "spoor.scenario_id": main === undefined ? this.trace.scenario : undefined,
    };
    const failure = main === undefined ? runFailure(this.trace) : undefined;
    const parent = (parentCallId === undefined ? undefined : this.callSpans.get(parentCallId)) ?? main;
    this.push({
      id,
      parent,
      name: name === undefined ? "invoke_agent" : `invoke_agent ${name}`,
      kind: 1,
      failure,
      attributes: { ...attributes, "error.type": failure === undefined ? undefined : (failure.code ?? "_OTHER") },
    });
    return id;
  }

  private chat(turn: Turn, step: Step, sequence: number): void {
    const { request, response, parts, usage, stopReason: stop } = turn;
    const { cachedInputTokens: cached, cachedWrite5mTokens: written, thinkingTokens: thinking } = usage ?? {};
    const failed = step.status === "error";
    this.push({
      id: this.spanId(`turn ${turn.index}`),
      parent: this.agentSpan(turn.agent, turn.parentCallId),
      name: step.target === "" ? "chat" : `chat ${step.target}`,
      kind: 3,
      start: turn.ts,
      durationMs: turn.durationMs,
      sequence,
      failure: failed ? { message: stringMember(response, "error") } : undefined,
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": turn.requestedModel,
        "gen_ai.response.model": turn.model,
        "gen_ai.input.messages": jsonText(inputMessages(request)),
        "gen_ai.output.messages": failed && parts.length === 0 ? undefined : jsonText([outputMessage(parts, stop)]),
        "gen_ai.response.finish_reasons": stop === undefined ? undefined : [finishWord(stop)],
        "gen_ai.tool.definitions": jsonText(member(request, "tools")),
        // The conventions count cached and reasoning tokens inside the totals.
        "gen_ai.usage.input_tokens": sum(usage?.inputTokens, cached, written),
        "gen_ai.usage.output_tokens": sum(usage?.outputTokens, thinking),
        "gen_ai.usage.cache_read.input_tokens": cached,
        "gen_ai.usage.cache_creation.input_tokens": written,
        "gen_ai.usage.reasoning.output_tokens": thinking,
        "error.type": failed ? (step.errorKind ?? "_OTHER") : undefined,
        "spoor.sequential": calledInSequence(turn) || undefined,
        ...paramAttributes(turn.settings),
      },
    });
  }

  private failedChat(step: Step, sequence: number): void {
    this.push({
      id: this.spanId(`failed ${sequence}`),
      parent: this.agentSpan(step.agent, undefined),
      name: step.target === "" ? "chat" : `chat ${step.target}`,
      kind: 3,
      durationMs: step.durationMs,
      sequence,
      failure: { message: undefined },
      attributes: {
        "gen_ai.operation.name": "chat",
        "gen_ai.request.model": step.target === "" ? undefined : step.target,
        "error.type": step.errorKind ?? "_OTHER",
      },
    });
  }

  private tool(call: ToolCall, sequence: number): void {
    const asked = !call.standalone;
    const parent = this.agentSpan(call.agent, this.trace.turns[call.turnIndex]?.parentCallId);
    const startsAgent = call.id !== undefined && this.starters.has(call.id);
    // A call that only a completion mentions was never seen running: the chat span already tells it.
    if (asked && call.status === "unknown" && call.startedAt === undefined && !startsAgent) return;
    this.push({
      id: this.nameCall(call),
      parent,
      name: `execute_tool ${call.name}`,
      kind: 1,
      start: call.startedAt,
      durationMs: call.durationMs,
      sequence,
      failure: call.status === "error" ? { message: call.error?.message } : undefined,
      succeeded: call.status === "ok",
      attributes: {
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": call.name,
        "gen_ai.tool.call.id": call.id,
        "gen_ai.tool.call.arguments": call.input === undefined ? undefined : encoded(call.input),
        "gen_ai.tool.call.result": call.output === undefined ? undefined : encoded(call.output),
        "error.type": call.status === "error" ? (call.error?.kind ?? "_OTHER") : undefined,
      },
    });
  }

  private event(step: Step, sequence: number): void {
    const failed = step.status === "error";
    this.push({
      id: this.spanId(`step ${sequence}`),
      parent: this.agentSpan(step.agent, undefined),
      name: step.target,
      kind: step.kind === "http" ? 3 : 1,
      durationMs: step.durationMs,
      sequence,
      failure: failed ? {} : undefined,
      attributes: {
        "spoor.event.category": step.kind === "http" ? "http_request" : "step",
        "error.type": failed ? (step.errorKind ?? "_OTHER") : undefined,
      },
    });
  }

  private push(span: SpanToWrite): void {
    const clock = parseClock(span.start);
    const start = clock === undefined ? undefined : nanosOfMs(clock.ms);
    const measured = span.durationMs === undefined ? undefined : nanosOfMs(span.durationMs);
    const end = start === undefined || measured === undefined ? undefined : start + measured;
    const exact = end !== undefined && Number(measured! / 1000n) / 1000 === span.durationMs;
    this.written.push(
      present({
        traceId: this.traceId,
        spanId: span.id,
        parentSpanId: span.parent,
        name: span.name,
        kind: span.kind,
        startTimeUnixNano: start?.toString(),
        endTimeUnixNano: end?.toString(),
        attributes: attributeList({
          ...span.attributes,
          "spoor.sequence": span.sequence,
          "spoor.duration_ms": exact ? undefined : span.durationMs,
        }),
        status: statusOf(span),
      }),
    );
  }
}

/** The first `error` record: a run that ended in an error must not look like one that went well. */
function runFailure(trace: Trace): { message?: string | undefined; code?: string | undefined } | undefined {
  const error = trace.records.find((record) => record.kind === "error")?.payload;
  return error === undefined
    ? undefined
    : { message: stringMember(error, "message"), code: stringMember(error, "code") };
}

interface SpanToWrite {
  readonly id: string;
  readonly parent?: string | undefined;
  readonly name: string;
  readonly kind: number;
  readonly start?: string | undefined;
  readonly durationMs?: number | undefined;
  readonly sequence?: number;
  readonly failure?: { readonly message?: string | undefined } | undefined;
  readonly succeeded?: boolean;
  readonly attributes: Readonly<Record<string, Json | undefined>>;
}

function statusOf(span: SpanToWrite): JsonObject | undefined {
  if (span.failure !== undefined) return present({ code: 2, message: span.failure.message });
  return span.succeeded === true ? { code: 1 } : undefined;
}

function inputMessages(request: JsonObject): Json[] | undefined {
  const messages = member(request, "messages");
  if (!Array.isArray(messages)) return undefined;
  return messages.filter(isObject).map((message): JsonObject => {
    const content = member(message, "content");
    if (member(message, "role") !== "tool") return { role: member(message, "role") ?? "user", parts: partsOf(content) };
    const id = stringMember(message, "tool_call_id");
    return { role: "tool", parts: [present({ type: "tool_call_response", id, response: content })] };
  });
}

function outputMessage(parts: readonly JsonObject[], stop: string | undefined): JsonObject {
  const reason = stop === undefined ? undefined : finishWord(stop);
  return present({ role: "assistant", parts: parts.map(partOf), finish_reason: reason });
}

function partsOf(content: Json | undefined): JsonObject[] {
  if (typeof content === "string") return [{ type: "text", content }];
  return Array.isArray(content) ? content.filter(isObject).map(partOf) : [];
}

/** A part in the words of the conventions; types they do not have pass through. */
function partOf(part: JsonObject): JsonObject {
  const text = stringMember(part, "text") ?? "";
  const { id, name, input, content, tool_use_id: callId } = part;
  switch (part["type"]) {
    case "text":
      return { type: "text", content: text };
    case "thinking":
      return { type: "reasoning", content: text };
    case "tool_use":
      return present({ type: "tool_call", id, name, arguments: input === undefined ? undefined : escapeText(input) });
    case "tool_result":
      return present({ type: "tool_call_response", id: callId, response: content });
    default:
      return part;
  }
}

const FINISH_WORDS: ReadonlyMap<string, string> = new Map([
  ["end_turn", "stop"],
  ["tool_use", "tool_call"],
  ["max_tokens", "length"],
]);

function finishWord(stop: string): string {
  return FINISH_WORDS.get(stop) ?? stop;
}

const PARAMS = ["temperature", "top_p", "top_k", "max_tokens", "seed", "frequency_penalty", "presence_penalty"];

function paramAttributes(params: Json | undefined): Record<string, Json | undefined> {
  const stop = member(params, "stop");
  const named = PARAMS.map((name) => [`gen_ai.request.${name}`, numberMember(params, name)] as const);
  return { ...Object.fromEntries(named), "gen_ai.request.stop_sequences": Array.isArray(stop) ? stop : undefined };
}

function sum(total: number | undefined, ...parts: readonly (number | undefined)[]): number | undefined {
  return total === undefined ? undefined : parts.reduce<number>((at, part) => at + (part ?? 0), total);
}

function jsonText(value: Json | undefined): string | undefined {
  return value === undefined ? undefined : stringifyJson(value);
}

/** A value as one attribute: structures as JSON text, and texts so that no reader takes them for JSON. */
function encoded(value: Json): Json {
  return typeof value === "string" ? escapeText(value) : stringifyJson(value);
}

function escapeText(value: Json): Json {
  const ambiguous = typeof value === "string" && (value === "" || parseJsonText(value) !== undefined);
  return ambiguous ? stringifyJson(value) : value;
}

function attributeList(attributes: Readonly<Record<string, Json | undefined>>): JsonObject[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: anyValue(value) }],
  );
}

function anyValue(value: Json): JsonObject {
  if (typeof value === "string") return { stringValue: value };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value === "bigint" || Number.isInteger(value)) return { intValue: String(value) };
  if (typeof value === "number") return { doubleValue: value };
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  return { stringValue: stringifyJson(value) };
}
