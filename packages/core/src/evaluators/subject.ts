/** A run as evaluators see it, made from a recorded trace or from the output messages of a provider. */
import { contentText } from "../trace/content.ts";
import {
  isObject,
  type Json,
  type JsonObject,
  member,
  numberMember,
  stringifyJson,
  stringMember,
} from "../trace/json.ts";
import type { ToolCall, Trace, Turn } from "../trace/trace.ts";
import type { EvaluationSubject, EvaluationTask, TokenUsage } from "./evaluation.ts";

export interface ProviderOutput {
  /** `output_messages` in wire spelling; undefined when the provider gave none. */
  readonly messages?: readonly Json[];
  readonly durationMs?: number;
  readonly costUsd?: number;
  readonly tokenUsage?: TokenUsage;
  /** Calls per tool, from a trace summary. */
  readonly toolCounts?: ReadonlyMap<string, number>;
  /** The same run as a trace, built when an evaluator asks for it. */
  readonly trace: () => Trace;
}

export function subjectOfMessages(output: ProviderOutput, task: EvaluationTask = {}): EvaluationSubject {
  const messages = output.messages?.filter(isObject);
  return {
    toolCalls: messages === undefined ? [] : callsOfMessages(messages),
    hasTrace: (messages !== undefined && messages.length > 0) || output.toolCounts !== undefined,
    answer: messages === undefined ? "" : answerOf(messages),
    ...(messages === undefined ? {} : { messages, llmCalls: messages.filter(isAssistant).length }),
    ...(output.toolCounts === undefined ? {} : { toolCounts: output.toolCounts }),
    ...(output.durationMs === undefined ? {} : { durationMs: output.durationMs }),
    ...(output.costUsd === undefined ? {} : { costUsd: output.costUsd }),
    ...(output.tokenUsage === undefined ? {} : { tokenUsage: output.tokenUsage }),
    trace: output.trace,
    task,
  };
}

/**
 * Every tool call of every message, in message order, whatever the role. Times never reorder them. Each message that
 * speaks or calls is a turn.
 */
export function callsOfMessages(messages: readonly JsonObject[]): ToolCall[] {
  const calls: ToolCall[] = [];
  let turnIndex = -1;
  for (const message of messages) {
    const list = member(message, "tool_calls") ?? member(message, "toolCalls");
    if (isAssistant(message) || Array.isArray(list)) turnIndex++;
    if (!Array.isArray(list)) continue;
    for (const raw of list as readonly Json[]) {
      const call = callOf(raw, turnIndex, calls.length);
      if (call !== undefined) calls.push(call);
    }
  }
  return calls;
}

function callOf(raw: Json, turnIndex: number, position: number): ToolCall | undefined {
  const fn = member(raw, "function");
  const name = stringMember(raw, "tool") ?? stringMember(raw, "name") ?? stringMember(fn, "name");
  if (name === undefined) return undefined;
  const input = member(raw, "input") ?? member(raw, "arguments") ?? member(raw, "args") ?? member(fn, "arguments");
  const output = member(raw, "output");
  const id = stringMember(raw, "id");
  const durationMs = numberMember(raw, "duration_ms") ?? numberMember(raw, "durationMs");
  const startedAt = stringMember(raw, "start_time") ?? stringMember(raw, "timestamp");
  return {
    name,
    ...(id === undefined ? {} : { id }),
    ...(input === undefined ? {} : { input }),
    ...(output === undefined ? {} : { output }),
    status: statusOf(stringMember(raw, "status"), output),
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(durationMs === undefined ? {} : { durationMs }),
    turnIndex,
    position,
  };
}

function statusOf(written: string | undefined, output: Json | undefined): ToolCall["status"] {
  if (written === undefined) return output === undefined ? "unknown" : "ok";
  if (written === "ok") return "ok";
  return written === "unknown" ? "unknown" : "error";
}

function isAssistant(message: JsonObject): boolean {
  return member(message, "role") === "assistant";
}

