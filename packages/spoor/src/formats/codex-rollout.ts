/**
 * Codex rollouts (`$CODEX_HOME/sessions/…/rollout-*.jsonl`): lines `{timestamp, type, payload}`. Model output stands in
 * `response_item`s, several per response; a response ends when something is given back to the model or when its usage is
 * recorded. Events repeat what the items say, except for exit codes and durations of commands. Trae writes the items of a response together
 * with what its tools returned, as one change of the history.
 */

import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { codexExitCode } from "@spoor/core/internal/providers/codex-output";
import {
  Conversation,
  elapsed,
  errorRecord,
  eventRecord,
  metadataRecord,
} from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { codexUsage } from "@spoor/core/internal/providers/provider-usage";
import { type ItemResult, parseResponseItem } from "@spoor/core/internal/providers/response-items";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, jsonEqual, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { refusalRecord } from "@spoor/core/internal/trace/refusal";
import {
  type Format,
  type ImportedTrace,
  type LineReader,
  NOT_RECOGNISED,
  type Recognition,
  type Sample,
} from "./format.ts";

export const codexRollout: Format = {
  name: "codex-rollout",
  title: "Codex rollout",
  origin: "$CODEX_HOME/sessions/YYYY/MM/DD/rollout-*.jsonl",
  tells: ["results", "errors", "times", "tokens", "requests"],
  marks: ["payload"],
  recognise,
  openLines: () => new Rollout(),
};

const LINE_TYPES = new Set([
  "session_meta",
  "turn_context",
  "response_item",
  "history_mutation",
  "event_msg",
  "compacted",
  "world_state",
]);

function recognise(sample: Sample): Recognition {
  const line = sample.lines?.find((value) => LINE_TYPES.has(stringMember(value, "type") ?? ""));
  if (line === undefined || !isObject(member(line, "payload"))) return NOT_RECOGNISED;
  return { score: Object.hasOwn(line as JsonObject, "timestamp") ? 0.98 : 0.7, has: ["type", "payload"] };
}

/** Events that only repeat items or tell of progress. */
const QUIET_EVENTS = new Set([
  "agent_message",
  "agent_reasoning",
  "agent_reasoning_raw_content",
  "agent_reasoning_section_break",
  "background_event",
  "context_compacted",
  "entered_review_mode",
  "exec_command_begin",
  "exec_command_output_delta",
  "exited_review_mode",
  "item_started",
  "mcp_tool_call_begin",
  "patch_apply_begin",
  "plan_update",
  "session_configured",
  "task_complete",
  "task_started",
  "thread_name_updated",
  "thread_rolled_back",
  "thread_settings_applied",
  "turn_diff",
  "undo_completed",
  "user_message",
  "view_image_tool_call",
  "web_search_begin",
  "web_search_end",
]);

interface Outcome {
  readonly durationMs: number | undefined;
  readonly failed: boolean;
}

const REFUSED = /^Command blocked by PreToolUse hook: [\s\S]*\. Command: ([\s\S]*)$/;

class Rollout implements LineReader {
  private readonly unknown = new UnknownCounter();
  private readonly records: TraceRecord[] = [];
  private readonly conversation = new Conversation(this.records);
  private readonly outcomes = new Map<string, Outcome>();
  private session: Json = {};
  private sessionClock: Clock | undefined;
  private model: string | undefined;
  /** The response under way: parts, calls with their clocks, results the provider gave at once. */
  private parts: JsonObject[] = [];
  /** What shell calls typed, by their id. */
  private readonly commands = new Map<string, string>();
  private callClocks: Map<string, Clock> | undefined;
  private results: ItemResult[] = [];
  private clock: Clock | undefined;
  private lastInput: Clock | undefined;
  /** The latest response, as long as its usage is not known. */
  private unmeasured: Record<string, Json> | undefined;
  private totals: Json | undefined;
  /** What is read now was written down at once, and not as it happened. */
  private isBatch = false;

