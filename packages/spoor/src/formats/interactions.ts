/**
 * Generic interactions, the form for agents whose framework nobody knows: a list of runs, `{runs: […]}`, one run, or runs
 * one per line; each has optional `agent_id` and `status` and a list of interactions typed `llm`, `tool`, `http` or
 * `other`. Also Spoor's own content-blind traces (`spoor.blind/1`), which say the same without any content.
 */

import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { isBlindHeader, readBlindRecords } from "@spoor/core/internal/fingerprint/content-blind";
import { httpTarget } from "@spoor/core/internal/fingerprint/http-target";
import { parseReply } from "@spoor/core/internal/providers/chat-reply";
import { parseRequest } from "@spoor/core/internal/providers/chat-shapes";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { elapsed, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { stopReason } from "@spoor/core/internal/providers/stop-reason";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { firstMember, parseArguments } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";

export const interactions: Format = {
  name: "interactions",
  title: "Interactions and content-blind traces",
  origin: "generic JSON of llm, tool, http and other steps; spoor convert --content-blind",
  tells: ["results", "errors", "times", "tokens"],
  marks: ["format", "runs", "interactions", "steps"],
  recognise,
  readDocument: (document, context) => readValues([document], context),
  openLines: (context) => collectLines((values) => readValues(values, context)),
};

function recognise(sample: Sample): Recognition {
  const values = sample.document === undefined ? (sample.lines ?? []) : [sample.document];
  if (values.some(isBlindHeader)) return { score: 1, has: ["format"] };
  const run = values.flatMap(runsOf).find(isObject);
  const steps = stepsOf(run);
  if (steps === undefined) return NOT_RECOGNISED;
  const typed = steps.filter((step) => KINDS.has(typeOf(step))).length;
  const has = ["interactions"];
  return { score: steps.length === 0 || typed > 0 ? 0.8 : 0.3, has, lacks: typed > 0 ? [] : ["type"] };
}

/** Types of the generic form, and the names that recorders use for the same. */
const KINDS: ReadonlyMap<string, "llm" | "tool" | "http" | "other"> = new Map([
  ["llm", "llm"],
  ["llm_call", "llm"],
  ["tool", "tool"],
  ["tool_call", "tool"],
  ["http", "http"],
  ["http_request", "http"],
  ["other", "other"],
]);

function typeOf(step: Json): string {
  return (stringMember(step, "type") ?? stringMember(step, "interaction_type") ?? "").toLowerCase();
}

function runsOf(document: Json): Json[] {
  if (Array.isArray(document)) return document.flatMap(runsOf);
  const runs = member(document, "runs");
  return Array.isArray(runs) ? [...runs] : [document];
}

function stepsOf(run: Json | undefined): readonly Json[] | undefined {
  const steps = member(run, "interactions") ?? member(run, "steps");
  return Array.isArray(steps) ? steps : undefined;
}

function readValues(values: readonly Json[], context: ReadContext): ImportedTrace[] {
  if (values.some(isBlindHeader)) return readBlind(values);
  const runs = values.flatMap(runsOf);
  const traces = runs.map((run, index) => {
    const steps = stepsOf(run);
    if (steps === undefined || !isObject(run)) {
      return context.fail('has no list "interactions"', { path: `runs[${index}].interactions` });
    }
    const entry = firstMember(run, ["run_id", "id"]);
    const name = typeof entry === "string" ? entry : `runs[${index}]`;
    return { ...readRun(run, steps), ...(runs.length > 1 ? { entry: name } : {}) };
  });
  return traces.length > 0 ? traces : context.fail("holds no run");
}

/** A file may hold several content-blind traces one after the other: each header opens one. */
function readBlind(values: readonly Json[]): ImportedTrace[] {
  const lines = values.flatMap((value) => (Array.isArray(value) ? [...value] : [value]) as Json[]);
  const traces: Json[][] = [];
  for (const line of lines) {
    if (isBlindHeader(line) || traces.length === 0) traces.push([line]);
    else traces.at(-1)!.push(line);
  }
  return traces.map((trace) => {
    const entry = stringMember(trace[0], "run_id");
    const notes = ["content-blind: names, counts and times only"];
    return { records: readBlindRecords(trace), notes, ...(traces.length > 1 && entry ? { entry } : {}) };
  });
}

function readRun(run: JsonObject, steps: readonly Json[]): ImportedTrace {
  const unknown = new UnknownCounter();
  const runId = stringMember(run, "run_id") ?? stringMember(run, "id");
  const { agent_id: agentId, agent, status, success, session_id, parent_run_id, tags, scenario_id, task_id } = run;
  const head = metadataRecord(
    runId,
    { agent: agentId ?? agent, status, success, session_id, parent_run_id, tags, scenario_id, task_id },
    parseClock(firstMember(run, ["started_at", "start_time", "timestamp"])),
  );
  const records = [head];
  // Where tool calls are interactions of their own, the blocks of a reply would count them twice.
  const ownCalls = steps.some((step) => KINDS.get(typeOf(step)) === "tool");
  for (const [index, step] of inSequence(steps).entries()) records.push(...stepRecords(step, index, ownCalls, unknown));
  return { records, ...unknown.result() };
}

/** By sequence number only if every step has one; ties keep the file's order. */
function inSequence(steps: readonly Json[]): readonly Json[] {
  const numbered = steps.every((step) => numberMember(step, "sequence") !== undefined);
  if (!numbered) return steps;
  return steps.toSorted((left, right) => numberMember(left, "sequence")! - numberMember(right, "sequence")!);
}

function stepRecords(step: Json, index: number, ownCalls: boolean, unknown: UnknownCounter): TraceRecord[] {
  const kind = KINDS.get(typeOf(step));
  if (!isObject(step) || kind === undefined) {
    unknown.add(`interaction ${typeOf(step) || "without type"}`);
    return [];
  }
  const facts = factsOf(step);
  if (kind === "llm") return modelRecords(step, facts, ownCalls, unknown);
  const name =
    kind === "tool" ? (stringMember(step, "tool") ?? nameOf(step)) : kind === "http" ? endpointOf(step) : nameOf(step);
  if (name === undefined || name.trim() === "") {
    unknown.add(kind === "tool" ? "tool call without a name" : `interaction ${kind} without a name`);
    return [];
  }
  if (kind === "tool") return toolRecords(step, name, index, facts);
  return [eventRecord(kind === "http" ? "http_request" : "step", name, facts)];
}

interface StepFacts {
  readonly start: Clock | undefined;
  readonly latencyMs: number | undefined;
  readonly failed: boolean;
  readonly errorKind: string | undefined;
  readonly errorMessage: string | undefined;
  readonly meta: { readonly meta?: JsonObject };
}

function factsOf(step: JsonObject): StepFacts {
  const start = parseClock(firstMember(step, ["started_at", "start_time", "timestamp"]));
  const end = parseClock(firstMember(step, ["ended_at", "end_time"]));
  const error = firstMember(step, ["error", "has_error"]);
  const status = member(step, "status");
  const httpStatus = numberMember(step, "status_code") ?? (typeof status === "number" ? status : undefined);
  const failed =
    (error !== undefined && error !== false && error !== "") ||
    status === "error" ||
    status === "failed" ||
    (httpStatus !== undefined && httpStatus >= 400);
  const kind = firstMember(step, ["error_kind", "error_type"]) ?? firstMember(error, ["type", "kind", "code", "name"]);
  const httpKind = failed && httpStatus !== undefined ? String(httpStatus) : undefined;
  const meta = present({ parallel_group: stringMember(step, "parallel_group"), agent: stringMember(step, "agent") });
  const { latency_ms: latency, duration_ms: duration } = step;
  return {
    start,
    latencyMs: numberOf(latency) ?? numberOf(duration) ?? elapsed(start, end),
    failed,
    errorKind: typeof kind === "string" ? kind : httpKind,
    errorMessage: typeof error === "string" ? error : stringMember(error, "message"),
    meta: Object.keys(meta).length === 0 ? {} : { meta },
  };
}

function numberOf(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined;
}

function nameOf(step: JsonObject): string | undefined {
  const name = firstMember(step, ["name", "target", "target_name"]);
  return typeof name === "string" ? name : undefined;
}

function endpointOf(step: JsonObject): string {
  const url = stringMember(step, "url");
  if (url !== undefined) return httpTarget(stringMember(step, "method") ?? "", url);
  return nameOf(step) ?? stringMember(step, "method")?.toUpperCase() ?? "";
}

function timeOf(clock: Clock | undefined): { ts?: string } {
  return clock === undefined ? {} : { ts: clock.iso };
}

function modelRecords(step: JsonObject, facts: StepFacts, ownCalls: boolean, unknown: UnknownCounter): TraceRecord[] {
  const model = stringMember(step, "model") ?? nameOf(step);
  const input = firstMember(step, ["messages", "input", "prompt"]);
  const request = parseRequest(input, unknown);
  const reply = parseReply(firstMember(step, ["output", "response", "content"]), unknown);
  const messages = request.messages
    .filter((message) => message.result === undefined)
    .map((message): JsonObject => ({ role: message.role, content: [...message.parts] }));
  const usage = parseUsage(member(step, "usage")) ?? parseUsage(step);
  const asks = reply?.parts.some((part) => part["type"] === "tool_use") ?? false;
  const reason = facts.failed ? "error" : stopReason(reply?.stopReason ?? stringMember(step, "stop_reason"), asks);
  return [
    {
      kind: "chat_request",
      ...timeOf(facts.start),
      ...facts.meta,
      payload: present({ model, messages: input === undefined ? undefined : messages }),
    },
    {
      kind: "chat_response",
      ...timeOf(facts.start),
      ...facts.meta,
      payload: present({
        model,
        content: (reply?.parts ?? []).filter((part) => !ownCalls || part["type"] !== "tool_use"),
        stop_reason: reason,
        usage: reply?.usage ?? usage,
        latency_ms: facts.latencyMs,
        error_type: facts.errorKind,
      }),
    },
  ];
}

function toolRecords(step: JsonObject, name: string, index: number, facts: StepFacts): TraceRecord[] {
  const id = stringMember(step, "call_id") ?? stringMember(step, "id") ?? `interaction-${index}`;
  const input = firstMember(step, ["arguments", "args", "input"]);
  const output = firstMember(step, ["output", "result"]) ?? facts.errorMessage;
  const call: TraceRecord = {
    kind: "tool_call",
    ...timeOf(facts.start),
    ...facts.meta,
    payload: present({
      tool_name: name,
      tool_call_id: id,
      arguments: parseArguments(input),
    }),
  };
  const said =
    output !== undefined || facts.failed || facts.latencyMs !== undefined || member(step, "status") !== undefined;
  if (!said) return [call];
  const payload = present({
    tool_call_id: id,
    output,
    is_error: facts.failed,
    error_type: facts.errorKind,
    latency_ms: facts.latencyMs,
  });
  return [call, { kind: "tool_result", ...facts.meta, payload }];
}

function eventRecord(category: string, name: string, facts: StepFacts): TraceRecord {
  return {
    kind: "harness_event",
    ...timeOf(facts.start),
    ...facts.meta,
    payload: {
      category,
      name,
      severity: facts.failed ? "error" : "info",
      attributes: present({ latency_ms: facts.latencyMs, error_type: facts.errorKind }),
    },
  };
}
