/**
 * What a command or an HTTP agent wrote → output messages. JSON with `output_messages`, JSON Lines, an older event list, a
 * recording in any format Spoor reads, or plain text. A bad member is reported with its place; the rest is kept.
 */
import type { Json, JsonObject } from "@spoor/core";
import { present } from "@spoor/core/present";
import { buildTrace } from "@spoor/core/trace/build-trace";
import { isObject, member, numberMember, stringifyJson, stringMember } from "@spoor/core/trace/json";
import { JsonSyntaxError, parseJson } from "@spoor/core/trace/parse-json";
import type { ReadContext } from "../formats/format.ts";
import { rankFormats } from "../formats/formats.ts";
import { type OutputMessage, type OutputToolCall, parseOutputMessages } from "../formats/output-messages.ts";
import { type AgentAnswer, ProviderError, type TokenUsage } from "./providers/provider.ts";

/** `caseId` picks the record of this case when the output holds one record per case. */
export function parseAgentOutput(text: string, caseId: string): AgentAnswer {
  const problems: string[] = [];
  const document = parseDocument(text, problems);
  const answer = document === undefined ? undefined : answerOf(document, caseId, problems);
  const lines = answer === undefined ? parseLines(text) : undefined;
  const found =
    answer ?? (lines === undefined ? undefined : answerOfLines(lines, caseId, problems)) ?? textAnswer(text);
  return problems.length === 0 ? found : { ...found, problems };
}

function parseDocument(text: string, problems: string[]): Json | undefined {
  const start = text.trimStart()[0];
  if (start !== "{" && start !== "[") return undefined;
  try {
    return parseJson(text);
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    if (start === "{" && parseLines(text) === undefined) {
      const before = text.slice(0, error.offset).split("\n");
      problems.push(
        `the output begins like JSON but is not: ${error.message} (line ${before.length}, column ${before.at(-1)!.length + 1}); read as text`,
      );
    }
    return undefined;
  }
}