  line(value: Json): void {
    const payload = member(value, "payload");
    const clock = parseClock(member(value, "timestamp"));
    switch (member(value, "type")) {
      case "session_meta":
        if (!Object.hasOwn(this.session as JsonObject, "id") && isObject(payload)) {
          this.session = payload;
          this.sessionClock = clock;
          this.addInstructions(payload);
        }
        break;
      case "turn_context":
        this.endResponse();
        this.model = stringMember(payload, "model") ?? this.model;
        break;
      case "response_item":
        this.addItem(payload ?? null, clock);
        break;
      case "token_usage_record":
        this.endResponse();
        this.measure(codexUsage(member(payload, "usage")));
        break;
      case "history_mutation":
        this.changeHistory(payload, clock);
        break;
      case "event_msg":
        this.addEvent(payload, clock);
        break;
      case "compacted":
        this.compact(payload);
        break;
      case "world_state":
        break;
      default:
        this.unknown.add(stringMember(value, "type") ?? "line without a type");
    }
  }

  finish(): ImportedTrace[] {
    this.endResponse();
    const { session } = this;
    const id = stringMember(session, "id");
    const metadata = metadataRecord(
      id,
      {
        agent: "codex",
        session_id: id,
        version: stringMember(session, "cli_version"),
        cwd: stringMember(session, "cwd"),
        source: member(session, "source"),
        git: member(session, "git"),
      },
      this.sessionClock,
    );
    return [{ records: [metadata, ...this.records], ...this.unknown.result() }];
  }

  private addInstructions(session: JsonObject): void {
    const base = member(session, "base_instructions") ?? member(session, "instructions");
    const text = typeof base === "string" ? base : stringMember(base, "text");
    if (text !== undefined) this.conversation.say("system", text);
  }

  /** Only appending tells what happened, and one clock stands for all of it; any other change is a new history. */
  private changeHistory(payload: Json | undefined, clock: Clock | undefined): void {
    const items = member(payload, "items");
    const operation = stringMember(payload, "operation") ?? "without an operation";
    if (!Array.isArray(items)) this.unknown.add(`history_mutation: ${operation}`);
    else if (operation === "append") {
      this.isBatch = true;
      for (const item of items) if (member(item, "type") !== "trae_extra_info") this.addItem(item, clock);
      this.isBatch = false;
    } else this.compact({ replacement_history: items });
  }

  private addItem(payload: Json, clock: Clock | undefined): void {
    const item = parseResponseItem(payload, this.unknown);
    if (item.kind === "model") {
      if (this.parts.length === 0) this.parts = [...item.parts];
      else this.parts.push(...item.parts);
      this.clock = clock ?? this.clock;
      for (const part of item.parts) {
        const id = member(part, "type") === "tool_use" ? stringMember(part, "id") : undefined;
        if (id === undefined) continue;
        if (clock !== undefined) {
          this.callClocks ??= new Map();
          this.callClocks.set(id, clock);
        }
        const input = member(part, "input");
        const command = stringMember(input, "cmd") ?? stringMember(input, "command");
        if (command !== undefined) this.commands.set(id, command);
      }
      if (item.result !== undefined) this.results.push(item.result);
      return;
    }
    if (item.kind === "none") return;
    this.endResponse();
    this.lastInput = clock;
    if (item.kind === "said") this.conversation.say(item.role, item.content);
    else this.addOutput(item, clock);
  }

  private addOutput(item: ItemResult, clock: Clock | undefined): void {
    const outcome = this.outcomes.get(item.callId ?? "");
    const wrapped = parseOutput(item.output);
    const isRefused = outcome === undefined && this.isRefusal(item);
    if (isRefused) this.records.push(refusalRecord(item.callId!, "hook"));
    this.conversation.result({
      callId: item.callId,
      output: wrapped.output,
      isError: item.isError || wrapped.failed || outcome?.failed === true || isRefused,
      clock,
      latencyMs: outcome?.durationMs ?? wrapped.durationMs ?? (this.isBatch ? null : undefined),
    });
  }

  /**
   * A hook's no stands where the output would: in words of Codex, which name the command. What a command that ran had printed
   * stands behind its exit code, so that it cannot pass for one.
   */
  private isRefusal({ callId = "", output }: ItemResult): boolean {
    const command = this.commands.get(callId);
    return typeof output === "string" && command !== undefined && REFUSED.exec(output)?.[1] === command;
  }

  private endResponse(): void {
    if (this.parts.length === 0) return;
    const { parts, clock, callClocks, model, lastInput } = this;
    this.unmeasured = this.conversation.respond({
      parts,
      model,
      clock,
      callClocks,
      requestClock: lastInput,
      latencyMs: elapsed(lastInput, clock) || undefined,
    });
    if (this.results.length > 0) {
      // The item was written when its tool had ended: how long that took nobody says.
      for (const result of this.results) this.conversation.result({ ...result, clock, latencyMs: null });
      this.results = [];
    }
    this.parts = [];
    this.callClocks = undefined;
  }

