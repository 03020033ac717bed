/**
 * Logs of calls to a model provider, shared by openai-chat, openai-responses and anthropic: lists of messages, and pairs of
 * request and response, one per line or in one document.
 *
 * In a list of messages (or a request without its response, as in fine-tuning files) every assistant message is a turn.
 * In pairs only the responses are: the history of a first request was not seen to happen. A pair whose request extends
 * the previous conversation goes on with it; any other begins a trace of its own.
 */

import type { ImportedTrace } from "../trace/imported-trace.ts";
import { isObject, type Json, type JsonObject, jsonEqual, member, numberMember, stringMember } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { type Clock, clockOfSeconds, parseClock } from "./clock.ts";
import {
  Conversation,
  errorRecord,
  type JsonFields,
  type ModelResponse,
  metadataRecord,
  toolMessage,
} from "./conversation.ts";
import { UnknownCounter } from "./count-unknown.ts";
import { type Exchange, parseExchange } from "./exchange.ts";
import { type MessageReader, parseSpoken, requestFields, systemOf } from "./provider-api.ts";

/** The traces of one document: an exchange, a list of exchanges, or a list of messages. */
export function readProviderDocument(document: Json, wire: MessageReader): ImportedTrace[] {
  return readExchanges(isListOfExchanges(document) ? document : [document], wire);
}

/** The trace of a list of messages, or of an object that holds one: everything in it happened. */
export function readMessageList(value: Json, reader: MessageReader): ImportedTrace {
  const thread = new Thread(reader);
  thread.add(value, { request: value }, reader.messages(value), false);
  return thread.finish(undefined);
}

/** A list is one conversation when its entries are messages or items, and many when they are exchanges. */
function isListOfExchanges(document: Json): document is readonly Json[] {
  if (!Array.isArray(document)) return false;
  const first = document[0];
  return Array.isArray(first) || (isObject(first) && !Object.hasOwn(first, "role") && isExchange(first));
}

function isExchange(value: Json): boolean {
  return ["request", "response", "body", "messages", "choices", "output"].some((key) =>
    Object.hasOwn(value as JsonObject, key),
  );
}

/** The traces of exchanges in the order they were logged. */
export function readExchanges(values: readonly Json[], wire: MessageReader): ImportedTrace[] {
  const threads: Thread[] = [];
  const byResponse = new Map<string, Thread>();
  for (const value of values) {
    const exchange = parseExchange(value, wire);
    const previous = byResponse.get(stringMember(exchange.request, "previous_response_id") ?? "");
    const messages = exchange.request === undefined ? undefined : wire.messages(exchange.request);
    let thread = previous ?? continued(threads, exchange, messages);
    if (thread === undefined) {
      thread = new Thread(wire);
      threads.push(thread);
    }
    thread.add(value, exchange, messages, previous !== undefined);
    const id = stringMember(exchange.response, "id");
    if (id !== undefined) byResponse.set(id, thread);
  }
  return threads.map((thread, index) => thread.finish(threads.length > 1 ? `conversation ${index + 1}` : undefined));
}

/** How many conversations may be under way at once in one log: looking at all would cost the square of a long one. */
const MAX_INTERLEAVED = 64;

/** Logs of a service hold many conversations side by side: a request goes on with the one whose answer it repeats. */
function continued(
  threads: readonly Thread[],
  exchange: Exchange,
  messages: readonly Json[] | undefined,
): Thread | undefined {
  if (messages === undefined || (exchange.response === undefined && exchange.error === undefined)) return undefined;
  const recent = threads.slice(-MAX_INTERLEAVED).filter((thread) => thread.continuedBy(messages));
  // A client may have edited the answer; then only the latest conversation can be meant.
  const last = recent.at(-1) === threads.at(-1) ? recent.at(-1) : undefined;
  return recent.length <= 1 && last !== undefined
    ? last
    : (recent.findLast((thread) => thread.repeatedBy(messages)) ?? last);
}

