/**
 * Gemini CLI sessions (`~/.gemini/tmp/<project>/chats`): one document in older versions, since then lines: a first one about the
 * session, one per message, `{$set: …}` for what changed and `{$rewindTo: id}`. A message is written again whenever its calls,
 * results or counts change, so the last line of an id counts, at the place of the first. A call holds its own result.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { parseParts, plainText } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, elapsed, errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { counted, UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { tokenUsage } from "@spoor/core/internal/providers/usage";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import {
  collectLines,
  type Format,
  type ImportedTrace,
  NOT_RECOGNISED,
  type Recognition,
  type Sample,
} from "./format.ts";
import { geminiResults, isFailedStatus } from "./gemini-parts.ts";

export const geminiCli: Format = {
  name: "gemini-cli",
  title: "Gemini CLI session",
  origin: "~/.gemini/tmp/<project>/chats/session-*.json and .jsonl, sub-agents in a folder of the session's name",
  tells: ["results", "errors", "times", "tokens"],
  marks: ["sessionId", "type", "messages", "$set"],
  recognise,
  readDocument: (document) => [readSession([document])],
  openLines: () => collectLines((lines) => [readSession(lines)]),
};

function recognise({ document, lines }: Sample): Recognition {
  const values = document === undefined ? (lines ?? []) : [document];
  const isSession = values.some((value) => stringMember(value, "sessionId") && stringMember(value, "projectHash"));
  const messages = values.flatMap((value) => messagesIn(value));
  const spoke = messages.some((message) => member(message, "type") === "gemini");
  if (!isSession && !spoke) return NOT_RECOGNISED;
  if (isSession && messages.length === 0) return { score: 0.7, has: ["sessionId", "projectHash"], lacks: ["messages"] };
  return { score: isSession ? 0.98 : 0.75, has: ["messages", ...(isSession ? ["sessionId", "projectHash"] : [])] };
}

const TYPES: ReadonlySet<Json | undefined> = new Set(["user", "gemini", "info", "error", "warning"]);

function isMessage(value: Json): value is JsonObject {
  return isObject(value) && stringMember(value, "id") !== undefined && TYPES.has(member(value, "type"));
}

/** The messages of a line or document: itself, or those it lists. */
function messagesIn(value: Json): JsonObject[] {
  if (isMessage(value)) return [value];
  const listed = member(member(value, "$set") ?? value, "messages");
  return Array.isArray(listed) ? listed.filter(isMessage) : [];
}

function readSession(lines: readonly Json[]): ImportedTrace {
  const unknown = new UnknownCounter();
  let facts: JsonObject = {};
  const messages = new Map<string, JsonObject>();
  let rewound = 0;
  for (const line of lines) {
    const found = messagesIn(line);
    for (const message of found) messages.set(stringMember(message, "id")!, message);
    const set = member(line, "$set");
    if (member(line, "$rewindTo") !== undefined) rewound++;
    else if (isObject(set)) facts = { ...facts, ...set };
    else if (stringMember(line, "sessionId") !== undefined) facts = { ...facts, ...(line as JsonObject) };
    else if (found.length === 0) unknown.add(`line: ${stringMember(line, "type") ?? "without a type"}`);
    countStrange(line, unknown);
  }
  const id = stringMember(facts, "sessionId");
  const start = parseClock(member(facts, "startTime"));
  const agent = member(facts, "kind") === "subagent" ? "gemini-cli sub-agent" : "gemini-cli";
  const records = [metadataRecord(id, { agent, session_id: id, project: stringMember(facts, "projectHash") }, start)];
  const session = new Session(records, unknown);
  for (const message of messages.values()) session.add(message);
  const notes = [
    ...session.conversation.notes(),
    ...(rewound === 0
      ? []
      : [`the session was rewound ${counted(rewound, "time")}; what happened before stays in the trace`]),
  ];
  return { records, ...unknown.result(), ...(notes.length === 0 ? {} : { notes }) };
}