  private measure(usage: JsonObject | undefined): void {
    if (usage === undefined || this.unmeasured === undefined) return;
    this.unmeasured["usage"] = usage;
    this.unmeasured = undefined;
  }

  private addEvent(payload: Json | undefined, clock: Clock | undefined): void {
    const type = stringMember(payload, "type");
    if (type === "token_count") this.addTokenCount(member(payload, "info"));
    else if (type === "item_completed") this.addOutcome(member(payload, "item"));
    else if (type === "exec_command_end" || type === "mcp_tool_call_end" || type === "patch_apply_end")
      this.addOutcome(payload);
    else if (type === "turn_aborted") {
      this.endResponse();
      const attributes = { reason: stringMember(payload, "reason") ?? "unknown" };
      const event = { category: "stream_interrupt", name: type, severity: "warning", attributes };
      this.records.push(eventRecord(event, clock));
    } else if (type === "error" || type === "stream_error") {
      this.endResponse();
      this.records.push(
        errorRecord({ source: "llm", code: type, message: stringMember(payload, "message") ?? "" }, clock),
      );
    } else if (type === undefined || !QUIET_EVENTS.has(type)) this.unknown.add(`event: ${type ?? "without a type"}`);
  }

  /** Counts are reported again and again: only a total that moved belongs to a new response. */
  private addTokenCount(info: Json | undefined): void {
    const totals = member(info, "total_token_usage");
    if (totals === undefined || jsonEqual(totals, this.totals)) return;
    this.totals = totals;
    this.endResponse();
    this.measure(codexUsage(member(info, "last_token_usage")));
  }

  private addOutcome(event: Json | undefined): void {
    const id = stringMember(event, "call_id") ?? stringMember(event, "id");
    if (id === undefined) return;
    const exitCode = numberMember(event, "exit_code");
    const result = member(event, "result");
    const failed =
      (exitCode !== undefined && exitCode !== 0) ||
      member(event, "success") === false ||
      member(event, "status") === "failed" ||
      Object.hasOwn(isObject(result) ? result : {}, "Err");
    this.outcomes.set(id, { durationMs: durationMs(member(event, "duration")), failed });
  }

  /** The history is replaced by a summary, and by what is kept beside it. */
  private compact(payload: Json | undefined): void {
    this.endResponse();
    const kept = member(payload, "replacement_history");
    this.conversation.restart();
    if (Array.isArray(kept)) {
      for (const entry of kept) {
        const item = parseResponseItem(entry, this.unknown);
        if (item.kind === "said") this.conversation.say(item.role, item.content);
        else if (item.kind === "model") this.conversation.say("assistant", item.parts);
      }
    }
    const summary = stringMember(payload, "message");
    if (summary) this.conversation.say("user", summary);
  }
}

function durationMs(duration: Json | undefined): number | undefined {
  const secs = numberMember(duration, "secs");
  const nanos = numberMember(duration, "nanos");
  return secs === undefined ? undefined : Math.round((secs * 1e3 + (nanos ?? 0) / 1e6) * 1000) / 1000;
}

interface ParsedOutput {
  readonly output: Json | undefined;
  readonly failed: boolean;
  readonly durationMs?: number | undefined;
}

/**
 * What a command printed. Older versions wrap it as JSON text with its metadata, newer ones write a head of lines above
 * `Output:`; only the exit code is taken from there, the text stays whole.
 */
function parseOutput(output: Json | undefined): ParsedOutput {
  if (typeof output !== "string") {
    const content = member(output, "content");
    return { output: content === undefined ? output : content, failed: false };
  }
  const wrapped = output.startsWith('{"output"') ? parseJsonText(output) : undefined;
  const metadata = member(wrapped, "metadata");
  if (metadata !== undefined) {
    const exitCode = numberMember(metadata, "exit_code");
    const seconds = numberMember(metadata, "duration_seconds");
    return {
      output: member(wrapped, "output"),
      failed: exitCode !== undefined && exitCode !== 0,
      durationMs: seconds === undefined ? undefined : seconds * 1000,
    };
  }
  return { output, failed: (codexExitCode(output) ?? 0) !== 0 };
}
