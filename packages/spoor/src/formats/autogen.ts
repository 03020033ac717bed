/**
 * AutoGen's messages and events (agentchat 0.4 and later): `TextMessage`, `ToolCallRequestEvent`, `ToolCallExecutionEvent`, code that was
 * written and run; of a run's result, a stream, a team's saved state, or the context that an agent keeps for its model.
 */
import type { Json, JsonObject } from "@spoor/core";
import { namedCalls } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { isObject, member, numberMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { AgentLanes } from "./agent-lanes.ts";
import { type AutogenChat, autogenChat, readAutogenChat } from "./autogen-chat.ts";
import { collectLines, type Format, type ImportedTrace, type Sample } from "./format.ts";
import { messageListFormat } from "./message-list.ts";

const messagesAndEvents = messageListFormat({
  name: "autogen",
  title: "AutoGen messages",
  origin:
    "[m.model_dump(mode='json') for m in result.messages], run_stream, save_state() of an agent; 0.2 and AG2: chat_history of a ChatResult",
  tells: ["results", "errors", "times", "tokens", "sub-agents", "requests"],
  places: ["messages", "llm_context.messages", "agent_state.llm_context.messages", "message_thread"],
  messageMarks: ["type"],
  has: ["type", "source", "content"],
  fits: (message) => TYPE.test(stringMember(message, "type") ?? ""),
  isOwn: (message) =>
    /^(?:Text|Assistant|MultiModal)Message$|^ToolCall|^User/.test(stringMember(message, "type") ?? ""),
  read: (messages) => new AutogenRun().read(messages),
});

/** Chats of version 0.2 and of AG2 are lists of another shape. */
export const autogen: Format = {
  ...messagesAndEvents,
  marks: [...messagesAndEvents.marks!, "chat_history", "role"],
  recognise: (sample) =>
    chatsOf(sample).length > 0
      ? { score: 0.93, has: ["chat_history", "name", "tool_responses"] }
      : messagesAndEvents.recognise(sample),
  readDocument: (document, context) => {
    const chats = chatsOf({ document });
    return chats.length === 0 ? messagesAndEvents.readDocument!(document, context) : readChats(chats);
  },
  openLines: (context) =>
    collectLines((lines) => {
      const chats = chatsOf({ lines });
      if (chats.length > 0) return readChats(chats);
      const reader = messagesAndEvents.openLines!(context);
      for (const [index, line] of lines.entries()) reader.line(line, index + 1);
      return reader.finish();
    }),
};

function chatsOf({ document, lines = [] }: Sample): AutogenChat[] {
  const value = document ?? (lines.length === 1 ? lines[0]! : lines);
  const one = autogenChat(value);
  if (one !== undefined) return [one];
  const several = Array.isArray(value) ? value.map((item: Json) => autogenChat(item)) : [];
  return several.every((chat) => chat !== undefined) ? several : [];
}

function readChats(chats: readonly AutogenChat[]): ImportedTrace[] {
  return chats.map((chat, index) => ({
    ...(chats.length === 1 ? {} : { entry: `chat ${index + 1}` }),
    ...readAutogenChat(chat),
  }));
}

const TYPE =
  /^(?:(?:Text|MultiModal|Stop|Handoff|ToolCallSummary|System|User|Assistant|FunctionExecutionResult)Message|StructuredMessage.*|[A-Z]\w+Event)$/;
/** About the run, or pieces of what follows whole. */
const QUIET = /^(?:ModelClientStreamingChunk|UserInputRequested|SelectSpeaker|Selector|MemoryQuery)Event$/;

class AutogenRun {
  private readonly unknown = new UnknownCounter();
  private readonly lanes = new AgentLanes();
  /** What an agent thought before it spoke or called. */
  private readonly thoughts = new Map<string, string>();
  private runs = 0;

  read(messages: readonly Json[]): ImportedTrace {
    for (const message of messages) this.add(message);
    const notes = this.lanes.notes();
    const { main } = this.lanes;
    return {
      records: [metadataRecord(stringMember(messages[0], "id"), { agent: main || undefined }), ...this.lanes.records],
      ...this.unknown.result(),
      ...(notes.length === 0 ? {} : { notes }),
    };
  }

  private add(message: Json): void {
    const type = stringMember(message, "type") ?? "";
    const source = stringMember(message, "source") ?? this.lanes.main ?? "";
    const content = member(message, "content");
    const clock = parseClock(member(message, "created_at"));
    if (QUIET.test(type)) return;
    if (type === "SystemMessage") this.lanes.tellAll({ role: "system", content: content ?? "" });
    else if (type === "UserMessage") this.say(source, content);
    else if (type === "ThoughtEvent") this.thoughts.set(source, text(content));
    else if (type === "ToolCallRequestEvent") this.respond(message, source, this.calls(content), clock);
    else if (type === "AssistantMessage") {
      const thought = stringMember(message, "thought");
      if (thought !== undefined) this.thoughts.set(source, thought);
      this.respond(message, source, Array.isArray(content) ? this.calls(content) : textParts(content), clock);
    } else if (type === "ToolCallExecutionEvent" || type === "FunctionExecutionResultMessage") {
      for (const result of Array.isArray(content) ? content : []) this.result(source, result, clock);
    } else if (type === "CodeGenerationEvent") this.generated(message, source, clock);
    else if (type === "CodeExecutionEvent") this.executed(message, source, clock);
    else if (type === "ToolCallSummaryMessage" || type === "HandoffMessage") this.passOn(source, content);
    else if (/Message/.test(type)) this.spoken(message, source, content, clock);
    else this.unknown.add(type || "message without a type");
  }

  /** Whoever is named like a user is one; everybody else is an agent. */
  private spoken(message: Json, source: string, content: Json | undefined, clock: Clock | undefined): void {
    const isUser = /^user/i.test(source) && !isObject(member(message, "models_usage"));
    if (isUser) {
      this.say(source, content);
      return;
    }
    this.respond(message, source, textParts(content), clock);
    this.lanes.tellAll({ role: "user", content: text(content) }, source);
  }

  private say(source: string, content: Json | undefined): void {
    this.lanes.tellAll({ role: "user", content: content ?? "" }, source);
  }

  /** What a tool returned, or that another agent goes on: nothing that a model said. */
  private passOn(source: string, content: Json | undefined): void {
    this.lanes.of(source).recall({ role: "assistant", content: content ?? "" });
    this.lanes.tellAll({ role: "user", content: content ?? "" }, source);
  }

  private respond(message: Json, source: string, parts: readonly JsonObject[], clock: Clock | undefined): void {
    const thought = this.thoughts.get(source);
    this.thoughts.delete(source);
    this.lanes.of(source).respond({
      parts: thought ? [{ type: "thinking", text: thought }, ...parts] : parts,
      usage: parseUsage(member(message, "models_usage")),
      clock,
    });
  }

  private calls(content: Json | undefined): JsonObject[] {
    return namedCalls((Array.isArray(content) ? content : []).filter(isObject), this.unknown);
  }

  private result(source: string, result: Json, clock: Clock | undefined): void {
    const callId = stringMember(result, "call_id");
    const isError = member(result, "is_error") === true;
    this.lanes.of(source).result({ callId, output: member(result, "content"), isError, clock });
  }

  /** Code in an answer is run as it stands: that is a call. */
  private generated(message: Json, source: string, clock: Clock | undefined): void {
    const blocks = member(message, "code_blocks");
    const call = {
      type: "tool_use",
      id: `code-${this.runs}`,
      name: "code_executor",
      input: { code_blocks: blocks ?? [] },
    };
    const isCode = Array.isArray(blocks) && blocks.length > 0;
    this.respond(message, source, [...textParts(member(message, "content")), ...(isCode ? [call] : [])], clock);
  }

  private executed(message: Json, source: string, clock: Clock | undefined): void {
    const result = member(message, "result");
    const output = member(result, "output") ?? result;
    this.lanes.of(source).result({
      callId: `code-${this.runs++}`,
      output,
      isError: (numberMember(result, "exit_code") ?? 0) !== 0,
      clock,
    });
  }
}

function text(content: Json | undefined): string {
  return typeof content === "string" ? content : content === undefined ? "" : stringifyJson(content);
}

function textParts(content: Json | undefined): JsonObject[] {
  const said = text(content);
  return said === "" ? [] : [{ type: "text", text: said }];
}