class Thread {
  private readonly wire: MessageReader;
  private readonly unknown = new UnknownCounter();
  private readonly records: TraceRecord[] = [];
  private readonly conversation = new Conversation(this.records);
  /** The messages of the latest request, to recognise a request that extends it. */
  private known: readonly Json[] = [];
  /** What the latest response said and asked for. */
  private answered: readonly JsonObject[] = [];
  private hasPair = false;
  /** Whether the latest request came to nothing. */
  private isRefused = false;
  private id: string | undefined;
  private labels: JsonFields = {};

  constructor(wire: MessageReader) {
    this.wire = wire;
  }

  continuedBy(messages: readonly Json[]): boolean {
    const { known } = this;
    if (!this.hasPair || known.length === 0 || messages.length < known.length) return false;
    // Nothing new is asked again only where nothing was answered.
    if (messages.length === known.length && !this.isRefused) return false;
    return known.every((message, index) => jsonEqual(message, messages[index]));
  }

  /** Whether a request that continues this also holds the answer that was given here. */
  repeatedBy(messages: readonly Json[]): boolean {
    const repeated = messages[this.known.length];
    const [spoken] = repeated === undefined ? [] : this.wire.parse(repeated, new UnknownCounter());
    return spoken?.kind === "model" && jsonEqual(spokenParts(spoken.parts), spokenParts(this.answered));
  }

  /** `chained`: the provider kept the history, the request holds only what is new. */
  add(value: Json, exchange: Exchange, messages: readonly Json[] | undefined, chained: boolean): void {
    const { request, response, error } = exchange;
    this.id ??= stringMember(response, "id") ?? stringMember(value, "custom_id") ?? stringMember(value, "id");
    if (Object.keys(this.labels).length === 0) this.labels = labelsOf(value);
    if (response === undefined && error === undefined) {
      this.addList(request ?? null, messages);
      return;
    }
    if (request !== undefined) this.addRequest(request, messages ?? [], chained);
    this.isRefused = response === undefined || !this.addResponse(value, request, response);
    if (this.isRefused) this.addError(error ?? member(response, "error") ?? null);
    this.hasPair = true;
  }

  finish(entry: string | undefined): ImportedTrace {
    const metadata = metadataRecord(this.id, this.labels);
    const notes = this.conversation.notes();
    return {
      records: [metadata, ...this.records],
      ...(entry === undefined ? {} : { entry }),
      ...this.unknown.result(),
      ...(notes.length === 0 ? {} : { notes }),
    };
  }

  /** A list of messages: everything in it happened. */
  private addList(request: Json, listed: readonly Json[] | undefined): void {
    const messages = listed ?? (Array.isArray(request) ? request : undefined);
    if (messages === undefined) {
      this.unknown.add("value without messages");
      return;
    }
    this.addSystem(request);
    const fields = requestFields(request, this.wire);
    for (const spoken of parseSpoken(messages, this.wire, this.unknown)) {
      if (spoken.kind === "said") this.conversation.say(spoken.role, spoken.content);
      else if (spoken.kind === "result") this.conversation.result(spoken);
      else if (spoken.fields !== undefined || spoken.parts.length > 0)
        this.conversation.respond(withRequest(fields, spoken.fields ?? {}, spoken.parts));
    }
  }

  private addRequest(request: Json, messages: readonly Json[], chained: boolean): void {
    const begins = !this.hasPair;
    if (begins) this.addSystem(request);
    let fresh = chained || begins ? messages : messages.slice(this.known.length);
    if (!chained && !begins) fresh = withoutOwnReply(fresh, this.wire);
    for (const spoken of parseSpoken(fresh, this.wire, this.unknown)) {
      if (spoken.kind === "said") this.conversation.say(spoken.role, spoken.content);
      else if (spoken.kind === "model") this.conversation.recall({ role: "assistant", content: spoken.parts });
      else if (begins) this.conversation.recall(toolMessage(spoken));
      else this.conversation.result(spoken);
    }
    this.known = messages;
  }