/** Content of the last assistant message that has any: text as it is, text parts joined, anything else as JSON text. */
export function answerOf(messages: readonly JsonObject[]): string {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index]!;
    const content = member(message, "content");
    if (!isAssistant(message) || content === undefined || content === null || content === "") continue;
    if (typeof content === "string") return content;
    const text = contentText(message);
    return text === "" ? stringifyJson(content) : text;
  }
  return "";
}

export function subjectOfTrace(trace: Trace, task: EvaluationTask = {}): EvaluationSubject {
  const durationMs = durationOf(trace);
  const costUsd = costOf(trace);
  const tokenUsage = tokensOf(trace);
  return {
    toolCalls: trace.toolCalls,
    hasTrace: trace.turns.length > 0 || trace.toolCalls.length > 0 || trace.steps.length > 0,
    answer: lastText(trace),
    ...(trace.turns.length === 0 ? {} : { llmCalls: trace.turns.length }),
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(tokenUsage === undefined ? {} : { tokenUsage }),
    missing: missingFigures(trace),
    trace: () => trace,
    task: { ...questionOf(trace), ...task },
  };
}

function lastText(trace: Trace): string {
  for (let index = trace.turns.length - 1; index >= 0; index--) {
    const text = trace.turns[index]!.text;
    if (text !== "") return text;
  }
  return "";
}

/** From the first to the last reading of the clock; without one the recorded times of all steps together, if all have one. */
function durationOf(trace: Trace): number | undefined {
  const written = numberMember(trace.metadata, "duration_ms");
  if (written !== undefined) return written;
  const elapsed = elapsedByClock(trace);
  if (elapsed !== undefined) return elapsed;
  const times = [...trace.turns, ...trace.toolCalls].map((step) => step.durationMs);
  return sumOfAll(times);
}

function elapsedByClock({ records, turns }: Trace): number | undefined {
  let first = Number.POSITIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  const see = (ts: string | undefined, durationMs = 0) => {
    const time = Date.parse(ts ?? "");
    if (Number.isNaN(time)) return;
    first = Math.min(first, time);
    last = Math.max(last, time + durationMs);
  };
  for (const record of records) see(record.ts);
  for (const turn of turns) see(turn.ts, turn.durationMs);
  return last > first ? last - first : undefined;
}

function costOf(trace: Trace): number | undefined {
  const total = numberMember(trace.metadata, "cost_usd") ?? numberMember(trace.metadata, "total_cost_usd");
  if (total !== undefined) return total;
  return sumOfAll(trace.turns.map((turn) => turn.costUsd));
}

/** Only when every turn has its counts: a sum with holes would look cheaper than the run was. */
function tokensOf(trace: Trace): TokenUsage | undefined {
  const input = sumOfAll(trace.turns.map((turn) => turn.usage?.inputTokens));
  const output = sumOfAll(trace.turns.map((turn) => turn.usage?.outputTokens));
  if (input === undefined || output === undefined) return undefined;
  const cached = trace.turns.reduce((sum, turn) => sum + (turn.usage?.cachedInputTokens ?? 0), 0);
  return { input, output, ...(cached === 0 ? {} : { cached }) };
}

function missingFigures(trace: Trace): NonNullable<EvaluationSubject["missing"]> {
  const count = (lacks: (turn: Turn) => boolean) =>
    `${trace.turns.filter(lacks).length} of ${trace.turns.length} turns`;
  return {
    tokens: `${count((turn) => turn.usage?.outputTokens === undefined)} have no token counts`,
    cost: `${count((turn) => turn.costUsd === undefined)} have no cost`,
    duration: `${count((turn) => turn.ts === undefined && turn.durationMs === undefined)} have neither a clock nor a duration`,
  };
}

function sumOfAll(values: readonly (number | undefined)[]): number | undefined {
  if (values.length === 0 || values.includes(undefined)) return undefined;
  return values.reduce<number>((sum, value) => sum + value!, 0);
}

function questionOf(trace: Trace): { question?: string } {
  const first = trace.turns[0]?.messages?.slice().find((message) => member(message, "role") === "user");
  if (!isObject(first)) return {};
  const text = contentText(first);
  return text === "" ? {} : { question: text };
}
