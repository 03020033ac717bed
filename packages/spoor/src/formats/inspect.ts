/**
 * Inspect evaluation logs, in JSON form and as `.eval` archives: `{version, status, eval, samples: [{id, epoch, messages, events}]}`; a trace per
 * sample. The messages are the conversation; model and tool events add clocks, usage, parameters and stop reasons.
 * Long texts may be kept apart in `attachments` and are put back. Assistant messages of the dataset are no turns.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { countRole, parseCalls, parseParts, plainText } from "@spoor/core/internal/providers/chat-parts";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, elapsed, errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { stopReason } from "@spoor/core/internal/providers/stop-reason";
import { tokenUsage } from "@spoor/core/internal/providers/usage";
import { isObject, member, numberMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import {
  type Archive,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type ReadContext,
  type Recognition,
  type Sample,
} from "./format.ts";
import { recogniseKeys } from "./recognise-keys.ts";

export const inspect: Format = {
  name: "inspect",
  title: "Inspect log",
  origin: "logs/*.eval and logs/*.json of an evaluation",
  tells: ["results", "errors", "times", "tokens", "requests"],
  marks: ["eval"],
  recognise,
  readDocument,
  readArchive,
};

/** What an archive holds beside its samples; a run that was killed has only what it began with. */
const HEADERS = ["header.json", "_journal/start.json"];
const SAMPLE = /^samples\/.+\.json$/;

function recognise(sample: Sample): Recognition {
  if (sample.entries !== undefined) {
    const header = HEADERS.find((name) => sample.entries!.includes(name));
    return header === undefined ? NOT_RECOGNISED : { score: 0.97, has: [header] };
  }
  const evaluation = member(sample.document, "eval");
  if (!isObject(evaluation)) return NOT_RECOGNISED;
  const looksRight = Object.hasOwn(evaluation, "task") || Object.hasOwn(evaluation, "model");
  const recognition = recogniseKeys(sample.document, ["eval"], ["version", "status", "samples", "plan", "stats"]);
  return looksRight ? recognition : { ...recognition, score: 0.3 };
}

function readDocument(document: Json, context: ReadContext): ImportedTrace[] {
  const samples = member(document, "samples");
  if (!Array.isArray(samples)) {
    return context.fail('has no list "samples": it is the header of a log, or its samples were not kept', {
      path: "samples",
    });
  }
  const evaluation = member(document, "eval");
  return samples.map((sample, index) => {
    if (!isObject(sample)) return context.fail("is not a sample: it is no object", { path: `samples[${index}]` });
    return new InspectSample(sample, evaluation).read();
  });
}

/** An `.eval` archive: the log without its samples, and each sample in a file of its own, in the order they ended. */
function readArchive(archive: Archive, context: ReadContext): ImportedTrace[] {
  const header = HEADERS.find((name) => archive.names.includes(name));
  if (header === undefined) return context.fail(`has neither ${HEADERS.join(" nor ")}`);
  const samples = archive.names.filter((name) => SAMPLE.test(name));
  if (samples.length === 0) return context.fail("holds no samples: none had ended, or they were not kept");
  const evaluation = member(archive.readJson(header), "eval");
  return samples.map((name) => {
    const sample = archive.readJson(name);
    if (!isObject(sample)) return context.fail("is not a sample: it is no object", { path: name });
    return new InspectSample(sample, evaluation).read();
  });
}

class InspectSample {
  private readonly sample: JsonObject;
  private readonly evaluation: Json | undefined;
  private readonly unknown = new UnknownCounter();
  private readonly attachments: Json | undefined;
  private readonly models = new Map<string, Json>();
  private readonly unnamed: Json[] = [];
  private readonly tools = new Map<string, Json>();

  constructor(sample: JsonObject, evaluation: Json | undefined) {
    this.sample = sample;
    this.evaluation = evaluation;
    this.attachments = member(sample, "attachments");
    const events = member(sample, "events");
    for (const event of Array.isArray(events) ? events : []) {
      if (member(event, "event") === "model") {
        const id = stringMember(member(firstChoice(event), "message"), "id");
        if (id !== undefined) this.models.set(id, event);
        else this.unnamed.push(event);
      } else if (member(event, "event") === "tool") {
        const id = stringMember(event, "id");
        if (id !== undefined) this.tools.set(id, event);
      }
    }
  }

  read(): ImportedTrace {
    const { sample, unknown } = this;
    const name = `sample ${textOf(member(sample, "id")) ?? "?"} epoch ${textOf(member(sample, "epoch")) ?? "1"}`;
    const records: TraceRecord[] = [this.metadata(name)];
    const conversation = new Conversation(records);
    const messages = member(sample, "messages");
    if (Array.isArray(messages)) for (const message of messages) this.addMessage(message, conversation);
    else unknown.add("messages");
    const error = member(sample, "error");
    if (isObject(error))
      records.push(errorRecord({ source: "sdk", message: stringMember(error, "message") ?? "the sample failed" }));
    const notes = conversation.notes();
    return { records, entry: name, ...unknown.result(), ...(notes.length === 0 ? {} : { notes }) };
  }

