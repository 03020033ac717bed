/**
 * The events of one OpenHands run → records. Actions that came of one model response (`model_response.id`, `llm_response_id`) are one turn;
 * an action without one is a turn of its own. An observation answers by the id of the call, or by the number of the action that caused it.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { plainText } from "@spoor/core/internal/providers/chat-parts";
import { toolDefinitions } from "@spoor/core/internal/providers/chat-shapes";
import { type Clock, namesZone, parseClock } from "@spoor/core/internal/providers/clock";
import {
  Conversation,
  errorRecord,
  type JsonFields,
  type ModelResponse,
  metadataRecord,
} from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { stopReason } from "@spoor/core/internal/providers/stop-reason";
import { parseUsage } from "@spoor/core/internal/providers/usage";
import { firstMember, parseArguments } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, numberMember, scalarText, setMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import type { ImportedTrace } from "./format.ts";
import { metricsOfResponses, type ResponseMetrics } from "./openhands-metrics.ts";

/** About the session, not done by the agent. */
const QUIET = new Set([
  "change_agent_state",
  "agent_state_changed",
  "recall",
  "null",
  "pause",
  "start",
  "loop_recovery",
]);
const QUIET_KINDS = /^(?:Pause|Token|ConversationStateUpdate)Event$|^CondensationRequest$/;
/** Members of an action beside its arguments. */
const NOT_ARGUMENTS = new Set([
  "thought",
  "hidden",
  "confirmation_state",
  "security_risk",
  "is_input",
  "blocking",
  "kind",
  "task_completed",
]);

/** What the events tell of a response beside its parts. */
type Fields = Pick<ModelResponse, "model" | "usage" | "stopReason" | "clock">;

interface Pending {
  readonly responseId: string | undefined;
  readonly parts: JsonObject[];
  readonly fields: Fields;
}

export class OpenHandsRun {
  private readonly unknown = new UnknownCounter();
  private readonly records: TraceRecord[] = [];
  private readonly conversation = new Conversation(this.records);
  private readonly model: string | undefined;
  private readonly metrics: ReadonlyMap<string, ResponseMetrics>;
  private readonly error: string | undefined;
  private tools: readonly Json[] | undefined;
  private readonly callOfEvent = new Map<string, string>();
  private pending: Pending | undefined;
  private zoneless = false;

  /** `result` is what an evaluation tells of the run beside its events. */
  constructor(result?: Json) {
    this.model = stringMember(member(member(result, "metadata"), "llm_config"), "model");
    this.metrics = metricsOfResponses(member(result, "metrics"));
    this.error = stringMember(result, "error") || undefined;
  }

  read(events: readonly Json[], metadata: JsonFields): ImportedTrace {
    for (const event of events) this.add(event);
    this.flush();
    // A run that was broken off has no event for it.
    if (this.error !== undefined) this.fail(this.error, undefined);
    const notes = [
      ...(this.zoneless ? ["the clock names no time zone; it is read as UTC"] : []),
      ...this.conversation.notes(),
    ];
    const clock = parseClock(member(events[0], "timestamp"));
    return {
      records: [metadataRecord(undefined, { agent: "OpenHands", ...metadata }, clock), ...this.records],
      ...this.unknown.result(),
      ...(notes.length === 0 ? {} : { notes }),
    };
  }

  private add(event: Json): void {
    const clock = parseClock(member(event, "timestamp"));
    if (clock !== undefined && !namesZone(member(event, "timestamp"))) this.zoneless = true;
    const kind = stringMember(event, "kind");
    const action = stringMember(event, "action");
    const observation = stringMember(event, "observation");
    if (kind !== undefined) this.addKind(event, kind, clock);
    else if (action !== undefined) this.addAction(event, action, clock);
    else if (observation !== undefined) this.addObservation(event, observation, clock);
    else this.unknown.add("event without action or observation");
  }

