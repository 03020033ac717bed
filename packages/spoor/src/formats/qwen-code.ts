/**
 * Qwen Code sessions (`~/.qwen`): lines in Claude Code's envelope with Gemini's messages inside. A response is one line with its
 * `parts`; results come as lines of their own, whose `toolCallResult` says whether the call succeeded.
 */
import type { Json, TraceRecord } from "@spoor/core";
import { parseParts, plainText } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, elapsed, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";
import {
  type Format,
  type ImportedTrace,
  type LineReader,
  NOT_RECOGNISED,
  type Recognition,
  type Sample,
} from "./format.ts";
import { geminiResults, isFailedStatus } from "./gemini-parts.ts";

export const qwenCode: Format = {
  name: "qwen-code",
  title: "Qwen Code session",
  origin: "~/.qwen/projects/<project>/chats/*.jsonl (older: ~/.qwen/tmp/<project>/chats)",
  tells: ["results", "errors", "times", "tokens"],
  marks: ["sessionId"],
  recognise,
  openLines: () => new QwenSession(),
};

function recognise({ lines = [] }: Sample): Recognition {
  const own = lines.some(
    (line) =>
      stringMember(line, "sessionId") !== undefined &&
      SPOKEN.has(member(line, "type")) &&
      Array.isArray(member(member(line, "message"), "parts")),
  );
  return own ? { score: 0.98, has: ["sessionId", "message", "parts"] } : NOT_RECOGNISED;
}

const SPOKEN: ReadonlySet<Json | undefined> = new Set(["user", "assistant", "tool_result"]);

class QwenSession implements LineReader {
  private readonly unknown = new UnknownCounter();
  private readonly records: TraceRecord[] = [];
  private readonly conversation = new Conversation(this.records);
  private first: Json | undefined;
  private asked: Clock | undefined;

  line(line: Json): void {
    this.first ??= stringMember(line, "sessionId") === undefined ? undefined : line;
    const type = member(line, "type");
    const clock = parseClock(member(line, "timestamp"));
    const parts = member(member(line, "message"), "parts");
    if (SPOKEN.has(type) && !Array.isArray(parts)) this.unknown.add(`${String(type)} without parts`);
    else if (type === "user") this.conversation.say("user", plainText(parseParts(parts, this.unknown)));
    else if (type === "assistant") this.respond(line, parts, clock);
    else if (type === "tool_result") this.addResults(line, parts, clock);
    else if (type === "system") this.addSystem(line, clock);
    else this.unknown.add(typeof type === "string" ? type : "line without a type");
    if (type !== "system" && clock !== undefined) this.asked = clock;
  }

  finish(): ImportedTrace[] {
    const id = stringMember(this.first, "sessionId");
    const facts = {
      agent: "qwen-code",
      session_id: id,
      version: stringMember(this.first, "version"),
      cwd: stringMember(this.first, "cwd"),
      git_branch: stringMember(this.first, "gitBranch"),
    };
    const metadata = metadataRecord(id, facts, parseClock(member(this.first, "timestamp")));
    const notes = this.conversation.notes();
    return [
      { records: [metadata, ...this.records], ...this.unknown.result(), ...(notes.length === 0 ? {} : { notes }) },
    ];
  }

  private respond(line: Json, parts: Json | undefined, clock: Clock | undefined): void {
    this.conversation.respond({
      parts: parseParts(parts, this.unknown),
      model: stringMember(line, "model"),
      usage: parseUsage(member(line, "usageMetadata")),
      clock,
      requestClock: this.asked,
      latencyMs: elapsed(this.asked, clock) || undefined,
    });
  }

  private addResults(line: Json, parts: Json | undefined, clock: Clock | undefined): void {
    const told = member(line, "toolCallResult");
    const status = member(told, "status");
    const results = geminiResults(parts);
    if (results.length === 0) this.unknown.add("tool result without a response");
    for (const { callId, output, failed } of results) {
      this.conversation.result({
        callId: callId ?? stringMember(told, "callId"),
        output,
        isError: failed || isFailedStatus(status),
        errorType: status === "cancelled" ? "cancelled" : undefined,
        clock,
      });
    }
  }

  /** Approvals, telemetry and commands of the user are no messages; a compressed history begins anew. */
  private addSystem(line: Json, clock: Clock | undefined): void {
    if (member(line, "subtype") !== "chat_compression") return;
    this.conversation.restart(clock);
    const kept = member(member(line, "systemPayload"), "compressedHistory");
    for (const message of Array.isArray(kept) ? kept : []) {
      const content = plainText(parseParts(member(message, "parts"), this.unknown));
      if (isObject(message))
        this.conversation.recall({
          role: stringMember(message, "role") === "model" ? "assistant" : "user",
          content: content ?? "",
        });
    }
  }
}