  private addSystem(request: Json): void {
    const system = systemOf(request, this.wire);
    if (system !== undefined) this.conversation.say("system", system);
  }

  /** False for a response that says nothing but why it failed. */
  private addResponse(value: Json, request: Json | undefined, response: Json): boolean {
    const reply = this.wire.reply(response, this.unknown, request);
    if (reply.parts.length === 0 && isObject(member(response, "error"))) return false;
    this.answered = reply.parts;
    this.conversation.respond({
      ...withRequest(requestFields(request ?? response, this.wire), reply, reply.parts),
      clock: clockOf(value, response),
      latencyMs: latencyOf(value) ?? reply.latencyMs,
    });
    return true;
  }

  private addError(error: Json): void {
    const message = typeof error === "string" ? error : (stringMember(error, "message") ?? "the call failed");
    const code = member(error, "code") ?? member(error, "type") ?? member(error, "status_code");
    this.records.push(errorRecord({ source: "llm", code: typeof code === "string" ? code : undefined, message }));
  }
}

/** A response with what its request named; every member spelled out, because spreading costs more than all else done here. */
function withRequest(
  request: Pick<ModelResponse, "requestModel" | "tools" | "params">,
  response: Omit<ModelResponse, "parts">,
  parts: ModelResponse["parts"],
): ModelResponse {
  return {
    parts,
    model: response.model,
    requestModel: response.requestModel ?? request.requestModel,
    stopReason: response.stopReason,
    usage: response.usage,
    latencyMs: response.latencyMs,
    clock: response.clock,
    requestClock: response.requestClock,
    tools: response.tools ?? request.tools,
    params: response.params ?? request.params,
    callClocks: response.callClocks,
    sequential: response.sequential,
    extra: response.extra,
  };
}

function latencyOf(value: Json): number | undefined {
  for (const key of LATENCY_KEYS) {
    const ms = numberMember(value, key);
    if (ms !== undefined) return ms;
  }
  return undefined;
}

const LATENCY_KEYS = ["latency_ms", "duration_ms", "latencyMs", "durationMs"];

/** Thinking is often left out of what is sent back. */
function spokenParts(parts: readonly JsonObject[]): readonly JsonObject[] {
  return parts.filter((part) => part["type"] === "text" || part["type"] === "tool_use");
}

/** The beginning of what is new in a request is the response to the one before: it is already there. */
function withoutOwnReply(messages: readonly Json[], wire: MessageReader): readonly Json[] {
  const isOwn = (message: Json) => {
    // What is not understood is counted when the message is read, not here.
    const spoken = wire.parse(message, new UnknownCounter());
    return spoken.length > 0 && spoken.every((part) => part.kind === "model");
  };
  const end = messages.findIndex((message) => !isOwn(message));
  return end < 0 ? [] : messages.slice(end);
}

function clockOf(value: Json, response: Json): Clock | undefined {
  return (
    parseClock(stringMember(value, "timestamp")) ??
    parseClock(stringMember(value, "created_at")) ??
    clockOfSeconds(member(response, "created")) ??
    clockOfSeconds(member(response, "created_at"))
  );
}

/** What a log says about a call beside the call itself. */
function labelsOf(value: Json): JsonFields {
  const metadata = member(value, "metadata");
  const named = (key: string) => member(value, key) ?? member(metadata, key);
  return {
    agent: textOf(named("agent")),
    scenario_id: textOf(named("scenario_id")),
    task_id: textOf(named("task_id")) ?? textOf(member(value, "custom_id")),
    trial: numberMember(value, "trial"),
    metadata: isObject(metadata) && Object.keys(metadata).length > 0 ? metadata : undefined,
  };
}

function textOf(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
