/**
 * Copilot CLI events (`~/.copilot/session-state/<id>/events.jsonl`, and what `--output-format json` prints): envelopes
 * `{id, timestamp, parentId, type, data}`. Each `assistant.message` is one model response; tools are answered by
 * `tool.execution_complete`, timed from their start. A tool that starts without having been asked for in a message stands
 * alone. Sub-agents act under an `agentId` or under the call that started them.
 */
import type { Json, TraceRecord } from "@spoor/core";
import { parseParts, toolUse } from "@spoor/core/internal/providers/chat-parts";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import {
  Conversation,
  elapsed,
  errorRecord,
  eventRecord,
  metadataRecord,
} from "@spoor/core/internal/providers/conversation";
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

export const copilot: Format = {
  name: "copilot",
  title: "Copilot CLI session",
  origin: "~/.copilot/session-state/<id>/events.jsonl, and copilot -p … --output-format json",
  tells: ["results", "errors", "times", "tokens", "sub-agents"],
  marks: ["data"],
  recognise,
  openLines: () => new CopilotSession(),
};

const EVENT =
  /^(?:session\.start|session\.resume|user\.message|assistant\.(?:message|turn_start)|tool\.execution_(?:start|complete))$/;

function recognise(sample: Sample): Recognition {
  const line = sample.lines?.find(
    (value) => EVENT.test(stringMember(value, "type") ?? "") && isObject(member(value, "data")),
  );
  return line === undefined ? NOT_RECOGNISED : { score: 0.96, has: ["type", "data"] };
}

/** Families of events that carry no behaviour of the agent, or repeat it. */
const QUIET = /^(?:session|assistant|tool|hook|skill|permission|subagent|system|user|elicitation|mcp|command|model)\./;

class CopilotSession implements LineReader {
  private readonly unknown = new UnknownCounter();
  private readonly records: TraceRecord[] = [];
  private readonly conversations = new Map<string, Conversation>();
  private readonly lastInput = new Map<string, Clock | undefined>();
  private readonly toolStarts = new Map<string, Clock | undefined>();
  /** Calls that a message asked for. */
  private readonly asked = new Set<string>();
  private readonly agents = new Map<string, { agent: string | undefined; parentCallId: string | undefined }>();
  private readonly unmeasured = new Map<string, Record<string, Json>>();
  private start: Json | undefined;
  private startClock: Clock | undefined;
  private durationMs: number | undefined;
  private model: string | undefined;

  line(event: Json, _lineNumber?: number, arrived?: Clock): void {
    const type = stringMember(event, "type");
    const data = member(event, "data");
    const clock = parseClock(member(event, "timestamp")) ?? arrived;
    const lane = stringMember(event, "agentId") ?? stringMember(data, "parentToolCallId") ?? "";
    switch (type) {
      case "session.start":
        this.start ??= data;
        this.startClock ??= clock;
        this.model = stringMember(data, "selectedModel") ?? this.model;
        break;
      case "session.model_change":
        this.model = stringMember(data, "newModel") ?? this.model;
        break;
      case "system.message":
        this.conversation(lane).say("system", member(data, "content"));
        break;
      case "user.message":
        this.conversation(lane).say("user", member(data, "transformedContent") ?? member(data, "content"));
        this.lastInput.set(lane, clock);
        break;
      case "assistant.message":
        this.respond(data, lane, clock);
        break;
      case "assistant.usage":
        this.measure(data, lane);
        break;
      case "tool.execution_start":
        this.startTool(data, lane, clock);
        break;
      case "tool.execution_complete":
        this.addResult(data, lane, clock);
        break;
      case "subagent.started":
        this.addAgent(event, data);
        break;
      case "subagent.failed":
      case "session.error":
        this.records.push(errorRecord({ source: "sdk", code: type, message: errorText(data) }, clock));
        break;
      case "session.compaction_complete":
        this.compact(data, lane);
        break;
      case "permission.completed":
        this.addPermission(data, clock);
        break;
      case "result":
        this.end(event, clock);
        break;
      case "abort":
        this.records.push(eventRecord({ category: "stream_interrupt", name: "abort", severity: "warning" }, clock));
        break;
      default:
        if (type === undefined || !QUIET.test(type)) this.unknown.add(type ?? "event without a type");
    }
  }

  finish(): ImportedTrace[] {
    const id = stringMember(this.start, "sessionId");
    const context = member(this.start, "context");
    const payload = {
      agent: "copilot",
      session_id: id,
      version: stringMember(this.start, "copilotVersion"),
      cwd: stringMember(context, "cwd"),
      git_branch: stringMember(context, "branch"),
      duration_ms: this.durationMs,
    };
    return [{ records: [metadataRecord(id, payload, this.startClock), ...this.records], ...this.unknown.result() }];
  }

  private conversation(lane: string): Conversation {
    let conversation = this.conversations.get(lane);
    if (conversation === undefined) {
      const agent = this.agents.get(lane) ?? { agent: "sub-agent", parentCallId: undefined };
      conversation = new Conversation(this.records, lane === "" ? {} : agent);
      this.conversations.set(lane, conversation);
    }
    return conversation;
  }