  private addAction(event: Json, action: string, clock: Clock | undefined): void {
    const args = member(event, "args");
    const content = member(args, "content") ?? member(event, "message");
    if (QUIET.has(action) || action === "condensation_request") return;
    if (action === "condensation") this.condense(stringMember(args, "summary"), clock);
    else if (action === "system") this.instruct(content, member(args, "tools"));
    else if (action === "message" && stringMember(event, "source") !== "agent") this.say("user", content);
    else this.done(event, action, args, content, clock);
  }

  private done(
    event: Json,
    action: string,
    args: Json | undefined,
    content: Json | undefined,
    clock: Clock | undefined,
  ): void {
    const told = member(event, "tool_call_metadata");
    const response = member(told, "model_response");
    const responseId = stringMember(response, "id");
    const choices = member(response, "choices");
    const choice = Array.isArray(choices) ? choices[0] : undefined;
    const thought = stringMember(member(choice, "message"), "content") ?? stringMember(args, "thought");
    const fields = {
      model: stringMember(response, "model") ?? this.model,
      usage: parseUsage(member(response, "usage")),
      stopReason: stopReason(stringMember(choice, "finish_reason"), action !== "message"),
      clock,
    };
    if (action === "message") {
      this.open(responseId, typeof content === "string" ? content : undefined, fields);
      return;
    }
    this.open(responseId, thought, fields);
    const id =
      stringMember(told, "tool_call_id") ?? `event-${scalarText(member(event, "id")) ?? this.callOfEvent.size}`;
    const name = stringMember(told, "function_name") ?? action;
    this.call(event, id, name, writtenArguments(choice, id) ?? argumentsOf(args));
  }

  private addObservation(event: Json, observation: string, clock: Clock | undefined): void {
    if (QUIET.has(observation)) return;
    const extras = member(event, "extras");
    const callId =
      stringMember(member(event, "tool_call_metadata"), "tool_call_id") ??
      this.callOfEvent.get(scalarText(member(event, "cause")) ?? "none");
    const exit = numberMember(extras, "exit_code") ?? numberMember(member(extras, "metadata"), "exit_code") ?? 0;
    const isError = observation === "error" || member(event, "success") === false || exit > 0;
    if (callId === undefined && observation === "error") {
      this.fail(stringMember(event, "content") ?? "error", clock);
      return;
    }
    this.result(
      callId,
      member(event, "content"),
      isError || observation === "user_rejected",
      observation === "user_rejected",
      clock,
    );
  }

  private addKind(event: Json, kind: string, clock: Clock | undefined): void {
    if (QUIET_KINDS.test(kind)) return;
    const message = member(event, "llm_message");
    const content = plainText(member(message, "content"));
    const callId =
      stringMember(event, "tool_call_id") ?? this.callOfEvent.get(stringMember(event, "action_id") ?? "none");
    if (kind === "SystemPromptEvent")
      this.instruct(member(member(event, "system_prompt"), "text"), member(event, "tools"));
    else if (kind === "MessageEvent" && stringMember(event, "source") !== "agent") this.say("user", content);
    else if (kind === "MessageEvent")
      this.open(stringMember(event, "llm_response_id"), textOf(content), this.fieldsAt(clock));
    else if (kind === "ActionEvent") this.addActionEvent(event, clock);
    else if (kind === "ObservationEvent") this.addObservationEvent(event, callId, clock);
    else if (kind === "AgentErrorEvent") this.result(callId, member(event, "error"), true, false, clock);
    else if (kind === "UserRejectObservation")
      this.result(callId, member(event, "rejection_reason"), true, true, clock);
    else if (kind === "ConversationErrorEvent") this.fail(stringMember(event, "detail") ?? "error", clock);
    else if (kind.startsWith("Condensation")) this.condense(stringMember(event, "summary"), clock);
    else this.unknown.add(kind);
  }

