/** The lines of one Claude Code session, grouped: what was said, by whom, in which sub-agent's conversation. */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { parseParts, plainText } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { elapsed, errorRecord, eventRecord, type Lane } from "@spoor/core/internal/providers/conversation";
import { counted, type UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { anthropicUsage } from "@spoor/core/internal/providers/provider-usage";
import { stopReason } from "@spoor/core/internal/providers/stop-reason";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { refusalRecord } from "@spoor/core/internal/trace/refusal";
import type { Arrivals } from "./format.ts";

export interface ClaudeResponse {
  readonly kind: "response";
  readonly lane: string;
  readonly messageId: string | undefined;
  parts: JsonObject[];
  model: string | undefined;
  stopReason: string | undefined;
  usage: JsonObject | undefined;
  clock: Clock | undefined;
  requestClock: Clock | undefined;
  latencyMs: number | undefined;
}

export type ClaudeItem =
  | ClaudeResponse
  | {
      readonly kind: "say";
      readonly lane: string;
      readonly role: string;
      readonly content: Json;
      readonly restart: boolean;
    }
  | { readonly kind: "record"; readonly lane: string; readonly record: TraceRecord }
  | {
      readonly kind: "result";
      readonly lane: string;
      readonly callId: string | undefined;
      readonly output: Json | undefined;
      readonly isError: boolean;
      readonly clock: Clock | undefined;
      readonly latencyMs: number | null;
    };

/** Lines that carry no behaviour: titles, snapshots, progress, and the duplicates a stream prints while it runs. */
const QUIET_TYPES = new Set([
  "summary",
  "file-history-snapshot",
  "queue-operation",
  "last-prompt",
  "permission-mode",
  "custom-title",
  "ai-title",
  "agent-name",
  "agent-color",
  "agent-setting",
  "tag",
  "mode",
  "pr-link",
  "api-request",
  "api-request-blob",
  "api-request-shape",
  "atis-latch",
  "cost-state",
  "tools-used",
  "result",
  "stream_event",
  "rate_limit_event",
  "tool_progress",
  "keep_alive",
]);
/** Clocks may disagree by this much before a line counts as copied from elsewhere. */
const CLOCK_SLACK_MS = 1000;
/** The API opens a stream with a count of a few tokens; without a stop reason such a count is no measurement. */
const PLACEHOLDER_TOKENS = 8;

export class ClaudeSession {
  readonly items: ClaudeItem[] = [];
  /** The first line of each chain of parents, for sub-agents that have no id of their own. */
  readonly roots: ReadonlyMap<string, string>;
  readonly tools: readonly Json[] | undefined;
  /** Sub-agents whose own lines are there. */
  private readonly ownLines: ReadonlySet<string>;
  private readonly unknown: UnknownCounter;
  private readonly clocks: ReadonlyMap<Json, Clock | undefined>;
  private readonly arrivals: Arrivals;
  private readonly seen = new Set<string>();
  /** The response of each conversation that further lines may belong to. */
  private readonly open = new Map<string, ClaudeResponse>();
  /** The first turn of each message, which alone takes its usage. */
  private readonly owners = new Map<string, ClaudeResponse>();
  private readonly lastInput = new Map<string, Clock | undefined>();
  private readonly callClocks = new Map<string, Clock>();
  private readonly starts = new Map<string, { callId: string; agent: string | undefined }>();
  private readonly prompts = new Map<string, { callId: string; agent: string | undefined }>();
  private readonly firstSaid = new Map<string, string>();
  private placeholders = 0;
  private copied = 0;

  constructor(lines: readonly Json[], unknown: UnknownCounter, arrivals: Arrivals) {
    this.unknown = unknown;
    this.arrivals = arrivals;
    this.roots = findRoots(lines);
    this.ownLines = new Set(lines.filter(isSidechain).flatMap((line) => stringMember(line, "agentId") ?? []));
    this.clocks = readClocks(lines);
    const init = lines.find((line) => member(line, "type") === "system" && member(line, "subtype") === "init");
    const tools = member(init, "tools");
    this.tools = Array.isArray(tools)
      ? tools.map((tool) => (typeof tool === "string" ? { name: tool } : tool))
      : undefined;
    for (const line of lines) this.add(line);
    for (const item of this.items) if (item.kind === "response") this.settle(item);
  }

  /** The sub-agent behind a conversation, and the call that started it. */
  laneOf(key: string): Lane {
    const start = this.starts.get(key) ?? this.prompts.get(this.firstSaid.get(key) ?? "");
    const agent = start?.agent ?? (key.startsWith("agent:") ? `agent-${key.slice(6)}` : "sub-agent");
    return { agent, parentCallId: start?.callId ?? (key.startsWith("call:") ? key.slice(5) : undefined) };
  }

  /** What the last line of a stream tells about the whole run. */
  finish(result: Json, records: TraceRecord[]): void {
    const last = records.findLast((record) => record.kind === "chat_response" && record.meta === undefined);
    const stop = stopReason(stringMember(result, "stop_reason"), false);
    if (last !== undefined && stop !== undefined && member(last.payload, "stop_reason") === undefined) {
      (last.payload as Record<string, Json>)["stop_reason"] = stop;
    }
    // A stream tells at its end what was not permitted.
    const denials = member(result, "permission_denials");
    for (const denial of Array.isArray(denials) ? denials : []) {
      const callId = stringMember(denial, "tool_use_id");
      if (callId !== undefined) records.push(refusalRecord(callId));
    }
    if (member(result, "is_error") === true) {
      const code = stringMember(result, "subtype");
      records.push(
        errorRecord({ source: "sdk", code, message: stringMember(result, "result") ?? code ?? "the run failed" }),
      );
    }
  }

  notes(): string[] {
    const notes: string[] = [];
    if (this.placeholders > 0) {
      notes.push(`${counted(this.placeholders, "response")} without a final count of output tokens`);
    }
    if (this.copied > 0)
      notes.push(`${counted(this.copied, "line")} with a clock out of order, from which no duration is taken`);
    return notes;
  }

  private add(line: Json): void {
    const type = member(line, "type");
    const uuid = stringMember(line, "uuid");
    if (uuid !== undefined) {
      if (this.seen.has(uuid)) return;
      this.seen.add(uuid);
    }
    if (type === "assistant") this.addAssistant(line);
    else if (type === "user") this.addUser(line);
    else if (type === "system") this.addSystem(line);
    else if (type === "attachment") this.addAttachment(line);
    else if (type === "progress") this.addProgress(line);
    else if (typeof type !== "string") this.unknown.add("line without a type");
    else if (!QUIET_TYPES.has(type)) this.unknown.add(type);
  }

  private addAssistant(line: Json): void {
    const message = member(line, "message");
    const lane = laneKey(line, this.roots);
    const content = member(message, "content");
    if (content === undefined) this.unknown.add("assistant message without content");
    const parts = parseParts(content, this.unknown);
    const model = stringMember(message, "model");
    if (model === "<synthetic>" || member(line, "isApiErrorMessage") === true) {
      this.addSynthetic(line, lane, parts);
      return;
    }
    const id = stringMember(message, "id") ?? stringMember(line, "requestId");
    const clock = this.clockOf(line);
    let response = this.open.get(lane);
    if (response === undefined || response.messageId === undefined || response.messageId !== id) {
      response = {
        kind: "response",
        lane,
        messageId: id,
        parts: [],
        model,
        stopReason: undefined,
        usage: undefined,
        clock: undefined,
        requestClock: undefined,
        latencyMs: undefined,
      };
      this.items.push(response);
      this.open.set(lane, response);
      if (id !== undefined && !this.owners.has(id)) this.owners.set(id, response);
      response.requestClock = this.lastInput.get(lane);
    }
    response.parts.push(...parts);
    response.clock = clock ?? response.clock;
    const latency = elapsed(response.requestClock, clock);
    // Two lines in the same millisecond were copied, not answered.
    response.latencyMs = latency === 0 ? undefined : (latency ?? response.latencyMs);
    response.stopReason = stopReason(stringMember(message, "stop_reason"), false) ?? response.stopReason;
    // Every line repeats the usage so far: the last one counts, and only once per message.
    if (id === undefined || this.owners.get(id) === response)
      response.usage = anthropicUsage(member(message, "usage")) ?? response.usage;
    for (const part of parts) this.noteCall(part, clock);
  }

  private noteCall(part: JsonObject, clock: Clock | undefined): void {
    const id = member(part, "type") === "tool_use" ? stringMember(part, "id") : undefined;
    if (id === undefined) return;
    if (clock !== undefined) this.callClocks.set(id, clock);
    const input = member(part, "input");
    const prompt = stringMember(input, "prompt");
    if (prompt === undefined) return;
    const start = { callId: id, agent: stringMember(input, "subagent_type") };
    this.prompts.set(prompt, start);
    this.starts.set(`call:${id}`, start);
  }

  /** Texts that Claude Code itself writes in the model's place. */
  private addSynthetic(line: Json, lane: string, parts: readonly JsonObject[]): void {
    const text = parts.map((part) => stringMember(part, "text") ?? "").join(" ");
    const failed = member(line, "isApiErrorMessage") === true;
    const record = failed
      ? errorRecord({ source: "llm", code: stringMember(line, "error"), message: text }, this.clockOf(line))
      : eventRecord(
          { category: "stream_interrupt", name: "synthetic", severity: "info", attributes: { text } },
          this.clockOf(line),
        );
    this.items.push({ kind: "record", lane, record });
    this.open.delete(lane);
  }

  private addUser(line: Json): void {
    const lane = laneKey(line, this.roots);
    const content = member(member(line, "message"), "content");
    const clock = this.clockOf(line);
    const said: Json[] = [];
    if (typeof content === "string") said.push({ type: "text", text: content });
    else {
      for (const part of parseParts(content, this.unknown)) {
        if (member(part, "type") === "tool_result") this.addResult(line, part, lane, clock);
        else said.push(part);
      }
    }
    if (said.length > 0) {
      const only = said.length === 1 ? stringMember(said[0], "text") : undefined;
      if (!this.firstSaid.has(lane)) this.firstSaid.set(lane, only ?? "");
      const restart = member(line, "isCompactSummary") === true;
      this.items.push({ kind: "say", lane, role: "user", content: only ?? said, restart });
      this.open.delete(lane);
    }
    this.lastInput.set(lane, clock);
  }

  private addResult(line: Json, part: JsonObject, lane: string, clock: Clock | undefined): void {
    const callId = stringMember(part, "tool_use_id");
    const latency = callId === undefined ? undefined : elapsed(this.callClocks.get(callId), clock);
    if (callId !== undefined) this.callClocks.delete(callId);
    this.items.push({
      kind: "result",
      lane,
      callId,
      output: plainText(member(part, "content")),
      isError: member(part, "is_error") === true,
      clock,
      latencyMs: latency || null,
    });
    // Refused by a hook, a rule or a person: what the model reads as an error is not the result of a call that ran.
    const decision = member(line, "permissionDecision");
    const isRefused = stringMember(decision, "decision") === "reject" || member(line, "toolDenialKind") !== undefined;
    if (isRefused && callId !== undefined)
      this.items.push({ kind: "record", lane, record: refusalRecord(callId, stringMember(decision, "source")) });
    const details = member(line, "toolUseResult") ?? member(line, "tool_use_result");
    const agentId = stringMember(details, "agentId");
    const start = callId === undefined ? undefined : this.starts.get(`call:${callId}`);
    if (agentId !== undefined && start !== undefined) this.starts.set(`agent:${agentId}`, start);
  }

  private addSystem(line: Json): void {
    const subtype = stringMember(line, "subtype");
    if (subtype !== "api_error" && subtype !== "api_retry") return;
    const attributes = member(line, "error");
    const event = {
      category: "retry",
      name: subtype,
      severity: "warning",
      ...(attributes === undefined ? {} : { attributes }),
    };
    this.items.push({
      kind: "record",
      lane: laneKey(line, this.roots),
      record: eventRecord(event, this.clockOf(line)),
    });
  }

  /** What a sub-agent says while it works, in files that hold no lines of its own. */
  private addProgress(line: Json): void {
    const data = member(line, "data");
    const told = member(data, "message");
    const agentId = stringMember(data, "agentId");
    if (member(data, "type") !== "agent_progress" || !isObject(told) || agentId === undefined) return;
    if (this.ownLines.has(agentId)) return;
    const callId = stringMember(line, "parentToolUseID");
    const start = callId === undefined ? undefined : this.starts.get(`call:${callId}`);
    if (start !== undefined) this.starts.set(`agent:${agentId}`, start);
    this.add({ ...present({ timestamp: member(line, "timestamp") }), ...told, isSidechain: true, agentId });
  }

  /** A prompt typed while the agent worked reaches the model as an attachment. */
  private addAttachment(line: Json): void {
    const attachment = member(line, "attachment");
    if (member(attachment, "type") !== "queued_command") return;
    const content = member(attachment, "prompt");
    if (content === undefined) return;
    const lane = laneKey(line, this.roots);
    this.items.push({ kind: "say", lane, role: "user", content, restart: false });
    this.open.delete(lane);
  }

  private settle(response: ClaudeResponse): void {
    const output = numberMember(response.usage, "output_tokens");
    if (response.stopReason !== undefined || output === undefined || output > PLACEHOLDER_TOKENS) return;
    const { output_tokens: _output, ...rest } = response.usage as Record<string, Json>;
    response.usage = rest;
    this.placeholders++;
  }

  /** No clock for a line that is out of order; such lines are counted. */
  private clockOf(line: Json): Clock | undefined {
    if (!this.clocks.has(line)) return parseClock(member(line, "timestamp")) ?? this.arrivals.get(line);
    const clock = this.clocks.get(line);
    if (clock === undefined) this.copied++;
    return clock;
  }
}

export function isSidechain(line: Json): boolean {
  return member(line, "isSidechain") === true;
}

/** Names a conversation: empty for the main one, else by the sub-agent's id, its starting call, or its first line. */
export function laneKey(line: Json, roots: ReadonlyMap<string, string>): string {
  const parent = stringMember(line, "parent_tool_use_id");
  if (parent !== undefined) return `call:${parent}`;
  if (!isSidechain(line)) return "";
  const agent = stringMember(line, "agentId");
  if (agent !== undefined) return `agent:${agent}`;
  const uuid = stringMember(line, "uuid") ?? "";
  return `root:${roots.get(uuid) ?? uuid}`;
}

/** Every sidechain line's first ancestor that is a sidechain line too. */
function findRoots(lines: readonly Json[]): Map<string, string> {
  const roots = new Map<string, string>();
  for (const line of lines) {
    const uuid = stringMember(line, "uuid");
    if (uuid === undefined || !isSidechain(line)) continue;
    roots.set(uuid, roots.get(stringMember(line, "parentUuid") ?? "") ?? uuid);
  }
  return roots;
}

/**
 * The clocks of messages; undefined for those that do not fit into the order of the file. A resumed or compacted session
 * copies lines and gives some of them new clocks: a line that is younger than a later one, or older than an earlier one,
 * tells no duration.
 */
function readClocks(lines: readonly Json[]): Map<Json, Clock | undefined> {
  const timed: { line: Json; clock: Clock; earliestAfter: number }[] = [];
  for (const line of lines) {
    const clock = isObject(member(line, "message")) ? parseClock(member(line, "timestamp")) : undefined;
    if (clock !== undefined) timed.push({ line, clock, earliestAfter: Number.POSITIVE_INFINITY });
  }
  for (let index = timed.length - 2; index >= 0; index--) {
    const next = timed[index + 1]!;
    timed[index]!.earliestAfter = Math.min(next.earliestAfter, next.clock.ms);
  }
  const clocks = new Map<Json, Clock | undefined>();
  let latest = Number.NEGATIVE_INFINITY;
  for (const { line, clock, earliestAfter } of timed) {
    const fits = clock.ms >= latest - CLOCK_SLACK_MS && clock.ms <= earliestAfter + CLOCK_SLACK_MS;
    clocks.set(line, fits ? clock : undefined);
    latest = Math.max(latest, clock.ms);
  }
  return clocks;
}
