/**
 * pi sessions: `session`, then `message` lines with the roles user, assistant, toolResult and bashExecution, and lines for
 * changes of model and compactions. A message's own clock (ms) is when it began, the line's when it was complete.
 * An aborted response may have no content at all; it is a turn all the same.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { countRole, parseParts, plainText, toolUse } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, elapsed, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import {
  type Format,
  type ImportedTrace,
  type LineReader,
  NOT_RECOGNISED,
  type Recognition,
  type Sample,
} from "./format.ts";

export const pi: Format = {
  name: "pi",
  title: "pi session",
  origin: "sessions of the pi coding agent (~/.pi/agent/sessions/**/*.jsonl)",
  tells: ["results", "errors", "times", "tokens"],
  marks: ["type"],
  recognise,
  openLines: () => new PiSession(),
};

function recognise(sample: Sample): Recognition {
  const lines = sample.lines ?? [];
  const session = lines.some(
    (line) =>
      member(line, "type") === "session" &&
      stringMember(line, "id") !== undefined &&
      Object.hasOwn(line as JsonObject, "cwd"),
  );
  const message = lines.some(
    (line) =>
      member(line, "type") === "message" &&
      isObject(member(line, "message")) &&
      !Object.hasOwn(line as JsonObject, "sessionId"),
  );
  if (!session && !message) return NOT_RECOGNISED;
  return {
    score: session && message ? 0.97 : session ? 0.75 : 0.7,
    has: ["type", ...(message ? ["message"] : ["cwd"])],
  };
}

const QUIET_TYPES = new Set(["thinking_level_change", "model_change", "label", "session_info", "custom"]);

class PiSession implements LineReader {
  private readonly unknown = new UnknownCounter();
  private readonly records: TraceRecord[] = [];
  private readonly conversation = new Conversation(this.records);
  private session: Json | undefined;

  line(line: Json): void {
    const type = stringMember(line, "type");
    if (type === "session") this.session ??= line;
    else if (type === "message") this.addMessage(member(line, "message"), parseClock(member(line, "timestamp")));
    else if (type === "compaction" || type === "branch_summary") this.compact(line, type);
    else if (type === "custom_message") this.conversation.say("user", plainText(member(line, "content")));
    else if (type === undefined || !QUIET_TYPES.has(type)) this.unknown.add(type ?? "line without a type");
  }

  finish(): ImportedTrace[] {
    const { session } = this;
    const id = stringMember(session, "id");
    const payload = { agent: "pi", session_id: id, cwd: stringMember(session, "cwd") };
    const metadata = metadataRecord(id, payload, parseClock(member(session, "timestamp")));
    return [{ records: [metadata, ...this.records], ...this.unknown.result() }];
  }

  private addMessage(message: Json | undefined, written: Clock | undefined): void {
    const role = member(message, "role");
    const content = member(message, "content");
    const began = parseClock(member(message, "timestamp"));
    if (role === "assistant") this.respond(message, began, written);
    else if (role === "toolResult") {
      this.conversation.result({
        callId: stringMember(message, "toolCallId"),
        output: plainText(content),
        isError: member(message, "isError") === true,
        clock: began ?? written,
      });
    } else if (role === "user" || role === "custom") this.conversation.say("user", plainText(content));
    else if (role === "bashExecution") this.conversation.say("user", commandText(message));
    else countRole(role, this.unknown);
  }

  private respond(message: Json | undefined, began: Clock | undefined, written: Clock | undefined): void {
    const stop = stringMember(message, "stopReason");
    const error = stringMember(message, "errorMessage");
    this.conversation.respond({
      parts: this.parseContent(member(message, "content")),
      model: stringMember(message, "model"),
      stopReason: stop === undefined ? undefined : (STOP_REASONS.get(stop) ?? stop),
      usage: piUsage(member(message, "usage"), stop),
      clock: written ?? began,
      requestClock: began,
      latencyMs: elapsed(began, written) || undefined,
      extra: error === undefined ? undefined : { error: { message: error } },
    });
  }

  private parseContent(content: Json | undefined): JsonObject[] {
    if (!Array.isArray(content)) return parseParts(content, this.unknown);
    return content.flatMap((part) => {
      if (member(part, "type") !== "toolCall") return parseParts([part], this.unknown);
      return [toolUse(stringMember(part, "id"), stringMember(part, "name") ?? "", member(part, "arguments"))];
    });
  }

  /** What came before is cut away and replaced by its summary. */
  private compact(line: Json, type: string): void {
    if (type === "compaction") this.conversation.restart();
    const summary = stringMember(line, "summary");
    if (summary !== undefined) this.conversation.say("user", summary);
  }
}

const STOP_REASONS: ReadonlyMap<string, string> = new Map([
  ["stop", "end_turn"],
  ["toolUse", "tool_use"],
  ["length", "max_tokens"],
]);

/** Zeros of a response that was cut off before anything was counted are no measurement. */
function piUsage(usage: Json | undefined, stop: string | undefined): JsonObject | undefined {
  const input = numberMember(usage, "input");
  const output = numberMember(usage, "output");
  const cached = numberMember(usage, "cacheRead");
  const written = numberMember(usage, "cacheWrite");
  if (input === undefined && output === undefined) return undefined;
  if ((stop === "aborted" || stop === "error") && !input && !output && !cached && !written) return undefined;
  return present({
    input_tokens: input,
    output_tokens: output,
    cached_input_tokens: cached || undefined,
    cached_write_5m_tokens: written || undefined,
  });
}

/** A command the user ran in the session; the model sees it with what it printed. */
function commandText(message: Json | undefined): string {
  return `$ ${stringMember(message, "command") ?? ""}\n${stringMember(message, "output") ?? ""}`;
}
