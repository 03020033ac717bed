/**
 * Logs of calls to a model provider, shared by openai-chat, openai-responses and anthropic: lists of messages, and pairs of
 * request and response, one per line or in one document.
 *
 * In a list of messages (or a request without its response, as in fine-tuning files) every assistant message is a turn.
 * In pairs only the responses are: the history of a first request was not seen to happen. A pair whose request extends
 * the previous conversation goes on with it; any other begins a trace of its own.
 */

import { present } from "../present.ts";
import type { ImportedTrace } from "../trace/imported-trace.ts";
import { isObject, type Json, type JsonObject, jsonEqual, member, numberMember, stringMember } from "../trace/json.ts";
import type { TraceRecord } from "../trace/record.ts";
import { type Clock, clockOfSeconds, parseClock } from "./clock.ts";
import { Conversation, errorRecord, type JsonFields, type ModelResponse, metadataRecord } from "./conversation.ts";
import { UnknownCounter } from "./count-unknown.ts";

/** What the three providers' logs differ in. */
export interface Dialect {
  /** Whether a value is a response of this provider. */
  isResponse(value: Json | undefined): boolean;
  /** The messages or items of a request. */
  messages(request: Json): readonly Json[] | undefined;
  /** What stands beside the messages: a system prompt. */
  system(request: Json): Json | undefined;
  /** One message or item of a request. */
  parse(message: Json, unknown: UnknownCounter): readonly Spoken[];
  reply(response: Json, unknown: UnknownCounter): ModelResponse;
  /** Members of a request that are not parameters of the model. */
  readonly notParams: ReadonlySet<string>;
}

/** Something in a conversation: a message to the model, a part of its own response, or a tool's result. */
export type Spoken =
  | { readonly kind: "said"; readonly role: string; readonly content: Json | undefined }
  | { readonly kind: "model"; readonly parts: readonly JsonObject[]; readonly fields?: Omit<ModelResponse, "parts"> }
  | {
      readonly kind: "result";
      readonly callId?: string | undefined;
      readonly output?: Json | undefined;
      readonly isError: boolean;
    };

