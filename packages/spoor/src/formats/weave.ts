/**
 * Weave calls (Weights & Biases): what `client.get_calls()` and the calls endpoint give, as a list, one per line, or under `calls`. A call of a model's SDK
 * is known by its op or its `weave.kind`, one that the user made himself by what went in and came out; an op of the user's own is a tool when
 * it says so, or when a model asked for a tool of its name.
 */
import type { Json, JsonObject } from "@spoor/core";
import { parseReply } from "@spoor/core/internal/providers/chat-reply";
import { parseRequest, toolDefinitions } from "@spoor/core/internal/providers/chat-shapes";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { apiOfResponse } from "@spoor/core/internal/providers/provider-apis";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { firstMember } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { type Activity, AROUND, type Did, type ModelCall, nanosOfMs } from "./activities/activity.ts";
import { parseToolInput } from "./activities/tool-input.ts";
import { parseToolOutput } from "./activities/tool-output.ts";
import { type ReadTrace, tracesOfRuns } from "./activities/traces-of-runs.ts";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Sample,
} from "./format.ts";
import { recogniseKeys } from "./recognise-keys.ts";

export const weave: Format = {
  name: "weave",
  title: "Weave calls",
  origin: "the export of the traces page (JSON, JSON lines), client.get_calls() (Weights & Biases)",
  tells: ["results", "errors", "times", "tokens", "requests"],
  marks: ["calls", "op_name"],
  recognise,
  readDocument: (document, context) => readCalls([document], context),
  openLines: (context) => collectLines((values) => readCalls(values, context)),
};

function recognise({ document, lines = [] }: Sample) {
  const first = (document === undefined ? lines : [document]).flatMap(callsOf).find(isObject);
  if (first === undefined || stringMember(first, "op_name") === undefined) return NOT_RECOGNISED;
  return recogniseKeys(first, ["op_name", "trace_id"], ["id", "started_at", "inputs", "project_id"]);
}

function callsOf(value: Json): readonly Json[] {
  if (Array.isArray(value)) return value.flatMap(callsOf);
  const calls = member(value, "calls");
  return Array.isArray(calls) ? calls : [value];
}

function readCalls(values: readonly Json[], context: ReadContext): ImportedTrace[] {
  const unknown = new UnknownCounter();
  const byTrace = new Map<string, JsonObject[]>();
  for (const call of values.flatMap(callsOf)) {
    const trace = stringMember(call, "trace_id");
    if (!isObject(call) || trace === undefined) unknown.add("call without a trace");
    else if (byTrace.has(trace)) byTrace.get(trace)!.push(call);
    else byTrace.set(trace, [call]);
  }
  if (byTrace.size === 0) return context.fail("holds no call of Weave", { path: "calls" });
  const read = [...byTrace].map(([traceId, calls], index) =>
    readTrace(traceId, calls, index === 0 ? unknown : new UnknownCounter()),
  );
  return tracesOfRuns(read, context, {
    advice:
      "Put one op around each run (@weave.op on its function) or give its calls one thread (with weave.thread(run_id):)",
    nothing: "no call is one of a model or a tool",
  });
}

function readTrace(traceId: string, calls: readonly JsonObject[], unknown: UnknownCounter): ReadTrace {
  const models = new Map(modelsAmong(calls).map((call) => [call, modelCall(call, unknown)]));
  const asked = new Set(
    [...models.values()].flatMap(({ reply }) => (reply?.parts ?? []).map((part) => stringMember(part, "name") ?? "")),
  );
  const root = calls.find((call) => typeof member(call, "parent_id") !== "string");
  return {
    entry: traceId,
    session: stringMember(root, "thread_id"),
    facts: { traceId, agent: root === undefined ? undefined : opOf(root) },
    activities: calls.map((call) => activityOf(call, models.get(call), asked)),
    unknown,
  };
}

function activityOf(call: JsonObject, model: ModelCall | undefined, asked: ReadonlySet<string>): Activity {
  const { did, failed } = model === undefined ? meaningOf(call, asked) : { did: model, failed: undefined };
  const exception = stringMember(call, "exception");
  const parent = member(call, "parent_id");
  return {
    id: stringMember(call, "id") ?? "",
    parentId: typeof parent === "string" ? parent : undefined,
    start: nanosOf(member(call, "started_at")),
    end: nanosOf(member(call, "ended_at")),
    failure: exception || failed ? { message: exception, kind: errorClass(exception) } : undefined,
    did,
  };
}

function nanosOf(value: Json | undefined): bigint | undefined {
  const clock = parseClock(value);
  return clock === undefined ? undefined : nanosOfMs(clock.ms);
}

