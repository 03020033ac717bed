/**
 * What the scripted model knows and what was recorded, in one form: a list of requests, each with its attempts, how they failed, what
 * was answered and what the tools it asked for returned.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expandRequests } from "@spoor/core/internal/trace/expand-requests";
import { isObject, type Json, type JsonObject, member } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import type { Exchange } from "../model-server/model-server.ts";
import { getWeather } from "./weather.mjs";

export interface Step {
  attempts: number;
  /** The status of each attempt that failed. */
  failures: unknown[];
  answer?: {
    calls: unknown[];
    text: string;
    usage?: unknown;
    /** Who broke it off; absent when it is whole. */
    brokenBy?: unknown;
  };
  /** Call → what it returned, and how that is known. */
  results: Record<string, unknown>;
}

/** Every trace in a folder, by a text that stands in its first request. */
export function readTraces(folder: string): readonly (readonly TraceRecord[])[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".agentlog"));
  return names.map((name) => {
    const lines = readFileSync(join(folder, name), "utf8").trim().split("\n");
    return expandRequests(lines.map((line) => JSON.parse(line) as TraceRecord));
  });
}

/** `told`: how results are known that nobody saw come about. */
export function truthOf(exchanges: readonly Exchange[], evidence: "ran" | "told"): Step[] {
  const steps: Step[] = [];
  let body = "";
  for (const exchange of exchanges) {
    const text = JSON.stringify(exchange.body);
    const latest = text === body ? steps.at(-1) : undefined;
    const step: Step = latest ?? { attempts: 0, failures: [], results: {} };
    if (latest === undefined) {
      tellResults(exchanges, steps, body, evidence);
      steps.push(step);
    }
    body = text;
    step.attempts++;
    if (exchange.answer === undefined) step.failures.push(exchange.status);
    else step.answer = answerOf(exchange);
  }
  return steps;
}

/** The request after an answer brings what its calls returned. Calls without an id are numbered through the conversation. */
function tellResults(exchanges: readonly Exchange[], steps: readonly Step[], body: string, evidence: string): void {
  const answered = exchanges.find((one) => one.answer !== undefined && JSON.stringify(one.body) === body);
  const before = steps.flatMap(({ results }) => Object.keys(results)).length;
  answered?.answer?.calls.forEach(({ id, name, input }, index) => {
    steps.at(-1)!.results[id ?? `${name}#${before + index}`] = {
      output: getWeather(input as never),
      isError: false,
      evidence,
    };
  });
}

function answerOf({ answer, ended }: Exchange): NonNullable<Step["answer"]> {
  if (ended === "cut") return { calls: [], text: "", brokenBy: "server" };
  if (ended === "left") return { calls: [], text: "", brokenBy: "client" };
  const { usage } = answer!;
  return {
    calls: answer!.calls.map(({ name, input }) => ({ name, input })),
    text: answer!.text ?? "",
    ...(usage === undefined
      ? {}
      : { usage: { input_tokens: usage.fresh, output_tokens: usage.output, cached_input_tokens: usage.cached } }),
  };
}

export function recordedOf(records: readonly TraceRecord[]): Step[] {
  const steps: Step[] = [];
  for (const { kind, payload, meta } of records) {
    const step = steps.at(-1);
    if (kind === "chat_request") steps.push({ attempts: 1, failures: [], results: {} });
    else if (step === undefined) continue;
    else if (kind === "error") step.failures.push(member(payload, "status_code"));
    else if (kind === "chat_response") step.answer = readAnswer(payload);
    else if (kind === "tool_result") {
      const output = parsed(member(payload, "output"));
      const isError = member(payload, "is_error");
      step.results[String(member(payload, "tool_call_id"))] = { output, isError, evidence: member(meta, "evidence") };
    } else if (member(payload, "category") === "retry") step.attempts++;
    else if (member(payload, "category") === "stream_interrupt")
      step.answer = { calls: [], text: "", brokenBy: member(payload, "name") };
  }
  return steps;
}

function readAnswer(payload: Json | undefined): NonNullable<Step["answer"]> {
  const content = member(payload, "content");
  const parts = Array.isArray(content) ? content.filter(isObject) : [];
  const calls = parts.filter(({ type }) => type === "tool_use").map(({ name, input }) => ({ name, input }));
  const text = parts.map((part) => (part["type"] === "text" ? part["text"] : "")).join("");
  const usage = member(payload, "usage");
  return { calls, text, ...(usage === undefined ? {} : { usage }) };
}

/** What a tool gave, whether it went to the model as JSON text or not. */
function parsed(value: Json | undefined): unknown {
  return typeof value === "string" && value.startsWith("{") ? (JSON.parse(value) as unknown) : value;
}

/** What two doors that saw the same must have in common: everything but times, ids that follow from them, and how it is known. */
export function comparable(records: readonly TraceRecord[]): JsonObject[] {
  return records
    .filter(({ kind }) => kind !== "metadata" && kind !== "tool_call")
    .map(({ kind, payload }) => ({ kind, payload: withoutTimes(payload ?? null) }));
}

const TIMES = new Set(["latency_ms", "stream_timings", "waited_ms", "attributes"]);

function withoutTimes(value: Json): Json {
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !TIMES.has(key)));
}
