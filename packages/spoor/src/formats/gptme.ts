/**
 * gptme conversations (`conversation.jsonl`): a message per line with a clock, the model's usage under `metadata`. Calls stand
 * in the text of an answer: as a fenced block whose language is one of its tools, as `<tool-use>`, or as `@tool(id): {…}`. The messages of role system or
 * tool that follow are the results, by their `call_id` or in order; nothing says whether one failed.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { countRole } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, namesZone, parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseCount, tokenUsage } from "@spoor/core/internal/providers/usage";
import { member, stringMember } from "@spoor/core/internal/trace/json";
import { type Format, type ImportedTrace, type LineReader, NOT_RECOGNISED, type Sample } from "./format.ts";
import { parseGptmeText } from "./gptme-text.ts";

export const gptme: Format = {
  name: "gptme",
  title: "gptme conversation",
  origin: "~/.local/share/gptme/logs/*/conversation.jsonl",
  tells: ["results", "times", "tokens", "requests"],
  marks: ["timestamp"],
  recognise,
  openLines: () => new GptmeConversation(),
};

const ROLES = new Set(["system", "user", "assistant", "tool"]);
const NONE: readonly never[] = [];

function recognise({ document, lines = [] }: Sample) {
  if (document !== undefined || lines.length < 2) return NOT_RECOGNISED;
  const fits = lines.every(
    (line) =>
      ROLES.has(stringMember(line, "role") ?? "") &&
      typeof member(line, "content") === "string" &&
      typeof member(line, "timestamp") === "string" &&
      member(line, "tool_calls") === undefined,
  );
  const own = lines.some(
    (line) =>
      ["pinned", "hide", "call_id"].some((key) => member(line, key) !== undefined) ||
      stringMember(member(line, "metadata"), "model") !== undefined,
  );
  return fits && own ? { score: 0.85, has: ["role", "content", "timestamp"] } : NOT_RECOGNISED;
}

class GptmeConversation implements LineReader {
  private readonly unknown = new UnknownCounter();
  private readonly records: TraceRecord[] = [metadataRecord(undefined, { agent: "gptme" })];
  private readonly conversation = new Conversation(this.records);
  private open: readonly string[] = NONE;
  private calls = 0;
  private zoneless = false;

  line(line: Json): void {
    // Shown to the user only.
    if (member(line, "ui_only") === true) return;
    const role = stringMember(line, "role");
    const content = stringMember(line, "content") ?? "";
    const timestamp = member(line, "timestamp");
    const clock = parseClock(timestamp);
    if (clock !== undefined && !namesZone(timestamp)) this.zoneless = true;
    if (role === "assistant") this.respond(line, content, clock);
    else if (role === "tool" || (role === "system" && this.answers(line))) this.result(line, content, clock);
    else if (role === "system" || role === "user") this.conversation.say(role, content);
    else countRole(role, this.unknown);
    if (role === "user") this.open = NONE;
  }

  /** A tool may say several things; only the first is its result. */
  private answers(line: Json): boolean {
    const named = stringMember(line, "call_id");
    return named === undefined ? this.open.length > 0 : this.open.includes(named);
  }

  finish(): ImportedTrace[] {
    const notes = [
      ...(this.zoneless ? ["the clock names no time zone; it is read as UTC"] : []),
      ...this.conversation.notes(),
    ];
    return [
      {
        records: this.records,
        ...this.unknown.result(),
        ...(notes.length === 0 ? {} : { notes }),
      },
    ];
  }

  private respond(line: Json, content: string, clock: Clock | undefined): void {
    const metadata = member(line, "metadata");
    const { text, thoughts, calls: written } = parseGptmeText(content);
    const calls = written.map(({ id, name, input }) => {
      const block = `block-${this.calls++}`;
      return { type: "tool_use", id: id ?? block, name, input };
    });
    this.open = calls.map(({ id }) => id);
    const said = text === "" ? calls : [{ type: "text", text }, ...calls];
    this.conversation.respond({
      parts: thoughts.length === 0 ? said : [...thoughts.map((text) => ({ type: "thinking", text })), ...said],
      model: stringMember(metadata, "model"),
      usage: usageOf(member(metadata, "usage")),
      clock,
      sequential: true,
    });
  }

  private result(line: Json, output: string, clock: Clock | undefined): void {
    const named = stringMember(line, "call_id");
    const callId = named ?? this.open[0];
    const isOnly = this.open.length === 1 && this.open[0] === callId;
    this.open = isOnly ? NONE : this.open.filter((id) => id !== callId);
    this.conversation.result({ callId, output, isError: false, clock });
  }
}

/** Cached tokens are counted beside the input, as Anthropic does. */
function usageOf(usage: Json | undefined): JsonObject | undefined {
  const thinking = parseCount(member(usage, "reasoning_tokens"));
  return tokenUsage({
    input: parseCount(member(usage, "input_tokens")),
    output: parseCount(member(usage, "output_tokens")),
    cached: parseCount(member(usage, "cache_read_tokens")),
    written: parseCount(member(usage, "cache_creation_tokens")),
    thinking,
    includedInput: 0,
    includedOutput: thinking ?? 0,
  });
}