function parseLines(text: string): Json[] | undefined {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < 2) return undefined;
  try {
    const values = lines.map((line) => parseJson(line));
    return values.every(isObject) ? values : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when the document has no shape we know: then it is what the agent said. */
function answerOf(document: Json, caseId: string, problems: string[]): AgentAnswer | undefined {
  if (Array.isArray(document)) return answerOfList(document, caseId, problems);
  if (!isObject(document)) return undefined;
  const messages = messagesOf(document, problems);
  if (messages !== undefined) return { messages, ...metricsOf(document, problems) };
  const recording = recordingOf(document);
  return recording === undefined ? undefined : { ...recording, ...metricsOf(document, problems) };
}

function answerOfList(list: readonly Json[], caseId: string, problems: string[]): AgentAnswer | undefined {
  if (list.length > 0 && list.every((item) => stringMember(item, "role") !== undefined)) {
    return { messages: parseOutputMessages(list as Json, "", report(problems)) };
  }
  return list.length > 0 && list.every((item) => recordId(item) !== undefined)
    ? answerOfLines(list, caseId, problems)
    : undefined;
}

function answerOfLines(values: readonly Json[], caseId: string, problems: string[]): AgentAnswer | undefined {
  const own = values.find((value) => recordId(value) === caseId);
  if (own !== undefined && isRecord(own)) return answerOf(own, caseId, problems) ?? textAnswer(stringifyJson(own));
  if (values.every((value) => recordId(value) !== undefined && isRecord(value))) {
    throw new ProviderError("bad-output", `Batch output missing id '${caseId}'`);
  }
  if (values.every((value) => stringMember(value, "role") !== undefined)) {
    return { messages: parseOutputMessages([...values], "", report(problems)) };
  }
  return recordingOf(undefined, values);
}

function recordId(value: Json): string | undefined {
  return stringMember(value, "id") ?? stringMember(value, "eval_id") ?? stringMember(value, "test_id");
}

function isRecord(value: Json): boolean {
  return ["output_messages", "output", "text"].some((key) => member(value, key) !== undefined);
}

function messagesOf(document: JsonObject, problems: string[]): readonly OutputMessage[] | undefined {
  for (const key of ["output_messages", "outputMessages", "output", "messages"]) {
    const list = member(document, key);
    if (!Array.isArray(list) || list.length === 0) continue;
    if (
      key !== "output_messages" &&
      key !== "outputMessages" &&
      !list.some((item) => member(item, "role") !== undefined)
    )
      continue;
    return parseOutputMessages(list, key, report(problems));
  }
  const text = member(document, "text");
  const events = member(document, "trace");
  if (Array.isArray(events) && events.some((event) => typeof member(event, "type") === "string")) {
    return messagesOfEvents(events, text, problems);
  }
  return text === undefined ? undefined : [{ role: "assistant", content: asText(text) }];
}

/** The event list from before output messages: `{type: tool_call | tool_result, id, name, input | output, timestamp}`. */
function messagesOfEvents(events: readonly Json[], text: Json | undefined, problems: string[]): OutputMessage[] {
  const calls: OutputToolCall[] = [];
  for (const [index, event] of events.entries()) {
    const type = stringMember(event, "type");
    if (type === "tool_call") {
      const tool = stringMember(event, "name");
      if (tool === undefined) problems.push(`trace[${index}]: is not a tool call: it has no text "name"`);
      else
        calls.push(
          present({
            tool,
            input: member(event, "input"),
            id: stringMember(event, "id"),
            start_time: stringMember(event, "timestamp"),
          }) as OutputToolCall,
        );
    } else if (type === "tool_result") {
      const id = stringMember(event, "id");
      const at = calls.findLastIndex(
        (call) =>
          call.output === undefined && (id === undefined ? call.tool === stringMember(event, "name") : call.id === id),
      );
      if (at < 0) problems.push(`trace[${index}]: the result belongs to no call`);
      else
        calls[at] = present({
          ...calls[at]!,
          output: member(event, "output") ?? null,
          end_time: stringMember(event, "timestamp"),
        }) as OutputToolCall;
    }
  }
  const messages: OutputMessage[] = calls.map((call) => ({ role: "assistant", tool_calls: [call] }));
  return text === undefined ? messages : [...messages, { role: "assistant", content: asText(text) }];
}

/** A recording in another format, when one recognises it. */
function recordingOf(document: Json | undefined, lines?: readonly Json[]): AgentAnswer | undefined {
  const sample = {
    ...(document === undefined ? {} : { document }),
    ...(lines === undefined ? {} : { lines: lines.slice(0, 50) }),
  };
  const [best] = rankFormats(sample);
  if (best === undefined || best.recognition.score < 0.5) return undefined;
  const context: ReadContext = {
    file: "the output",
    lenient: false,
    fail(message, at) {
      throw new ProviderError(
        "bad-output",
        `the output looks like ${best.format.title}, but ${at?.path ?? `line ${at?.line ?? 1}`} ${message}`,
      );
    },
  };
  const imported = lines === undefined ? best.format.readDocument?.(document!, context) : readLines(lines);
  if (imported === undefined || imported.length !== 1) return undefined;
  const { records, unknown, notes } = imported[0]!;
  const source = {
    format: best.format.name,
    ...(unknown === undefined ? {} : { unknown }),
    ...(notes === undefined ? {} : { notes }),
  };
  return { trace: buildTrace(records, { source }) };

  function readLines(values: readonly Json[]) {
    const reader = best!.format.openLines?.(context);
    for (const [index, value] of values.entries()) reader?.line(value, index + 1);
    return reader?.finish();
  }
}

function metricsOf(document: JsonObject, problems: string[]): Partial<AgentAnswer> {
  const usage = usageOf(member(document, "token_usage") ?? member(document, "tokenUsage"), problems);
  const costUsd = metric("cost_usd", "costUsd");
  const durationMs = metric("duration_ms", "durationMs");
  return {
    ...(usage === undefined ? {} : { usage }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(durationMs === undefined ? {} : { durationMs }),
  };

  function metric(...keys: [string, string]): number | undefined {
    const value = member(document, keys[0]) ?? member(document, keys[1]);
    if (value === undefined || value === null) return undefined;
    if (typeof value === "number" && Number.isFinite(value) && value >= 0) return value;
    problems.push(`${keys[0]}: ${JSON.stringify(value)} is not a number from 0 on; left out`);
    return undefined;
  }
}

function usageOf(usage: Json | undefined, problems: string[]): TokenUsage | undefined {
  if (usage === undefined || usage === null) return undefined;
  const input = numberMember(usage, "input") ?? numberMember(usage, "input_tokens");
  const output = numberMember(usage, "output") ?? numberMember(usage, "output_tokens");
  const cached = numberMember(usage, "cached") ?? numberMember(usage, "cached_input_tokens");
  if (input === undefined || output === undefined || input < 0 || output < 0) {
    problems.push("token_usage: needs the numbers input and output; left out");
    return undefined;
  }
  return { input, output, ...(cached === undefined ? {} : { cached }) };
}

function textAnswer(text: string): AgentAnswer {
  return { messages: [{ role: "assistant", content: text.replace(/\r?\n$/, "") }] };
}

function asText(value: Json): string {
  return typeof value === "string" ? value : stringifyJson(value);
}

function report(problems: string[]) {
  return (path: string, message: string) => {
    problems.push(`${path}: ${message}`);
  };
}
