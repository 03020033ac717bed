/**
 * opencode: its database, what `opencode export` writes (`{info, messages: [{info, parts}]}`), the messages alone as its server gives them, the
 * server's events, and what `opencode run --format json` prints, one part per line. A message of the assistant holds one or
 * more steps, each begun by `step-start` and counted by `step-finish`; a step is a turn. A tool's part holds call and result.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { countRole, parseParts, plainText } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation, elapsed, errorRecord, metadataRecord } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { stopReason } from "@spoor/core/internal/providers/stop-reason";
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
import { isOpencodeDatabase, sessionsOfDatabase } from "./opencode-database.ts";
import { isServerEvent, sessionsOfEvents, type ToldSession } from "./opencode-events.ts";

export const opencode: Format = {
  name: "opencode",
  title: "opencode session",
  origin:
    "~/.local/share/opencode/opencode.db, opencode export SESSION > session.json, opencode run --format json, GET /session/<id>/message and GET /event of opencode serve",
  tells: ["results", "errors", "times", "tokens"],
  marks: ["info", "sessionID", "type", "payload"],
  recognise,
  readDocument,
  openLines: () => collectLines((lines) => (lines.some(isServerEvent) ? readEvents(lines) : [readStream(lines)])),
  readDatabase: (database, context) => readSessions(sessionsOfDatabase(database, context)),
};

function recognise({ document, lines, tables }: Sample): Recognition {
  if (tables !== undefined)
    return isOpencodeDatabase(tables) ? { score: 0.97, has: ["session", "message", "part"] } : NOT_RECOGNISED;
  const first = listOf(member(document, "messages")).find(isObject);
  if (isObject(member(document, "info")) && isMessage(first))
    return { score: 0.97, has: ["info", "messages", "parts"] };
  if (Array.isArray(document) && isMessage(document.find(isObject))) return { score: 0.97, has: ["info", "parts"] };
  const told = Array.isArray(document) ? document : document === undefined ? (lines ?? []) : [];
  if (told.some(isServerEvent)) return { score: 0.97, has: ["type", "properties"] };
  const printed = (lines ?? []).some(
    (line) =>
      stringMember(line, "sessionID") !== undefined && stringMember(member(line, "part"), "messageID") !== undefined,
  );
  return printed ? { score: 0.97, has: ["sessionID", "part"] } : NOT_RECOGNISED;
}

function isMessage(value: Json | undefined): boolean {
  const info = member(value, "info");
  return isObject(info) && typeof member(info, "role") === "string" && Array.isArray(member(value, "parts"));
}

function readDocument(document: Json): ImportedTrace[] {
  if (!Array.isArray(document)) return [readSession(member(document, "info"), listOf(member(document, "messages")))];
  if (document.some(isServerEvent)) return readEvents(document);
  const id = stringMember(member(document.find(isMessage), "info"), "sessionID");
  return [readSession(present({ id }), document)];
}

/** Sub-agents have sessions of their own; each is a trace. */
function readEvents(events: readonly Json[]): ImportedTrace[] {
  const unknown = new UnknownCounter();
  return readSessions(sessionsOfEvents(events, unknown), unknown);
}

function readSessions(sessions: readonly ToldSession[], unknown = new UnknownCounter()): ImportedTrace[] {
  return sessions.map(({ info, messages, errors }, index) => {
    const read = readSession(info, messages, index === 0 ? unknown : new UnknownCounter());
    const failures = errors.map((error) => errorRecord({ source: "sdk", message: errorText(error) }));
    const entry = sessions.length === 1 ? {} : { entry: stringMember(info, "title") || stringMember(info, "id") || "" };
    return { ...read, records: [...read.records, ...failures], ...entry };
  });
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : [];
}

/** Parts of one message after the other are one message of the assistant; the stream does not repeat what was asked. */
function readStream(lines: readonly Json[]): ImportedTrace {
  const messages: { info: JsonObject; parts: Json[] }[] = [];
  const unknown = new UnknownCounter();
  const errors: Json[] = [];
  for (const line of lines) {
    const part = member(line, "part");
    const id = stringMember(part, "messageID");
    if (member(line, "type") === "error") errors.push(line);
    else if (!isObject(part) || id === undefined)
      unknown.add(`line: ${stringMember(line, "type") ?? "without a type"}`);
    else if (messages.at(-1)?.info["id"] === id) messages.at(-1)!.parts.push(part);
    else messages.push({ info: { id, role: "assistant" }, parts: [part] });
  }
  const session = stringMember(
    lines.find((line) => stringMember(line, "sessionID") !== undefined),
    "sessionID",
  );
  const start = member(lines[0], "timestamp");
  const info = present({ id: session, time: start === undefined ? undefined : { created: start } });
  const read = readSession(info, messages, unknown);
  const failures = errors.map((line) =>
    errorRecord({ source: "sdk", message: errorText(member(line, "error")) }, parseClock(member(line, "timestamp"))),
  );
  return { ...read, records: [...read.records, ...failures] };
}

function readSession(info: Json | undefined, messages: readonly Json[], unknown = new UnknownCounter()): ImportedTrace {
  const id = stringMember(info, "id");
  const facts = {
    agent: "opencode",
    session_id: id,
    title: stringMember(info, "title"),
    cwd: stringMember(info, "directory"),
    version: stringMember(info, "version"),
  };
  const records = [metadataRecord(id, facts, parseClock(member(member(info, "time"), "created")))];
  const session = new Session(records, unknown);
  for (const message of messages) session.add(message);
  const notes = session.conversation.notes();
  return { records, ...unknown.result(), ...(notes.length === 0 ? {} : { notes }) };
}