  private addActionEvent(event: Json, clock: Clock | undefined): void {
    const said = textOf(plainText(member(event, "thought")));
    this.open(
      stringMember(event, "llm_response_id"),
      said,
      this.fieldsAt(clock),
      stringMember(event, "reasoning_content"),
    );
    const call = member(event, "tool_call");
    const id = stringMember(event, "tool_call_id") ?? stringMember(call, "id") ?? `event-${this.callOfEvent.size}`;
    const name = stringMember(event, "tool_name") ?? stringMember(call, "name") ?? "";
    const written = firstMember(call, ["arguments"]) ?? firstMember(member(call, "function"), ["arguments"]);
    this.call(event, id, name, written === undefined ? argumentsOf(member(event, "action")) : parseArguments(written));
  }

  private addObservationEvent(event: Json, callId: string | undefined, clock: Clock | undefined): void {
    const seen = member(event, "observation");
    const error = member(seen, "error");
    const isError =
      member(seen, "is_error") === true ||
      error === true ||
      (typeof error === "string" && error !== "") ||
      (numberMember(seen, "exit_code") ?? 0) > 0;
    const output = firstMember(seen, ["content", "output"]) ?? (isObject(seen) ? seen : undefined);
    this.result(callId, plainText(output), isError, false, clock);
  }

  private fieldsAt(clock: Clock | undefined): Fields {
    return { model: this.model, clock };
  }

  /** Goes on with the response that is open when this belongs to it, or begins one. */
  private open(responseId: string | undefined, text: string | undefined, fields: Fields, thinking?: string): void {
    if (this.pending !== undefined && responseId !== undefined && this.pending.responseId === responseId) return;
    this.flush();
    const parts: JsonObject[] = [];
    if (thinking) parts.push({ type: "thinking", text: thinking });
    if (text) parts.push({ type: "text", text });
    this.pending = { responseId, parts, fields };
  }

  private call(event: Json, id: string, name: string, input: Json | undefined): void {
    this.pending!.parts.push(present({ type: "tool_use", id, name, input }));
    this.callOfEvent.set(scalarText(member(event, "id")) ?? id, id);
  }

  private flush(): void {
    if (this.pending === undefined) return;
    const { parts, fields, responseId } = this.pending;
    const measured = this.metrics.get(responseId ?? "");
    const usage = fields.usage ?? measured?.usage;
    this.conversation.respond({ ...fields, parts, usage, latencyMs: measured?.latencyMs, tools: this.tools });
    this.pending = undefined;
  }

  private result(
    callId: string | undefined,
    output: Json | undefined,
    isError: boolean,
    refused: boolean,
    clock: Clock | undefined,
  ): void {
    this.flush();
    this.conversation.result({ callId, output, isError, refused, clock });
  }

  private say(role: string, content: Json | undefined): void {
    this.flush();
    this.conversation.say(role, content);
  }

  private instruct(prompt: Json | undefined, tools: Json | undefined): void {
    const definitions = toolDefinitions(tools);
    if (definitions !== undefined && definitions.length > 0) this.tools = definitions;
    this.say("system", prompt);
  }

  private condense(summary: string | undefined, clock: Clock | undefined): void {
    this.flush();
    this.conversation.restart(clock);
    if (summary !== undefined) this.conversation.say("user", summary);
  }

  private fail(message: string, clock: Clock | undefined): void {
    this.flush();
    this.records.push(errorRecord({ source: "sdk", message }, clock));
  }
}

/** What the model itself wrote as arguments; the action may have been completed with defaults. */
function writtenArguments(choice: Json | undefined, id: string): Json | undefined {
  const calls = member(member(choice, "message"), "tool_calls");
  const own = Array.isArray(calls) ? calls.find((call) => member(call, "id") === id) : undefined;
  return parseArguments(member(member(own, "function"), "arguments"));
}

function argumentsOf(args: Json | undefined): Json | undefined {
  if (!isObject(args)) return args;
  const own: Record<string, Json> = {};
  for (const key of Object.keys(args)) if (!NOT_ARGUMENTS.has(key)) setMember(own, key, args[key]!);
  return own;
}

function textOf(content: Json | undefined): string | undefined {
  return typeof content === "string" && content !== "" ? content : undefined;
}