function countStrange(line: Json, unknown: UnknownCounter): void {
  const listed = member(member(line, "$set") ?? line, "messages");
  if (!Array.isArray(listed)) return;
  for (const message of listed)
    if (!isMessage(message)) unknown.add(`message: ${stringMember(message, "type") ?? "without a type"}`);
}

class Session {
  readonly conversation: Conversation;
  private readonly records: TraceRecord[];
  private readonly unknown: UnknownCounter;
  private asked: Clock | undefined;

  constructor(records: TraceRecord[], unknown: UnknownCounter) {
    this.records = records;
    this.unknown = unknown;
    this.conversation = new Conversation(records);
  }

  add(message: JsonObject): void {
    const clock = parseClock(member(message, "timestamp"));
    const content = member(message, "content");
    switch (member(message, "type")) {
      case "user":
        this.conversation.say("user", plainText(parseParts(content, this.unknown)));
        this.asked = clock;
        break;
      case "gemini":
        this.respond(message, content, clock);
        break;
      case "error":
        this.records.push(errorRecord({ source: "llm", message: textOf(content) }, clock));
        break;
    }
  }

  private respond(message: JsonObject, content: Json | undefined, clock: Clock | undefined): void {
    const calls = listOf(member(message, "toolCalls"));
    const named = calls.filter((call) => stringMember(call, "name") !== undefined);
    if (named.length < calls.length) this.unknown.add("tool call without a name", calls.length - named.length);
    const uses = named.map((call, index) => ({
      call,
      id: stringMember(call, "id") ?? `${stringMember(message, "id")}#${index}`,
    }));
    this.conversation.respond({
      parts: [
        ...listOf(member(message, "thoughts")).map(thinking),
        ...parseParts(content, this.unknown),
        ...uses.map(({ call, id }) =>
          present({ type: "tool_use", id, name: stringMember(call, "name"), input: member(call, "args") }),
        ),
      ],
      model: stringMember(message, "model"),
      usage: usageOf(member(message, "tokens")),
      clock,
      requestClock: this.asked,
      latencyMs: elapsed(this.asked, clock) || undefined,
    });
    for (const { call, id } of uses) this.addResult(call, id, clock);
  }

  /** A call without status or result was still running, or waited for a person. */
  private addResult(call: Json, callId: string, answered: Clock | undefined): void {
    const status = member(call, "status");
    const [result] = geminiResults(member(call, "result"));
    if (result === undefined && status !== "success" && !isFailedStatus(status)) return;
    const clock = parseClock(member(call, "timestamp"));
    const shown = member(call, "resultDisplay");
    this.conversation.result({
      callId,
      output: result?.output ?? (typeof shown === "string" ? shown : undefined),
      isError: isFailedStatus(status) || result?.failed === true,
      errorType: status === "cancelled" ? "cancelled" : undefined,
      clock: clock !== undefined && answered !== undefined && clock.ms < answered.ms ? undefined : clock,
    });
    this.asked = clock ?? this.asked;
  }
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

function thinking(thought: Json): JsonObject {
  const texts = [stringMember(thought, "subject"), stringMember(thought, "description")];
  return { type: "thinking", text: texts.filter((text) => text !== undefined).join(": ") };
}

function textOf(content: Json | undefined): string | undefined {
  return typeof content === "string" ? content : undefined;
}

/** The input count holds the cached tokens, unless the total says that they come on top; thoughts are counted beside the output. */
function usageOf(tokens: Json | undefined): JsonObject | undefined {
  const [input, output, cached, thoughts, tool] = ["input", "output", "cached", "thoughts", "tool"].map((key) =>
    numberMember(tokens, key),
  );
  const all = [input, output, cached, thoughts, tool].reduce<number>((sum, count) => sum + (count ?? 0), 0);
  return tokenUsage({
    input,
    output,
    cached,
    written: undefined,
    thinking: thoughts,
    includedInput: numberMember(tokens, "total") === all ? 0 : (cached ?? 0),
    includedOutput: 0,
  });
}
