/**
 * What `codex exec --json` prints: thread, turn and item events, without clocks or a model name. The stream does not mark
 * where one model response ends, so they are told apart by results: whatever begins after a tool has answered belongs to
 * the next response. Calls that begin before the first of them ends were made side by side.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { toolUse } from "@spoor/core/internal/providers/chat-parts";
import type { Clock } from "@spoor/core/internal/providers/clock";
import {
  Conversation,
  elapsed,
  errorRecord,
  eventRecord,
  metadataRecord,
} from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { codexUsage } from "@spoor/core/internal/providers/provider-usage";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
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

export const codexExec: Format = {
  name: "codex-exec",
  title: "Codex exec stream",
  origin: "codex exec --json",
  tells: ["results", "errors"],
  marks: ["type"],
  recognise,
  openLines: () => new ExecStream(),
};

const EVENT = /^(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed))$/;

function recognise(sample: Sample): Recognition {
  const line = sample.lines?.find((value) => EVENT.test(stringMember(value, "type") ?? ""));
  if (line === undefined) return NOT_RECOGNISED;
  const has = ["thread_id", "item", "usage", "error"].filter((key) => Object.hasOwn(line as JsonObject, key));
  return { score: has.length > 0 || member(line, "type") === "turn.started" ? 0.97 : 0.6, has: ["type", ...has] };
}

const TOOL_ITEMS = new Set([
  "command_execution",
  "file_change",
  "mcp_tool_call",
  "web_search",
  "todo_list",
  "collab_tool_call",
]);
const SAID = new Set(["agent_message", "reasoning", "error"]);

/** Calls, also of kinds that are not known yet: whatever names a tool, has a status of its own or says that it is a call. */
function isToolItem(item: Json | undefined, type: string): boolean {
  if (TOOL_ITEMS.has(type)) return true;
  if (SAID.has(type)) return false;
  const has = (key: string) => member(item, key) !== undefined;
  return has("tool") || has("arguments") || has("status") || /(?:^|_)(?:call|execution)$/.test(type);
}

class ExecStream implements LineReader {
  private unknown = new UnknownCounter();
  private traces: ImportedTrace[] = [];
  private threadId: string | undefined;
  private records: TraceRecord[] = [];
  private conversation = new Conversation(this.records);
  /** The response under way. */
  private parts: JsonObject[] = [];
  /** When its latest part came. */
  private spokenAt: Clock | undefined;
  /** Calls that began, with the moment when that was told. */
  private readonly started = new Map<string, Clock | undefined>();
  private readonly ended = new Set<string>();
  /** Items of unknown types that have not ended. */
  private readonly begun = new Map<string, string>();
  private turnResponses: Record<string, Json>[] = [];
  /** Of the whole thread. */
  private usage: Record<string, Json> | undefined;
  private arrived: Clock | undefined;
  private seen = false;

  line(event: Json, _lineNumber?: number, arrived?: Clock): void {
    this.arrived = arrived;
    const item = member(event, "item");
    switch (member(event, "type")) {
      case "thread.started":
        if (this.seen) this.endTrace();
        this.threadId = stringMember(event, "thread_id");
        break;
      case "turn.started":
        this.endResponse();
        this.turnResponses = [];
        break;
      case "turn.completed":
        this.endTurn(member(event, "usage"));
        break;
      case "turn.failed":
        this.endResponse();
        this.records.push(errorRecord({ source: "llm", message: errorText(member(event, "error")) }, arrived));
        break;
      case "error":
        this.endResponse();
        this.records.push(errorRecord({ source: "sdk", message: errorText(event) }, arrived));
        break;
      case "item.started":
        this.startItem(item);
        break;
      case "item.updated":
        break;
      case "item.completed":
        this.endItem(item);
        break;
      default:
        this.unknown.add(stringMember(event, "type") ?? "event without a type");
    }
    this.seen = true;
  }

  finish(): ImportedTrace[] {
    this.endTrace();
    if (this.traces.length === 1) return this.traces;
    return this.traces.map((trace, index) => ({ ...trace, entry: `thread ${index + 1}` }));
  }

  private endTrace(): void {
    this.endResponse();
    for (const type of this.begun.values()) this.unknown.add(`item: ${type}`);
    this.begun.clear();
    const id = this.threadId;
    const metadata = metadataRecord(id, { agent: "codex", session_id: id, usage: this.usage });
    const notes = this.conversation.hasResponses
      ? { notes: ["the stream does not mark model responses; they are told apart by tool results"] }
      : {};
    this.traces.push({ records: [metadata, ...this.records], ...this.unknown.result(), ...notes });
    this.unknown = new UnknownCounter();
    this.records = [];
    this.conversation = new Conversation(this.records);
    this.usage = undefined;
    this.started.clear();
    this.ended.clear();
  }

  private startItem(item: Json | undefined): void {
    const type = stringMember(item, "type");
    const id = stringMember(item, "id");
    if (type === undefined || id === undefined || this.started.has(id)) return;
    if (!isToolItem(item, type)) {
      if (!SAID.has(type)) this.begun.set(id, type);
      return;
    }
    this.started.set(id, this.arrived);
    this.addPart(toolUse(id, toolName(item, type), toolInput(item, type)));
  }

