/**
 * Azure's agents run on a server; their SDK makes one span of such a run (`process_thread_run`) and tells each answer of the model and each result of a tool
 * as an event of it. Read as one call of a model it would have neither. Here each answer becomes a model call and each result a tool run below the span, in
 * the order of the answers; an answer's event comes after the results it waited for, so its clock says nothing about when it was given.
 */
import type { Json, JsonObject } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import { type Attributes, jsonOf, textOf } from "./attributes.ts";
import type { Span, SpanEvent } from "./spans.ts";

const RUN = "process_thread_run";

export function splitThreadRuns(spans: readonly Span[]): readonly Span[] {
  const isRun = (span: Span) => textOf(span.attributes, "gen_ai.operation.name") === RUN && span.events.some(isAnswer);
  if (!spans.some(isRun)) return spans;
  return spans.flatMap((span) => (isRun(span) ? splitRun(span, askedIn(spans, span)) : [span]));
}

function isAnswer({ name }: SpanEvent): boolean {
  return name === "gen_ai.assistant.message";
}

/** What was said in the thread before the run, wherever in the file it stands. */
function askedIn(spans: readonly Span[], run: Span): Json[] {
  const thread = textOf(run.attributes, "gen_ai.thread.id");
  if (thread === undefined) return [];
  return spans
    .filter((span) => textOf(span.attributes, "gen_ai.operation.name") === "create_message")
    .filter((span) => textOf(span.attributes, "gen_ai.thread.id") === thread && !(startOf(span) > startOf(run)))
    .flatMap((span) => span.events.filter(({ name }) => name === "gen_ai.user.message"))
    .map((event) => ({ role: "user", content: spokenOf(bodyOf(event)) ?? "" }));
}

function startOf(span: Span): bigint {
  return span.start ?? 0n;
}

function splitRun(span: Span, asked: readonly Json[]): Span[] {
  const results = new Map<string, Json>();
  for (const event of span.events.filter(({ name }) => name === "gen_ai.tool.message")) {
    const id = stringMember(bodyOf(event), "id");
    if (id !== undefined) results.set(id, member(bodyOf(event), "content") ?? "");
  }
  const parts: Span[] = [];
  const said: Json[] = [...asked];
  for (const event of span.events.filter(isAnswer)) {
    const calls = callsOf(bodyOf(event));
    const answer: JsonObject = {
      role: "assistant",
      content: spokenOf(bodyOf(event)) ?? "",
      ...(calls.length === 0
        ? {}
        : {
            tool_calls: calls.map(({ id, name, input }) => ({
              id,
              type: "function",
              function: { name, arguments: input },
            })),
          }),
    };
    parts.push(part(span, parts.length, answerAttributes(span, event, [...said], answer)));
    said.push(answer);
    for (const { id, name, input } of calls) {
      const output = results.get(id);
      if (output === undefined) continue;
      said.push({ role: "tool", tool_call_id: id, content: output });
      const run = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name, "gen_ai.tool.call.id": id };
      parts.push(
        part(span, parts.length, { ...run, "gen_ai.tool.call.arguments": input, "gen_ai.tool.call.result": output }),
      );
    }
  }
  return [frameOf(span), ...parts];
}

function answerAttributes(span: Span, event: SpanEvent, input: Json[], answer: Json): JsonObject {
  const model = textOf(span.attributes, "gen_ai.response.model", "gen_ai.request.model");
  const usage = [...event.attributes].filter(([key]) => key.startsWith("gen_ai.usage."));
  return {
    "gen_ai.operation.name": "chat",
    ...(model === undefined ? {} : { "gen_ai.response.model": model }),
    ...Object.fromEntries(usage),
    "gen_ai.input.messages": input,
    "gen_ai.output.messages": [answer],
  };
}

function part(span: Span, place: number, attributes: JsonObject): Span {
  const { start: _start, end: _end, ...rest } = span;
  return {
    ...rest,
    spanId: `${span.spanId}.${place}`,
    parentSpanId: span.spanId,
    name: stringMember(attributes, "gen_ai.operation.name") ?? "",
    attributes: new Map<string, Json>([...Object.entries(attributes), ["spoor.sequence", place + 1]]),
    events: [],
    status: { isError: false, isOk: false },
  };
}

/** The span itself is only what holds them together: its counts are the sum of theirs. */
function frameOf(span: Span): Span {
  const kept = [...span.attributes].filter(([key]) => !/^gen_ai\.(usage|response|request)\./.test(key));
  return { ...span, attributes: new Map<string, Json>([...kept, ["gen_ai.operation.name", "chain"]]), events: [] };
}

function bodyOf({ attributes }: SpanEvent): Json {
  return jsonOf(attributes as Attributes, "gen_ai.event.content") ?? {};
}

/** A text, or `{text: {value}}`, or a list of either. */
function spokenOf(body: Json): string | undefined {
  const content = member(body, "content");
  const items = Array.isArray(content) ? content : [content];
  const texts = items.flatMap((item): string[] => {
    const text = member(item, "text");
    const value = typeof item === "string" ? item : isObject(text) ? member(text, "value") : text;
    return typeof value === "string" ? [value] : [];
  });
  return texts.length === 0 ? undefined : texts.join("\n");
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly input: Json;
}

/** A function's call, or one of a tool of the service, whose type is its name. */
function callsOf(body: Json): Call[] {
  const calls = member(body, "tool_calls");
  return (Array.isArray(calls) ? calls : []).flatMap((call): Call[] => {
    const id = stringMember(call, "id");
    const type = stringMember(call, "type") ?? "function";
    const given = member(call, type);
    if (id === undefined) return [];
    if (type !== "function") return [{ id, name: type, input: given ?? {} }];
    const name = stringMember(given, "name");
    return name === undefined ? [] : [{ id, name, input: member(given, "arguments") ?? {} }];
  });
}