/** The traces of one document: an exchange, a list of exchanges, or a list of messages. */
export function readProviderDocument(document: Json, dialect: Dialect): ImportedTrace[] {
  return readExchanges(isListOfExchanges(document) ? document : [document], dialect);
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

export interface Exchange {
  readonly request?: Json | undefined;
  readonly response?: Json | undefined;
  readonly error?: Json | undefined;
}

/** The two halves of a logged call; a lone request or response is a half. */
export function parseExchange(value: Json, dialect: Pick<Dialect, "isResponse">): Exchange {
  if (dialect.isResponse(value)) return { request: lacksRequest(value) ? undefined : value, response: value };
  const request = bodyOf(member(value, "request") ?? member(value, "body"));
  const answer = bodyOf(member(value, "response"));
  if (request === undefined && answer === undefined) return { request: value };
  const error = errorOf(member(value, "error")) ?? errorOf(member(answer, "error"));
  return { request, ...(dialect.isResponse(answer) ? { response: answer } : { error: error ?? answer }) };
}

/** A stored completion may carry the request it answers. */
function lacksRequest(value: Json): boolean {
  return !Array.isArray(member(value, "messages")) && !Array.isArray(member(value, "input"));
}

/** HTTP logs and batch files keep the JSON under `body`. */
function bodyOf(value: Json | undefined): Json | undefined {
  const body = member(value, "body");
  return body === undefined ? value : body;
}

function errorOf(error: Json | undefined): Json | undefined {
  return error === null ? undefined : error;
}

/** The traces of exchanges in the order they were logged. */
export function readExchanges(values: readonly Json[], dialect: Dialect): ImportedTrace[] {
  const threads: Thread[] = [];
  const byResponse = new Map<string, Thread>();
  for (const value of values) {
    const exchange = parseExchange(value, dialect);
    const previous = byResponse.get(stringMember(exchange.request, "previous_response_id") ?? "");
    let thread = previous ?? threads.at(-1);
    if (thread === undefined || (previous === undefined && !thread.continues(exchange))) {
      thread = new Thread(dialect);
      threads.push(thread);
    }
    thread.add(value, exchange, previous !== undefined);
    const id = stringMember(exchange.response, "id");
    if (id !== undefined) byResponse.set(id, thread);
  }
  return threads.map((thread, index) => thread.finish(threads.length > 1 ? `conversation ${index + 1}` : undefined));
}

class Thread {
  private readonly dialect: Dialect;
  private readonly unknown = new UnknownCounter();
  private readonly records: TraceRecord[] = [];
  private readonly conversation = new Conversation(this.records);
  /** The messages of the latest request, to recognise a request that extends it. */
  private known: readonly Json[] = [];
  private hasPair = false;
  private id: string | undefined;
  private labels: JsonFields = {};

  constructor(dialect: Dialect) {
    this.dialect = dialect;
  }

  continues(exchange: Exchange): boolean {
    if (!this.hasPair || exchange.request === undefined) return false;
    if (exchange.response === undefined && exchange.error === undefined) return false;
    const messages = this.dialect.messages(exchange.request);
    const { known } = this;
    if (messages === undefined || known.length === 0 || messages.length <= known.length) return false;
    return known.every((message, index) => jsonEqual(message, messages[index]));
  }

  /** `chained`: the provider kept the history, the request holds only what is new. */
  add(value: Json, exchange: Exchange, chained: boolean): void {
    const { request, response, error } = exchange;
    this.id ??= stringMember(response, "id") ?? stringMember(value, "custom_id") ?? stringMember(value, "id");
    if (Object.keys(this.labels).length === 0) this.labels = labelsOf(value);
    if (response === undefined && error === undefined) {
      this.addList(request ?? null);
      return;
    }
    if (request !== undefined) this.addRequest(request, chained);
    if (response !== undefined) this.addResponse(value, request, response);
    else this.addError(error ?? null);
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
  private addList(request: Json): void {
    const messages = Array.isArray(request) ? request : this.dialect.messages(request);
    if (messages === undefined) {
      this.unknown.add("value without messages");
      return;
    }
    this.addSystem(request);
    const fields = requestFields(request, this.dialect);
    let parts: JsonObject[] = [];
    let extra: Omit<ModelResponse, "parts"> = {};
    const endResponse = () => {
      if (parts.length > 0) this.conversation.respond({ ...fields, ...extra, parts });
      parts = [];
      extra = {};
    };
    for (const spoken of messages.flatMap((message) => this.dialect.parse(message, this.unknown))) {
      if (spoken.kind === "model") {
        // A chat message is a whole response; items of one response follow each other.
        if (spoken.fields !== undefined) endResponse();
        parts.push(...spoken.parts);
        extra = spoken.fields ?? extra;
        if (spoken.fields !== undefined && parts.length === 0)
          this.conversation.respond({ ...fields, ...extra, parts });
        continue;
      }
      endResponse();
      if (spoken.kind === "said") this.conversation.say(spoken.role, spoken.content);
      else this.conversation.result(spoken);
    }
    endResponse();
  }

  private addRequest(request: Json, chained: boolean): void {
    const messages = this.dialect.messages(request) ?? [];
    const begins = !this.hasPair;
    if (begins) this.addSystem(request);
    let fresh = chained || begins ? messages : messages.slice(this.known.length);
    if (!chained && !begins) fresh = withoutOwnReply(fresh, this.dialect);
    for (const spoken of fresh.flatMap((message) => this.dialect.parse(message, this.unknown))) {
      if (spoken.kind === "said") this.conversation.say(spoken.role, spoken.content);
      else if (spoken.kind === "model") this.conversation.recall({ role: "assistant", content: spoken.parts });
      else if (begins) {
        const { callId, output } = spoken;
        this.conversation.recall(present({ role: "tool", tool_call_id: callId, content: output }));
      } else this.conversation.result(spoken);
    }
    this.known = messages;
  }

  private addSystem(request: Json): void {
    const system = this.dialect.system(request);
    if (system !== undefined && system !== null && system !== "") this.conversation.say("system", system);
  }

  private addResponse(value: Json, request: Json | undefined, response: Json): void {
    const reply = this.dialect.reply(response, this.unknown);
    const latency = ["latency_ms", "duration_ms", "latencyMs", "durationMs"].map((key) => numberMember(value, key));
    this.conversation.respond({
      ...requestFields(request ?? response, this.dialect),
      ...reply,
      clock: clockOf(value, response),
      latencyMs: latency.find((ms) => ms !== undefined),
    });
  }

  private addError(error: Json): void {
    const message = typeof error === "string" ? error : (stringMember(error, "message") ?? "the call failed");
    const code = member(error, "code") ?? member(error, "type") ?? member(error, "status_code");
    this.records.push(errorRecord({ source: "llm", code: typeof code === "string" ? code : undefined, message }));
  }
}

/** The beginning of what is new in a request is the response to the one before: it is already there. */
function withoutOwnReply(messages: readonly Json[], dialect: Dialect): readonly Json[] {
  const isOwn = (message: Json) => {
    // What is not understood is counted when the message is read, not here.
    const spoken = dialect.parse(message, new UnknownCounter());
    return spoken.length > 0 && spoken.every((part) => part.kind === "model");
  };
  const end = messages.findIndex((message) => !isOwn(message));
  return end < 0 ? [] : messages.slice(end);
}

/** The model, tools and parameters that a request names. */
function requestFields(request: Json, dialect: Dialect): Pick<ModelResponse, "requestModel" | "tools" | "params"> {
  if (!isObject(request)) return {};
  const tools = member(request, "tools") ?? member(request, "functions");
  const params = Object.fromEntries(
    Object.entries(request).filter(([key, value]) => !dialect.notParams.has(key) && value !== null),
  );
  return {
    requestModel: stringMember(request, "model"),
    tools: Array.isArray(tools) ? tools : undefined,
    params: Object.keys(params).length === 0 ? undefined : params,
  };
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
