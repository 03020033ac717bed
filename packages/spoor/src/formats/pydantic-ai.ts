/**
 * Pydantic AI's messages (`all_messages_json`): requests and responses, each a list of parts that say in `part_kind` what they
 * are. Results and retries travel in the next request; a retry that names a tool is that tool's failed result.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { namedCalls, plainText } from "@spoor/core/internal/providers/chat-parts";
import { parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { stopReason } from "@spoor/core/internal/providers/stop-reason";
import { parseCount, tokenUsage } from "@spoor/core/internal/providers/usage";
import { firstMember } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import type { ImportedTrace } from "./format.ts";
import { messageListFormat } from "./message-list.ts";

export const pydanticAi = messageListFormat({
  name: "pydantic-ai",
  title: "Pydantic AI messages",
  origin: "result.all_messages_json(), ModelMessagesTypeAdapter.dump_json(messages)",
  tells: ["results", "errors", "times", "tokens", "requests"],
  places: ["messages", "all_messages", "message_history"],
  messageMarks: ["kind"],
  has: ["kind", "parts"],
  fits: isMessage,
  isOwn: isMessage,
  read: (messages) => new PydanticRun().read(messages),
});

function isMessage(message: Json): boolean {
  const kind = member(message, "kind");
  const parts = member(message, "parts");
  if ((kind !== "request" && kind !== "response") || !Array.isArray(parts)) return false;
  return parts.every((part) => stringMember(part, "part_kind") !== undefined);
}

class PydanticRun {
  private readonly unknown = new UnknownCounter();
  private readonly records: TraceRecord[] = [];
  private readonly conversation = new Conversation(this.records);
  private instructions: string | undefined;

  read(messages: readonly Json[]): ImportedTrace {
    for (const message of messages) {
      const parts = member(message, "parts");
      const list: readonly Json[] = Array.isArray(parts) ? parts : [];
      if (member(message, "kind") === "response") this.response(message, list);
      else if (member(message, "kind") === "request") this.request(message, list);
      else this.unknown.add("message of an unknown kind");
    }
    const id = stringMember(messages[0], "conversation_id") ?? stringMember(messages[0], "run_id");
    const notes = this.conversation.notes();
    return {
      records: [metadataRecord(id, {}), ...this.records],
      ...this.unknown.result(),
      ...(notes.length === 0 ? {} : { notes }),
    };
  }

  private request(message: Json, parts: readonly Json[]): void {
    const instructions = stringMember(message, "instructions");
    // They stand in every request; only a change is news.
    if (instructions !== undefined && instructions !== this.instructions) this.conversation.say("system", instructions);
    this.instructions = instructions ?? this.instructions;
    for (const part of parts) {
      const kind = stringMember(part, "part_kind") ?? "";
      if (kind === "system-prompt") this.conversation.say("system", member(part, "content"));
      else if (kind === "user-prompt") this.conversation.say("user", promptOf(member(part, "content")));
      else if (RETURNS.has(kind)) this.result(part, isFailed(part));
      else if (kind === "retry-prompt" && stringMember(part, "tool_name") !== undefined) this.result(part, true);
      else if (kind === "retry-prompt") this.conversation.say("user", retryText(member(part, "content")));
      else this.unknown.add(`part ${kind}`);
    }
  }

  private response(message: Json, parts: readonly Json[]): void {
    const own = parts.filter((part) => !RETURNS.has(stringMember(part, "part_kind") ?? ""));
    const spoken = own.flatMap((part) => this.parsePart(part));
    const clock = parseClock(member(message, "timestamp"));
    this.conversation.respond({
      parts: spoken,
      model: stringMember(message, "model_name"),
      usage: usageOf(member(message, "usage")),
      stopReason: stopReason(
        stringMember(message, "finish_reason"),
        spoken.some((part) => part["type"] === "tool_use"),
      ),
      clock,
    });
    // Tools that the provider runs answer within the response.
    for (const part of parts) if (RETURNS.has(stringMember(part, "part_kind") ?? "")) this.result(part, isFailed(part));
  }

  private parsePart(part: Json): JsonObject[] {
    const kind = stringMember(part, "part_kind") ?? "";
    const content = stringMember(part, "content") ?? "";
    switch (kind) {
      case "text":
        return content === "" ? [] : [{ type: "text", text: content }];
      case "thinking":
        return [{ type: "thinking", text: content }];
      case "tool-call":
      case "builtin-tool-call": {
        if (!isObject(part)) return [];
        if (!Object.hasOwn(part, "id")) return namedCalls([part], this.unknown);
        const { id: _id, ...call } = part;
        return namedCalls([call], this.unknown);
      }
      case "file":
      case "compaction":
        return [{ type: "generic", ...(part as JsonObject) }];
      default:
        this.unknown.add(`part ${kind}`);
        return [];
    }
  }

  private result(part: Json, isError: boolean): void {
    const content = member(part, "content");
    this.conversation.result({
      callId: stringMember(part, "tool_call_id"),
      output: isError ? retryText(content) : content,
      isError,
      refused: member(part, "outcome") === "denied",
      clock: parseClock(member(part, "timestamp")),
      // What the provider ran is stamped when the response arrives: how long it took nobody says.
      latencyMs: member(part, "part_kind") === "builtin-tool-return" ? null : undefined,
    });
  }
}

const RETURNS = new Set(["tool-return", "builtin-tool-return"]);

/** Since version 1.4 a return says how it went; "retried" is a failure that the model was told of. */
function isFailed(part: Json): boolean {
  const outcome = stringMember(part, "outcome");
  return outcome !== undefined && outcome !== "success";
}

/** Texts and media; a list of nothing but texts is one text. */
function promptOf(content: Json | undefined): Json | undefined {
  if (!Array.isArray(content)) return content;
  return plainText(content.map((item: Json) => (typeof item === "string" ? { type: "text", text: item } : item)));
}

/** What did not pass validation is told as a list of errors. */
function retryText(content: Json | undefined): Json | undefined {
  return Array.isArray(content) ? stringifyJson(content) : content;
}

/** Input counts include cached tokens, output counts reasoning; before version 1 they had other names. */
function usageOf(usage: Json | undefined): JsonObject | undefined {
  const count = (...keys: readonly string[]) => parseCount(firstMember(usage, keys));
  const details = member(usage, "details");
  const cached = count("cache_read_tokens") ?? parseCount(member(details, "cached_tokens"));
  const written = count("cache_write_tokens");
  const thinking = count("output_reasoning_tokens") || parseCount(member(details, "reasoning_tokens"));
  const input = count("input_tokens", "request_tokens");
  const output = count("output_tokens", "response_tokens");
  // An empty usage is written as zeros.
  if (!input && !output) return undefined;
  return tokenUsage({
    input,
    output,
    cached,
    written,
    thinking,
    includedInput: (cached ?? 0) + (written ?? 0),
    includedOutput: thinking ?? 0,
  });
}
