/**
 * Langfuse's trace export: `{trace, observations}`, `{traces: [{…, observations}]}`, or a trace with its observations
 * inside, as the API gives it. `input`, `output` and `metadata` are values or JSON text, at times JSON inside JSON, and
 * the messages in them are each framework's own. Observations that came through OpenTelemetry keep their attributes
 * under `metadata.attributes`, which tell tools and agents apart where Langfuse only says SPAN.
 */

import type { Json, JsonObject } from "@spoor/core";
import { parseReply } from "@spoor/core/internal/providers/chat-reply";
import { parseRequest } from "@spoor/core/internal/providers/chat-shapes";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseCount, parseUsage, tokenUsage } from "@spoor/core/internal/providers/usage";
import { firstMember, parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { type Activity, AROUND, type Did, type ModelCall, nanosOfMs } from "./activities/activity.ts";
import { foldEvents, type NamedActivity } from "./activities/fold-events.ts";
import { parseToolInput } from "./activities/tool-input.ts";
import { parseToolOutput } from "./activities/tool-output.ts";
import { type ReadTrace, tracesOfRuns } from "./activities/traces-of-runs.ts";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";
import { type Attributes, textOf } from "./otel/attributes.ts";
import { agentNameOf, agentOfSpanName, toolRunOf } from "./otel/classify.ts";

export const langfuse: Format = {
  name: "langfuse",
  title: "Langfuse trace",
  origin:
    "Download JSON of a trace in its UI, GET /api/public/v2/observations?traceId=<id> with fields=core,basic,io,usage, before version 4 GET /api/public/traces/<id>",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  marks: ["observations", "trace", "traces", "data", "traceId"],
  recognise,
  readDocument: (document, context) => readExports([document], context),
  openLines: (context) => collectLines((values) => readExports(values, context)),
};

function recognise(sample: Sample): Recognition {
  const document = sample.document ?? sample.lines?.find(isObject);
  const first = Array.isArray(document) ? document.find(isObject) : document;
  if (!isObject(first)) return NOT_RECOGNISED;
  const entry = exportsOf(first)[0];
  if (entry === undefined) {
    const isList = listOf(document!).some(isObservation);
    return isList ? { score: 0.97, has: ["id", "traceId", "type", "startTime"] } : NOT_RECOGNISED;
  }
  const observation = entry.observations.find(isObject);
  const keys = ["id", "type", "startTime", "traceId"];
  const has = keys.filter((key) => member(observation, key) !== undefined);
  const lacks = keys.filter((key) => !has.includes(key));
  return { score: 0.6 + 0.1 * has.length, has: ["observations", ...has], lacks };
}

interface Export {
  readonly trace: Json | undefined;
  readonly observations: readonly Json[];
}

function exportsOf(document: Json): Export[] {
  if (Array.isArray(document)) return document.flatMap(exportsOf);
  const observations = member(document, "observations");
  if (Array.isArray(observations)) {
    const trace = member(document, "trace");
    return [{ trace: isObject(trace) ? trace : document, observations }];
  }
  const inside = member(document, "trace");
  if (Array.isArray(member(inside, "observations"))) return exportsOf(inside!);
  const list = member(document, "traces") ?? member(document, "data");
  return Array.isArray(list) ? list.flatMap((item: Json) => exportsOf(item)) : [];
}

/** Observations without their traces, as the list of them gives them: those of one trace belong together. */
function exportsOfObservations(values: readonly Json[]): Export[] {
  const byTrace = new Map<string, Json[]>();
  for (const observation of values.flatMap(listOf).filter(isObservation)) {
    const id = stringMember(observation, "traceId")!;
    const known = byTrace.get(id);
    if (known === undefined) byTrace.set(id, [observation]);
    else known.push(observation);
  }
  return [...byTrace.values()].map((observations) => ({ trace: undefined, observations }));
}

function listOf(value: Json): readonly Json[] {
  const data = member(value, "data");
  return Array.isArray(value) ? value : Array.isArray(data) ? data : [value];
}

function isObservation(value: Json): boolean {
  const isNamed = ["id", "traceId", "startTime"].every((key) => typeof member(value, key) === "string");
  return isNamed && /^[A-Z_]+$/.test(stringMember(value, "type") ?? "") && Object.hasOwn(value as JsonObject, "input");
}

function readExports(values: readonly Json[], context: ReadContext): ImportedTrace[] {
  const whole = values.flatMap(exportsOf);
  const exports = whole.length > 0 ? whole : exportsOfObservations(values);
  if (exports.length === 0) return context.fail('has no "observations"', { path: "observations" });
  // One run among others in which nothing happened may have died; nothing but such runs is no run at all.
  if (exports.every(({ observations }) => observations.length === 0)) return [];
  return tracesOfRuns(exports.map(readExport), context, {
    advice:
      "Put one observation around each run (Python: @observe() on its function; JavaScript: startActiveObservation(…)) or give its calls " +
      "one session (with propagate_attributes(session_id=run_id):)",
    nothing: "no observation is a model or tool call",
  });
}

function readExport({ trace, observations }: Export, index: number): ReadTrace {
  const unknown = new UnknownCounter();
  const named: NamedActivity[] = [];
  for (const observation of observations) {
    const activity = activityOf(observation, unknown);
    if (activity !== undefined) named.push({ activity, name: stringMember(observation, "name") ?? "" });
  }
  const first = observations.find(isObject);
  const id = stringMember(trace, "id") ?? stringMember(first, "traceId");
  const metadata = { release: stringMember(trace, "release"), version: stringMember(trace, "version") };
  return {
    entry: id ?? `traces[${index}]`,
    session: stringMember(trace, "sessionId") ?? stringMember(first, "sessionId"),
    facts: { traceId: id, agent: stringMember(trace, "name"), metadata },
    activities: foldEvents(named),
    unknown,
  };
}

function activityOf(observation: Json, unknown: UnknownCounter): Activity | undefined {
  const id = stringMember(observation, "id");
  if (!isObject(observation) || id === undefined) {
    unknown.add("observation without id");
    return undefined;
  }
  const { did, failed } = meaningOf(observation, unknown);
  const isError = member(observation, "level") === "ERROR" || failed;
  return {
    id,
    parentId: stringMember(observation, "parentObservationId"),
    start: nanosOf(member(observation, "startTime")),
    end: nanosOf(member(observation, "endTime")),
    failure: isError ? { message: stringMember(observation, "statusMessage") } : undefined,
    did,
  };
}

function nanosOf(value: Json | undefined): bigint | undefined {
  const clock = parseClock(value);
  return clock === undefined ? undefined : nanosOfMs(clock.ms);
}

function meaningOf(observation: JsonObject, unknown: UnknownCounter): { did: Did; failed?: boolean | undefined } {
  const attributes = attributesOf(observation);
  const name = stringMember(observation, "name") ?? "";
  const type = stringMember(observation, "type") ?? "";
  switch (type) {
    case "GENERATION":
      return { did: modelCall(observation, unknown) };
    case "TOOL":
      return toolRun(observation, attributes, name);
    case "AGENT":
      return { did: { kind: "agent", name: agentNameOf(attributes) ?? agentOfSpanName(name) } };
    case "EMBEDDING":
    case "RETRIEVER":
      return { did: { kind: "step", category: "step", name: name || type.toLowerCase() } };
    case "GUARDRAIL":
      return { did: { kind: "step", category: "guardrail", name } };
    case "SPAN":
      return spanMeaning(observation, attributes, name);
    case "CHAIN":
    case "EVENT":
      return { did: AROUND };
    default:
      unknown.add(`observation ${type || "without type"}`);
      return { did: AROUND };
  }
}

/** A SPAN may be anything: its attributes tell, and a LangChain ToolMessage as output is a tool that ran. */
function spanMeaning(
  observation: JsonObject,
  attributes: Attributes,
  name: string,
): { did: Did; failed?: boolean | undefined } {
  const kind = textOf(attributes, "openinference.span.kind", "langsmith.span.kind")?.toUpperCase();
  const operation = textOf(attributes, "gen_ai.operation.name");
  if (kind === "TOOL" || operation === "execute_tool" || attributes.has("gen_ai.tool.name")) {
    return toolRun(observation, attributes, name);
  }
  const agent = agentNameOf(attributes);
  if (kind === "AGENT" || operation === "invoke_agent" || agent !== undefined) {
    return { did: { kind: "agent", name: agent ?? agentOfSpanName(name) } };
  }
  if (kind === "RETRIEVER" || kind === "EMBEDDING") return { did: { kind: "step", category: "step", name } };
  if (parseToolOutput(looseJson(member(observation, "output"))).callId !== undefined) {
    return toolRun(observation, attributes, name);
  }
  return { did: AROUND };
}

function toolRun(
  observation: JsonObject,
  attributes: Attributes,
  name: string,
): { did: Did; failed?: boolean | undefined } {
  const told = toolRunOf(attributes, name);
  const { output, callId, failed } = parseToolOutput(looseJson(member(observation, "output")));
  const did: Did = {
    ...told.run,
    callId: told.run.callId ?? callId,
    // The observation's own input and output are what Langfuse shows; attributes fill in what it did not map.
    input: told.run.input ?? parseToolInput(looseJson(member(observation, "input"))),
    output: told.run.output ?? output,
  };
  return { did, failed: told.failed ?? failed };
}

function modelCall(observation: JsonObject, unknown: UnknownCounter): ModelCall {
  const model = stringMember(observation, "model") ?? stringMember(observation, "providedModelName");
  return {
    kind: "model",
    request: parseRequest(member(observation, "input"), unknown),
    reply: parseReply(member(observation, "output"), unknown),
    requestModel: model,
    params: modelParameters(looseJson(member(observation, "modelParameters"))),
    usage: usageOf(observation),
  };
}

const PARAMS = ["temperature", "top_p", "top_k", "max_tokens", "stop", "seed", "frequency_penalty", "presence_penalty"];

function modelParameters(value: Json | undefined): JsonObject | undefined {
  const known = PARAMS.map((name) => [name, member(value, name)] as const).filter(([, given]) => given !== "");
  const params = present(Object.fromEntries(known));
  return Object.keys(params).length === 0 ? undefined : params;
}

/** Langfuse's own names: `input` and `output` leave `input_cache_read` and `output_reasoning` out, but hold `*_details`. */
function usageOf(observation: JsonObject): JsonObject | undefined {
  const details = looseJson(firstMember(observation, ["usageDetails", "usage"]));
  const count = (key: string) => parseCount(member(details, key));
  const cached = count("input_cache_read") ?? count("input_cached_tokens");
  const thinking = count("output_reasoning") ?? count("output_reasoning_tokens");
  const cachedInside = cached === undefined ? count("prompt_details.cache_read") : undefined;
  const thinkingInside = thinking === undefined ? count("completion_details.reasoning") : undefined;
  const counted = tokenUsage({
    input: count("input"),
    output: count("output"),
    cached: cached ?? cachedInside,
    written: count("input_cache_creation"),
    thinking: thinking ?? thinkingInside,
    includedInput: cachedInside ?? 0,
    includedOutput: thinkingInside ?? 0,
  });
  return counted ?? parseUsage(details) ?? parseUsage(observation);
}

const NO_ATTRIBUTES: Attributes = new Map();

function attributesOf(observation: JsonObject): Attributes {
  const attributes = looseJson(member(looseJson(member(observation, "metadata")), "attributes"));
  return isObject(attributes) ? new Map(Object.entries(attributes)) : NO_ATTRIBUTES;
}

/** A value, or the value inside JSON text (twice at most); other text stays text. */
function looseJson(value: Json | undefined): Json | undefined {
  if (typeof value !== "string") return value ?? undefined;
  const once = parseJsonText(value);
  return typeof once === "string" ? (parseJsonText(once) ?? once) : (once ?? value);
}