/** The last line of a traceback names the class, or the whole is `ValueError('…')`. */
function errorClass(exception: string | undefined): string | undefined {
  return exception === undefined ? undefined : /(?:^|\n)([A-Z]\w*(?:Error|Exception))\b[^\n]*$/.exec(exception)?.[1];
}

/** `weave:///entity/project/op/openai.chat.completions.create:version` → `openai.chat.completions.create`. A version is a hash, a UUID or `*`. */
function opOf(call: JsonObject): string {
  const name = stringMember(call, "op_name") ?? "";
  const reference = /^weave:\/\/\/.*\/op\/([^/]+?)(?::[^:/]*)?$/.exec(name);
  return reference?.[1] ?? name.replace(/:[\w*]+$/, "");
}

function kindOf(call: JsonObject): string | undefined {
  const attributes = member(call, "attributes");
  return stringMember(member(attributes, "weave"), "kind") ?? stringMember(attributes, "kind");
}

/** Ops that Weave itself puts around the SDKs of models. */
const MODEL_OP =
  /^(?:openai\.(?:chat\.completions|responses|beta\.chat\.completions)\.|anthropic\.(?:Async)?Messages\.|litellm\.a?completion|mistralai\.chat|google\.(?:genai|generativeai)\.|cohere\.(?:Async)?Client.*\.chat|groq\.chat|together\.|vertexai\.|bedrock\.|BedrockRuntime\.|huggingface_hub\..*chat_completion)/i;

function isModel(call: JsonObject): boolean {
  const kind = kindOf(call);
  return kind === undefined ? MODEL_OP.test(opOf(call)) || /^langchain\.Llm/i.test(opOf(call)) : kind === "llm";
}

/** The calls of models: those that are known by name, and ops of the user's own that ask a model themselves, with no known call inside. */
function modelsAmong(calls: readonly JsonObject[]): JsonObject[] {
  const byId = new Map(calls.map((call) => [stringMember(call, "id"), call]));
  const around = new Set<JsonObject>();
  const found = calls.filter((call) => isModel(call) || answersAsModel(call));
  for (const call of found) {
    for (let at = parentOf(call); at !== undefined && !around.has(at); at = parentOf(at)) around.add(at);
  }
  return found.filter((call) => isModel(call) || !around.has(call));

  function parentOf(call: JsonObject): JsonObject | undefined {
    const parent = stringMember(call, "parent_id");
    return parent === undefined ? undefined : byId.get(parent);
  }
}

/** What was given are messages, and what came back is the response of an API. */
function answersAsModel(call: JsonObject): boolean {
  const output = member(call, "output");
  const inputs = member(call, "inputs");
  const messages = member(inputs, "messages") ?? member(inputs, "input") ?? member(inputs, "contents");
  return kindOf(call) === undefined && Array.isArray(messages) && apiOfResponse(output ?? null) !== undefined;
}

function meaningOf(call: JsonObject, asked: ReadonlySet<string>): { did: Did; failed?: true | undefined } {
  const op = opOf(call);
  const kind = kindOf(call);
  const name = op
    .replace(/^langchain\.Tool\./i, "")
    .split(".")
    .at(-1)!;
  if (kind === "agent") return { did: { kind: "agent", name: op } };
  if (kind !== "tool" && !/^langchain\.Tool\./i.test(op) && !asked.has(name)) return { did: AROUND };
  const { output, callId, failed } = parseToolOutput(member(call, "output") ?? undefined);
  return {
    did: { kind: "tool", name, callId, input: parseToolInput(withoutSelf(member(call, "inputs"))), output },
    failed,
  };
}

/** A method's own object is among its inputs. */
function withoutSelf(inputs: Json | undefined): Json | undefined {
  if (!isObject(inputs) || !Object.hasOwn(inputs, "self")) return inputs;
  const { self: _self, ...own } = inputs;
  return own;
}

function modelCall(call: JsonObject, unknown: UnknownCounter): ModelCall {
  const inputs = withoutSelf(member(call, "inputs"));
  const output = member(call, "output");
  const model = stringMember(inputs, "model");
  const summed = member(member(call, "summary"), "usage");
  const usage = isObject(summed) ? Object.values(summed)[0] : undefined;
  const reply = parseReply(output ?? undefined, unknown);
  return {
    kind: "model",
    request: parseRequest(inputs, unknown),
    reply,
    requestModel: model,
    tools: toolDefinitions(firstMember(inputs, ["tools"])),
    usage: reply?.usage ?? parseUsage(usage),
  };
}