/** Parts about the working copy and the interface. */
const QUIET = new Set(["step-start", "snapshot", "patch", "agent", "retry"]);

class Session {
  readonly conversation: Conversation;
  private readonly records: TraceRecord[];
  private readonly unknown: UnknownCounter;

  constructor(records: TraceRecord[], unknown: UnknownCounter) {
    this.records = records;
    this.unknown = unknown;
    this.conversation = new Conversation(records);
  }

  add(message: Json): void {
    const info = member(message, "info");
    const parts = listOf(member(message, "parts"));
    const role = member(info, "role");
    if (role === "user") this.ask(parts);
    else if (role === "assistant") this.answer(info, parts);
    else countRole(role, this.unknown);
  }

  private ask(parts: readonly Json[]): void {
    const compaction = parts.some((part) => member(part, "type") === "compaction");
    if (compaction) this.conversation.restart();
    const said = parts.filter(
      (part) => !QUIET.has(stringMember(part, "type") ?? "") && member(part, "type") !== "compaction",
    );
    if (said.length > 0) this.conversation.say("user", plainText(said.flatMap((part) => this.spoken(part))));
  }

  private answer(info: Json | undefined, parts: readonly Json[]): void {
    const steps: Json[][] = [[]];
    for (const part of parts) {
      if (member(part, "type") === "step-start" && steps.at(-1)!.length > 0) steps.push([]);
      steps.at(-1)!.push(part);
    }
    const asked = parseClock(member(member(info, "time"), "created"));
    const completed = parseClock(member(member(info, "time"), "completed"));
    for (const [index, step] of steps.entries()) {
      const alone = steps.length === 1;
      this.step(info, step, alone ? asked : index === 0 ? asked : undefined, alone ? completed : undefined);
    }
    const error = member(info, "error");
    if (error !== undefined && error !== null)
      this.records.push(
        errorRecord({ source: "llm", code: stringMember(error, "name"), message: errorText(error) }, completed),
      );
  }

  private step(
    info: Json | undefined,
    parts: readonly Json[],
    asked: Clock | undefined,
    completed: Clock | undefined,
  ): void {
    const end = parts.findLast((part) => member(part, "type") === "step-finish");
    const content = parts.filter((part) => !QUIET.has(stringMember(part, "type") ?? "") && part !== end);
    if (content.length === 0 && end === undefined) return;
    const tools = content.filter((part) => member(part, "type") === "tool");
    const answered =
      tools.map((part) => parseClock(member(member(member(part, "state"), "time"), "start")))[0] ?? completed;
    this.conversation.respond({
      parts: content.flatMap((part) => this.spoken(part)),
      model: stringMember(info, "modelID"),
      stopReason: stopReason(
        (stringMember(end, "reason") ?? stringMember(info, "finish"))?.replaceAll("-", "_"),
        tools.length > 0,
      ),
      usage: usageOf(member(end, "tokens") ?? member(info, "tokens")),
      clock: answered ?? asked,
      requestClock: asked,
      latencyMs: elapsed(asked, answered) || undefined,
    });
    for (const part of tools) this.result(part);
  }

  private spoken(part: Json): JsonObject[] {
    if (member(part, "type") === "tool") {
      const input = member(member(part, "state"), "input");
      const misshapen = misshapenCall(part);
      const name = misshapen ?? stringMember(part, "tool");
      if (name === undefined) {
        this.unknown.add("tool call without a name");
        return [];
      }
      return [
        present({
          type: "tool_use",
          id: stringMember(part, "callID"),
          name,
          input: misshapen === undefined ? input : undefined,
        }),
      ];
    }
    if (member(part, "type") === "subtask") return parseParts(stringMember(part, "prompt") ?? "", this.unknown);
    return parseParts([part], this.unknown);
  }

  /** A call that is pending or running has no outcome yet. */
  private result(part: Json): void {
    const state = member(part, "state");
    const status = member(state, "status");
    if (status !== "completed" && status !== "error") return;
    const time = member(state, "time");
    const [from, to] = [parseClock(member(time, "start")), parseClock(member(time, "end"))];
    // A command that failed has run to its end: only its exit code says so.
    const exitCode = numberMember(member(state, "metadata"), "exit") ?? 0;
    this.conversation.result({
      callId: stringMember(part, "callID"),
      output: member(state, status === "error" ? "error" : "output"),
      isError: status === "error" || exitCode !== 0 || misshapenCall(part) !== undefined,
      clock: to,
      latencyMs: elapsed(from, to) ?? null,
    });
  }
}

/**
 * The tool a model meant, where its arguments could not be read: opencode then runs a tool called `invalid` in its place, which tells the
 * model so and counts as completed. What the model wrote is not kept.
 */
function misshapenCall(part: Json): string | undefined {
  if (member(part, "tool") !== "invalid") return undefined;
  const input = member(member(part, "state"), "input");
  return typeof member(input, "error") === "string" ? stringMember(input, "tool") : undefined;
}

function errorText(error: Json | undefined): string {
  return (
    stringMember(member(error, "data"), "message") ??
    stringMember(error, "message") ??
    stringMember(error, "name") ??
    "the call failed"
  );
}

/** opencode counts cached input beside the rest, and reasoning beside the output. */
function usageOf(tokens: Json | undefined): JsonObject | undefined {
  const cache = member(tokens, "cache");
  return tokenUsage({
    input: numberMember(tokens, "input"),
    output: numberMember(tokens, "output"),
    cached: numberMember(cache, "read"),
    written: numberMember(cache, "write"),
    thinking: numberMember(tokens, "reasoning"),
    includedInput: 0,
    includedOutput: 0,
  });
}
