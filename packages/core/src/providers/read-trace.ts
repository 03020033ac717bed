/**
 * A value in memory → a trace: the pure half of `readTrace`. It never gives an empty trace for something it did not
 * understand: that is an error which says what was seen and what is accepted.
 */
import { SpoorError } from "../errors.ts";
import { buildTrace } from "../trace/build-trace.ts";
import type { ImportedTrace } from "../trace/imported-trace.ts";
import { isObject, type Json } from "../trace/json.ts";
import { jsonOf } from "../trace/json-of.ts";
import type { Trace, TraceSource } from "../trace/trace.ts";
import { chooseReader } from "./recognition.ts";
import { requireUnderstood } from "./require-understood.ts";
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
  return traceOf(reader.format, reader.read(document), [document]);
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
  return chooseReader(readers, (reader) => reader.recognise(document));
}

/** The one trace of what was read. */
export function traceOf(
  format: string,
  imported: readonly ImportedTrace[],
  values: readonly Json[],
  source: Partial<TraceSource> = {},
): Trace {
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
  requireUnderstood([only], { what: source.path ?? "The value", values, hint: `Accepted are ${ACCEPTED}.` });
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
