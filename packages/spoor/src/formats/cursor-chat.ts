/**
 * The messages of one chat of Cursor → records. An answer of the model is spread over messages: a thought, a text, then a message per call. Calls that name the
 * same call of the model belong to one answer; otherwise what follows a call is a new answer, since the call had returned by then.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import { type Clock, parseClock } from "@spoor/core/internal/providers/clock";
import { Conversation } from "@spoor/core/internal/providers/conversation";
import type { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { tokenUsage } from "@spoor/core/internal/providers/usage";
import { parseJsonText } from "@spoor/core/internal/trace/call-shape";
import { isObject, member, nameMember, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";

const USER = 1;
const ASSISTANT = 2;

export class CursorChat {
  private readonly conversation: Conversation;
  private readonly unknown: UnknownCounter;
  private model: string | undefined;
  private answer: Answer | undefined;

  constructor(records: TraceRecord[], unknown: UnknownCounter, model: string | undefined) {
    this.conversation = new Conversation(records);
    this.unknown = unknown;
    this.model = modelName(model);
  }

  add(message: Json): void {
    const type = member(message, "type");
    if (type === USER) this.ask(message);
    else if (type === ASSISTANT) this.speak(message);
    else this.unknown.add(message === null ? "message that is not in the store" : `message of type ${shown(type)}`);
  }

  finish(): string[] {
    this.close();
    return this.conversation.notes();
  }

  private ask(message: Json): void {
    this.close();
    // Who answers is said where it is asked; a chat may change its model.
    this.model = modelName(stringMember(member(message, "modelInfo"), "modelName")) ?? this.model;
    this.conversation.say("user", stringMember(message, "text") ?? "");
  }

  private speak(message: Json): void {
    const call = member(message, "toolFormerData");
    const thought = stringMember(member(message, "thinking"), "text");
    const text = stringMember(message, "text");
    const parts: JsonObject[] = [];
    if (thought) parts.push({ type: "thinking", text: thought });
    if (text) parts.push({ type: "text", text });
    const modelCall = stringMember(call, "modelCallId") || undefined;
    const open = this.answer;
    if (open !== undefined && open.calls.length > 0) {
      const isSame = parts.length === 0 && modelCall !== undefined && modelCall === open.modelCall;
      if (!isSame) this.close();
    }
    this.answer ??= { parts: [], calls: [], modelCall: undefined, clock: undefined, usage: undefined };
    this.answer.parts.push(...parts);
    this.answer.clock ??= parseClock(member(message, "createdAt"));
    this.answer.usage = usageOf(member(message, "tokenCount")) ?? this.answer.usage;
    if (isObject(call)) this.addCall(call, modelCall);
  }

  private addCall(call: JsonObject, modelCall: string | undefined): void {
    const name = nameMember(call, "name");
    if (name === undefined) {
      this.unknown.add("tool call without a name");
      return;
    }
    const id = stringMember(call, "toolCallId") || undefined;
    this.answer!.parts.push(present({ type: "tool_use", id, name, input: inputOf(call) }));
    this.answer!.calls.push({ id, call });
    this.answer!.modelCall = modelCall;
  }

  /** Tells the answer and what its calls returned. A message that says nothing (a mark of the page) is none. */
  private close(): void {
    const { answer } = this;
    this.answer = undefined;
    if (answer === undefined || answer.parts.length === 0) return;
    const { parts, clock, usage } = answer;
    this.conversation.respond({ parts, model: this.model, clock, usage });
    for (const { id, call } of answer.calls) this.result(id, call);
  }

  /** A call that is loading has no outcome yet. */
  private result(callId: string | undefined, call: JsonObject): void {
    const status = stringMember(call, "status");
    const output = parsed(member(call, "result"));
    const error = parsed(member(call, "error")) ?? parsed(member(output, "error"));
    const refused = member(call, "userDecision") === "rejected" || member(output, "rejected") === true;
    const failed =
      status === "error" || error !== undefined || member(member(call, "additionalData"), "status") === "error";
    const exitCode = numberMember(output, "exitCodeV2") ?? numberMember(output, "exitCode") ?? 0;
    const cancelled = status === "cancelled";
    if (!refused && !failed && !cancelled && output === undefined) return;
    const told = stringMember(error, "modelVisibleErrorMessage") || error || output;
    this.conversation.result({
      callId,
      output: told ?? (refused ? "rejected by the user" : status),
      isError: failed || refused || cancelled || exitCode !== 0,
      refused,
      latencyMs: null,
    });
  }
}

interface Answer {
  readonly parts: JsonObject[];
  readonly calls: { readonly id: string | undefined; readonly call: JsonObject }[];
  modelCall: string | undefined;
  clock: Clock | undefined;
  usage: JsonObject | undefined;
}

/** "default" is what Cursor chooses, and says nothing. */
function modelName(name: string | undefined): string | undefined {
  return name === undefined || name === "" || name === "default" ? undefined : name;
}

/** What the model wrote; what Cursor made of it where that was not kept. Tools of MCP servers stand inside an envelope. */
function inputOf(call: JsonObject): Json | undefined {
  const raw = parsed(member(call, "rawArgs"));
  const input = isObject(raw) && Object.keys(raw).length === 0 ? (parsed(member(call, "params")) ?? raw) : raw;
  const given = input ?? parsed(member(call, "params"));
  const inner = member(given, "args");
  return stringMember(given, "toolName") !== undefined && isObject(inner) ? inner : given;
}

/** A value, kept as itself or as JSON text. */
function parsed(value: Json | undefined): Json | undefined {
  if (value === undefined || value === null || value === "") return undefined;
  return typeof value === "string" ? (parseJsonText(value) ?? value) : value;
}

/** Most messages count nothing and say 0. */
function usageOf(count: Json | undefined): JsonObject | undefined {
  const input = numberMember(count, "inputTokens");
  const output = numberMember(count, "outputTokens");
  if (!input && !output) return undefined;
  return tokenUsage({
    input,
    output,
    cached: undefined,
    written: undefined,
    thinking: undefined,
    includedInput: 0,
    includedOutput: 0,
  });
}

function shown(type: Json | undefined): string {
  return typeof type === "number" || typeof type === "string" ? String(type) : "none";
}
