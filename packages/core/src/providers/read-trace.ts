/**
 * A value in memory → a trace: the pure half of `readTrace`. It never gives an empty trace for something it did not
 * understand: that is an error which says what was seen and what is accepted.
 */
import { SpoorError } from "../errors.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { ImportedTrace } from "../trace/imported-trace.ts";
import { isObject, type Json } from "../trace/json.ts";
import { jsonOf } from "../trace/json-of.ts";
import { messageList } from "../trace/message-list.ts";
import type { Trace, TraceSource } from "../trace/trace.ts";
import { type ValueReader, valueReaders } from "./value-readers.ts";

export interface ReadTraceOptions {
  /** A list without anything in it is a run that did nothing; otherwise it is an error. */
  readonly allowEmpty?: boolean;
}

/**
 * The trace of messages, a response, a request with its response, or tool calls: OpenAI chat and Responses, Anthropic,
 * Gemini, Bedrock Converse, AI SDK (`ModelMessage`, `UIMessage`, results of `generateText`), lists of calls or of tool
 * names. A trace is returned as it is.
 */
export function readTraceInMemory(value: unknown, options: ReadTraceOptions = {}): Trace {
  if (isTrace(value)) return value;
  const document = documentOf(value, options);
  const reader = bestReader(valueReaders, document);
  if (reader === undefined) throw unknownValue(document);
  return traceOf(reader.format, reader.read(document));
}

export function isTrace(value: unknown): value is Trace {
  return isObject(value) && ["toolCalls", "turns", "steps", "records"].every((key) => Array.isArray(value[key]));
}

/** The value as JSON; tool names alone are calls. */
export function documentOf(value: unknown, options: ReadTraceOptions): Json {
  const document = jsonOf(value) ?? null;
  if (!Array.isArray(document)) return document;
  if (document.length === 0 && options.allowEmpty !== true) {
    throw new SpoorError("trace.empty", "The list is empty: there is no trace in it.", {
      consequence: "No evidence is no evidence of good behaviour, so it is not used.",
      hint: "If the agent really may do nothing, say so: readTrace(list, { allowEmpty: true }).",
    });
  }
  return document.every(isName) ? document.map((tool) => ({ tool: tool as string })) : document;
}

function isName(item: Json): boolean {
  return typeof item === "string" && /^[\w.:/@-]{1,200}$/.test(item);
}

function bestReader(readers: readonly ValueReader[], document: Json): ValueReader | undefined {
  // A run that did nothing, which the caller allows.
  if (Array.isArray(document) && document.length === 0) return readers.at(-1);
  const ranked = readers
    .map((reader) => ({ reader, score: reader.recognise(document).score }))
    .sort((left, right) => right.score - left.score);
  const [first] = ranked;
  return first !== undefined && first.score >= 0.5 ? first.reader : undefined;
}

/** The one trace of what was read. */
export function traceOf(format: string, imported: readonly ImportedTrace[], source: Partial<TraceSource> = {}): Trace {
  const [only] = imported;
  if (only === undefined || imported.length > 1) {
    throw new SpoorError(
      "input.not-one-trace",
      `The value holds ${imported.length} conversations; this needs exactly one.`,
      {
        hint: "Hand over the messages of one conversation.",
      },
    );
  }
  requireUnderstood(only, source.path ?? "The value");
  const { records, entry, unknown, notes } = only;
  return buildTrace(records, {
    source: {
      format,
      ...source,
      ...(entry === undefined ? {} : { entry }),
      ...(unknown === undefined ? {} : { unknown }),
      ...(notes === undefined ? {} : { notes }),
    },
  });
}

/** Throws when more of a trace was not understood than was. */
export function requireUnderstood(imported: ImportedTrace, what: string): void {
  const strange = mostlyStrange(imported);
  if (strange === undefined) return;
  throw new SpoorError("trace.not-understood", `${what} was mostly not understood: ${strange}.`, {
    consequence: "What was not understood may hold the very calls that matter, so nothing of it is used.",
    hint: `Accepted are ${ACCEPTED}.`,
  });
}

/** What was not understood, when it is more than what was. */
export function mostlyStrange(imported: ImportedTrace): string | undefined {
  const kinds = Object.entries(imported.unknown ?? {});
  const total = (list: typeof kinds) => list.reduce((sum, [, count]) => sum + count, 0);
  const lost = total(kinds);
  // Parts of unknown types stay among the parts of their response.
  const kept = total(kinds.filter(([kind]) => kind.startsWith("part ")));
  if (lost === 0 || lost <= understood(imported) - kept) return undefined;
  const listed = kinds.slice(0, 5).map(([kind, count]) => `${kind} (${count})`);
  return listed.join(", ");
}

/** What was said, called, returned. */
function understood(imported: ImportedTrace): number {
  let count = 0;
  let said = 0;
  for (const { kind, payload } of imported.records) {
    if (kind === "chat_request") said = isObject(payload) ? (messageList(payload)?.length ?? 0) : 0;
    else if (kind === "chat_response") {
      const content = isObject(payload) ? payload["content"] : undefined;
      count += 1 + (Array.isArray(content) ? content.length : 0);
    } else if (kind !== "metadata") count++;
  }
  return count + said;
}

const ACCEPTED =
  "a trace, messages or responses of OpenAI (chat and Responses), Anthropic, Gemini, Bedrock Converse or the AI SDK, " +
  "and lists of tool calls or tool names";

export function unknownValue(document: Json): SpoorError {
  return new SpoorError("trace.unknown-format", `No trace can be made of ${describe(document)}.`, {
    consequence: "Nothing was read.",
    hint: `Accepted are ${ACCEPTED}.`,
  });
}

function describe(document: Json): string {
  if (document === null) return "null or nothing";
  if (Array.isArray(document)) {
    const first = document.find(isObject);
    return first === undefined ? "a list of plain values" : `a list of objects with ${keysOf(first)}`;
  }
  return isObject(document) ? `an object with ${keysOf(document)}` : `a ${typeof document}`;
}

function keysOf(value: object): string {
  const keys = Object.keys(value);
  if (keys.length === 0) return "no members of its own (is it a promise? await it)";
  return keys.slice(0, 8).join(", ");
}