  private metadata(name: string): TraceRecord {
    const { sample, evaluation } = this;
    const task = stringMember(evaluation, "task");
    const id = textOf(member(sample, "id"));
    const run = stringMember(evaluation, "run_id");
    return metadataRecord(stringMember(sample, "uuid") ?? [run, name].filter(Boolean).join("/"), {
      agent: stringMember(evaluation, "solver"),
      task,
      scenario_id: task === undefined || id === undefined ? id : `${task}/${id}`,
      trial: member(sample, "epoch"),
      model: stringMember(evaluation, "model"),
      labels: this.labels(),
    });
  }

  /** Each scorer's value: C for correct and I for incorrect, or a number. */
  private labels(): JsonObject | undefined {
    const scores = member(this.sample, "scores");
    if (!isObject(scores)) return undefined;
    return Object.fromEntries(Object.entries(scores).map(([name, score]) => [name, member(score, "value") ?? null]));
  }

  private addMessage(message: Json, conversation: Conversation): void {
    const role = member(message, "role");
    const content = this.resolve(member(message, "content"));
    if (role === "assistant" && member(message, "source") !== "input") this.respond(message, content, conversation);
    else if (role === "tool") this.addResult(message, content, conversation);
    else if (role === "user" || role === "system" || role === "assistant") conversation.say(role, plainText(content));
    else countRole(role, this.unknown);
  }

  private respond(message: Json, content: Json | undefined, conversation: Conversation): void {
    const event = this.eventOf(message);
    const output = member(event, "output");
    const sent = parseClock(member(event, "timestamp"));
    const clock = parseClock(member(event, "completed"));
    const seconds = numberMember(output, "time");
    const calls = parseCalls(member(message, "tool_calls"), this.unknown);
    const tools = member(event, "tools");
    const config = member(event, "config");
    conversation.respond({
      parts: [...parseParts(Array.isArray(content) ? content.map(reasoningText) : content, this.unknown), ...calls],
      model: stringMember(message, "model") ?? stringMember(output, "model"),
      stopReason: stopReason(stringMember(firstChoice(event), "stop_reason"), calls.length > 0),
      usage: inspectUsage(member(output, "usage")),
      clock,
      requestClock: sent,
      latencyMs: seconds === undefined ? elapsed(sent, clock) : Math.round(seconds * 1e6) / 1e3,
      tools: Array.isArray(tools) ? tools : undefined,
      params: isObject(config) && Object.keys(config).length > 0 ? config : undefined,
    });
  }

  /** By the message's id; messages of older logs have none, and are joined to the next event that answers the same. */
  private eventOf(message: Json): Json | undefined {
    const id = stringMember(message, "id");
    if (id !== undefined) return this.models.get(id);
    const found = this.unnamed.findIndex((event) => sameAnswer(member(firstChoice(event), "message"), message));
    return found < 0 ? undefined : this.unnamed.splice(0, found + 1).at(-1);
  }

  private addResult(message: Json, content: Json | undefined, conversation: Conversation): void {
    const callId = stringMember(message, "tool_call_id");
    const event = this.tools.get(callId ?? "");
    const error = member(message, "error");
    const failed = error !== undefined && error !== null;
    const empty = content === undefined || content === null || content === "";
    const clock = parseClock(member(event, "completed"));
    conversation.result({
      callId,
      output: failed && empty ? (stringMember(error, "message") ?? error) : plainText(content),
      isError: failed,
      errorType: stringMember(error, "type"),
      clock,
      latencyMs: elapsed(parseClock(member(event, "timestamp")), clock),
    });
  }

  /** `attachment://<hash>` stands for a text kept apart; one that is missing stays what it is. */
  private resolve(content: Json | undefined): Json | undefined {
    if (typeof content === "string") {
      if (!content.startsWith("attachment://")) return content;
      return member(this.attachments, content.slice("attachment://".length)) ?? content;
    }
    if (!Array.isArray(content)) return content;
    return content.map((part) => {
      const text = member(part, "text");
      return isObject(part) && typeof text === "string" ? { ...part, text: this.resolve(text) ?? text } : part;
    });
  }
}

/** Long texts stand apart in events and messages alike, under the same name. */
function sameAnswer(answer: Json | undefined, message: Json): boolean {
  return ["content", "tool_calls"].every(
    (key) => stringifyJson(member(answer, key) ?? null) === stringifyJson(member(message, key) ?? null),
  );
}

function firstChoice(event: Json | undefined): Json | undefined {
  const choices = member(member(event, "output"), "choices");
  return Array.isArray(choices) ? choices[0] : undefined;
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === "number" || typeof value === "bigint") return String(value);
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Inspect keeps a model's reasoning under `reasoning`; a redacted one has no text to show. */
function reasoningText(part: Json): Json {
  const reasoning = stringMember(part, "reasoning");
  return reasoning === undefined ? part : { type: "thinking", text: reasoning };
}

/** Whether cached tokens are part of the input count differs by provider; the total tells. */
function inspectUsage(usage: Json | undefined): JsonObject | undefined {
  const input = numberMember(usage, "input_tokens");
  const output = numberMember(usage, "output_tokens");
  const cached = numberMember(usage, "input_tokens_cache_read");
  const written = numberMember(usage, "input_tokens_cache_write");
  const thinking = numberMember(usage, "reasoning_tokens");
  const total = numberMember(usage, "total_tokens");
  const counted = total !== undefined && total === (input ?? 0) + (output ?? 0);
  return tokenUsage({
    input,
    output,
    cached,
    written,
    thinking,
    includedInput: counted ? (cached ?? 0) + (written ?? 0) : 0,
    includedOutput: thinking ?? 0,
  });
}