  private respond(data: Json | undefined, lane: string, clock: Clock | undefined): void {
    const thinking = stringMember(data, "reasoningText");
    const requests = member(data, "toolRequests");
    const calls = (Array.isArray(requests) ? requests : []).flatMap((request) => {
      const name = stringMember(request, "name") ?? stringMember(request, "toolName");
      const id = stringMember(request, "toolCallId");
      if (id !== undefined) this.asked.add(id);
      if (name !== undefined) return [toolUse(id, toolName(request, name), member(request, "arguments"))];
      this.unknown.add("tool request without a name");
      return [];
    });
    const input = this.lastInput.get(lane);
    // Saved sessions lack the events with all counts; this one they keep.
    const output = numberMember(data, "outputTokens");
    const payload = this.conversation(lane).respond({
      parts: [
        ...(thinking ? [{ type: "thinking", text: thinking }] : []),
        ...parseParts(member(data, "content"), this.unknown),
        ...calls,
      ],
      model: stringMember(data, "model") ?? this.model,
      usage: output === undefined ? undefined : { output_tokens: output },
      clock,
      requestClock: input,
      latencyMs: elapsed(input, clock) || undefined,
    });
    this.unmeasured.set(lane, payload);
  }

  private measure(data: Json | undefined, lane: string): void {
    const payload = this.unmeasured.get(lane);
    const input = numberMember(data, "inputTokens");
    const output = numberMember(data, "outputTokens");
    if (payload === undefined || (input === undefined && output === undefined)) return;
    const cached = numberMember(data, "cacheReadTokens");
    payload["usage"] = present({
      input_tokens: input === undefined ? undefined : Math.max(0, input - (cached ?? 0)),
      output_tokens: output,
      cached_input_tokens: cached || undefined,
      cached_write_5m_tokens: numberMember(data, "cacheWriteTokens") || undefined,
    });
    this.unmeasured.delete(lane);
  }

  private startTool(data: Json | undefined, lane: string, clock: Clock | undefined): void {
    const id = stringMember(data, "toolCallId");
    const name = stringMember(data, "toolName");
    if (id === undefined || name === undefined) {
      this.unknown.add("start of a tool without its name or id");
      return;
    }
    this.toolStarts.set(id, clock);
    if (this.asked.has(id)) return;
    this.conversation(lane).call(id, toolName(data, name), member(data, "arguments"), clock);
  }

  /** The last line of the printed stream; session files do not have it. */
  private end(event: Json, clock: Clock | undefined): void {
    this.durationMs = numberMember(member(event, "usage"), "sessionDurationMs");
    const exitCode = numberMember(event, "exitCode") ?? 0;
    if (exitCode === 0) return;
    const message = stringMember(event, "error") ?? `the session ended with exit code ${exitCode}`;
    this.records.push(errorRecord({ source: "sdk", code: `exit ${exitCode}`, message }, clock));
  }

  private addResult(data: Json | undefined, lane: string, clock: Clock | undefined): void {
    const callId = stringMember(data, "toolCallId");
    const error = member(data, "error");
    const result = member(data, "result");
    // A command that exits with an error is `success` to the tool that ran it; the agent sees a failed command.
    const shell = member(data, "shellExecution") ?? member(result, "shellExecution");
    const exitCode = numberMember(shell, "exitCode") ?? 0;
    const failed = member(data, "success") === false || (error ?? null) !== null || exitCode !== 0;
    const content = member(result, "content") ?? member(result, "contents") ?? (isObject(result) ? undefined : result);
    this.conversation(lane).result({
      callId,
      output: failed ? (stringMember(error, "message") ?? content) : content,
      isError: failed,
      errorType: failed ? stringMember(error, "code") : undefined,
      clock,
      latencyMs: elapsed(this.toolStarts.get(callId ?? ""), clock),
    });
    this.lastInput.set(lane, clock);
  }

  private addAgent(event: Json, data: Json | undefined): void {
    const callId = stringMember(data, "toolCallId");
    const agent = {
      agent: stringMember(data, "agentName") ?? stringMember(data, "agentDisplayName"),
      parentCallId: callId,
    };
    for (const key of [stringMember(event, "agentId"), stringMember(data, "agentId"), callId]) {
      if (key !== undefined) this.agents.set(key, agent);
    }
  }

  private compact(data: Json | undefined, lane: string): void {
    const summary = stringMember(data, "summaryContent") ?? stringMember(data, "summary");
    if (summary === undefined) return;
    this.conversation(lane).restart();
    this.conversation(lane).say("user", summary);
  }

  private addPermission(data: Json | undefined, clock: Clock | undefined): void {
    const kind = stringMember(member(data, "result"), "kind");
    if (kind === undefined || !kind.startsWith("denied")) return;
    this.records.push(eventRecord({ category: "guardrail", name: `permission ${kind}`, severity: "warning" }, clock));
  }
}

/** A tool of an MCP server goes by a name that does not say where the server's ends; what says so stands beside it. */
function toolName(named: Json | undefined, name: string): string {
  const server = stringMember(named, "mcpServerName");
  const tool = stringMember(named, "mcpToolName");
  return server === undefined || tool === undefined ? name : `mcp__${server}__${tool}`;
}

function errorText(data: Json | undefined): string {
  return stringMember(data, "message") ?? stringMember(data, "error") ?? "unknown error";
}