  private endItem(item: Json | undefined): void {
    const type = stringMember(item, "type");
    const id = stringMember(item, "id");
    this.begun.delete(id ?? "");
    if (type === "agent_message" || type === "reasoning") {
      const text = stringMember(item, "text");
      if (text !== undefined) this.addPart({ type: type === "reasoning" ? "thinking" : "text", text });
    } else if (type === "error") {
      // Codex reports warnings as items of this type; what ends a turn is `turn.failed`.
      const attributes = { message: errorText(item) };
      this.records.push(eventRecord({ category: "notice", name: "error item", severity: "warning", attributes }));
    } else if (type !== undefined && isToolItem(item, type)) {
      this.startItem(item);
      this.endResponse();
      if (id !== undefined && this.ended.has(id)) return;
      if (id !== undefined) this.ended.add(id);
      const latencyMs = elapsed(this.started.get(id ?? ""), this.arrived) ?? null;
      const clock = this.arrived;
      this.conversation.result({
        callId: id,
        output: toolOutput(item, type),
        isError: hasFailed(item),
        clock,
        latencyMs,
      });
    } else {
      this.unknown.add(`item: ${type ?? "without a type"}`);
    }
  }

  private addPart(part: JsonObject): void {
    this.parts.push(part);
    this.spokenAt = this.arrived;
  }

  private endResponse(): void {
    if (this.parts.length === 0) return;
    this.turnResponses.push(this.conversation.respond({ parts: this.parts, clock: this.spokenAt }));
    this.parts = [];
  }

  /** The usage is that of a whole turn: of its response when there is one, of none in particular otherwise. */
  private endTurn(usage: Json | undefined): void {
    this.endResponse();
    const counts = codexUsage(usage);
    if (counts === undefined) return;
    this.usage = addCounts(this.usage, counts);
    if (this.turnResponses.length === 1) this.turnResponses[0]!["usage"] = counts;
    else
      this.records.push(eventRecord({ category: "budget", name: "turn_usage", severity: "info", attributes: counts }));
  }
}

function toolName(item: Json | undefined, type: string): string {
  const server = stringMember(item, "server");
  const tool = stringMember(item, "tool") ?? type;
  return server === undefined ? tool : `mcp__${server}__${tool}`;
}

const INPUTS: Readonly<Record<string, string>> = {
  command_execution: "command",
  file_change: "changes",
  web_search: "query",
  todo_list: "items",
};

/** What is not told about an item, but about the call itself. */
const OUTCOMES = new Set([
  "id",
  "type",
  "tool",
  "server",
  "status",
  "result",
  "results",
  "output",
  "error",
  "exit_code",
]);

function toolInput(item: Json | undefined, type: string): Json | undefined {
  if (type === "collab_tool_call") return collabInput(item);
  const key = INPUTS[type];
  if (key !== undefined) return present({ [key]: member(item, key) });
  const given = member(item, "arguments");
  if (given !== undefined || type === "mcp_tool_call" || !isObject(item)) return given;
  return Object.fromEntries(Object.entries(item).filter(([name]) => !OUTCOMES.has(name)));
}

/** Whom a message or a wait is for is part of the call; the thread that `spawn_agent` makes is its outcome. */
function collabInput(item: Json | undefined): Json {
  const isSpawn = stringMember(item, "tool") === "spawn_agent";
  return present({
    prompt: member(item, "prompt") ?? undefined,
    receiver_thread_ids: isSpawn ? undefined : member(item, "receiver_thread_ids"),
  });
}

function toolOutput(item: Json | undefined, type: string): Json | undefined {
  if (type === "command_execution") return member(item, "aggregated_output");
  const error = member(item, "error");
  if (isObject(error)) return stringMember(error, "message") ?? error;
  const told = error ?? member(item, "result") ?? member(item, "results") ?? member(item, "output");
  return told ?? (type === "collab_tool_call" ? (member(item, "agents_states") ?? undefined) : undefined);
}

/** A command that was declined never ran, and whoever called it was told so: a failed call, like in every other agent. */
function hasFailed(item: Json | undefined): boolean {
  const status = member(item, "status");
  const error = member(item, "error") ?? null;
  return status === "failed" || status === "declined" || error !== null || (numberMember(item, "exit_code") ?? 0) !== 0;
}

function addCounts(sum: JsonObject | undefined, counts: JsonObject): Record<string, Json> {
  const total: Record<string, Json> = { ...sum };
  for (const key of Object.keys(counts)) total[key] = (numberMember(sum, key) ?? 0) + (numberMember(counts, key) ?? 0);
  return total;
}

/** Errors of the model's server arrive as JSON text inside the message. */
function errorText(error: Json | undefined): string {
  const message = stringMember(error, "message") ?? "unknown error";
  const inner = parseJsonText(message);
  return stringMember(member(inner, "error"), "message") ?? stringMember(inner, "message") ?? message;
}
