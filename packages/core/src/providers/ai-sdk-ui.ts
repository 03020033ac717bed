/**
 * The AI SDK's messages for a page, of every version: an answer with all its steps in one message. Since version 4.2 parts
 * (`tool-invocation`; since 5 `tool-<name>` and `dynamic-tool`) with `step-start` between steps; before that a text with
 * `toolInvocations` beside it, each with the number of its step.
 */
import { isObject, type Json, type JsonObject, member, numberMember, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { plainText } from "./chat-parts.ts";
import { parseClock } from "./clock.ts";
import type { ModelResponse } from "./conversation.ts";
import type { Spoken } from "./provider-api.ts";
import { parseUsage } from "./usage.ts";

/** Parts for the page or about the answer: nothing the agent did. */
export const UI_IGNORED =
  /^(?:step-start|source|source-url|source-document|data-.*|tool-approval-request|tool-approval-response)$/;

export function isUiMessage(message: Json): boolean {
  const parts = member(message, "parts");
  if (Array.isArray(parts)) return parts.every(isUiPart);
  return toolInvocations(message) !== undefined;
}

/** OpenTelemetry's messages have parts with a type too, but their texts stand under `content`. */
function isUiPart(part: Json): boolean {
  const type = stringMember(part, "type");
  return type !== undefined && (type !== "text" || typeof member(part, "text") === "string");
}

function toolInvocations(message: Json): readonly Json[] | undefined {
  const list = member(message, "toolInvocations");
  return Array.isArray(list) && list.length > 0 ? list : undefined;
}

/** `ownParts`: what the model itself said, as parts of a response. */
export function parseUiMessage(
  message: JsonObject,
  role: string,
  ownParts: (content: readonly Json[]) => readonly JsonObject[],
): Spoken[] {
  const parts = partsOf(message);
  if (role !== "assistant") {
    const shown = parts.filter((part) => !UI_IGNORED.test(stringMember(part, "type") ?? ""));
    return [{ kind: "said", role, content: plainText(shown) }];
  }
  const steps = stepsOf(parts);
  return steps.flatMap((step, index): Spoken[] => {
    const calls = step.map(uiCall);
    const model = step.flatMap((part, place): readonly JsonObject[] => {
      const call = calls[place]?.call;
      return call === undefined ? ownParts([part]) : [call];
    });
    const fields = index === 0 ? messageFields(message, steps.length) : {};
    return [{ kind: "model", parts: model, fields }, ...calls.flatMap((call) => call?.result ?? [])];
  });
}

/** The oldest messages have no parts: the calls came first, the text is what was said in the end. */
function partsOf(message: JsonObject): readonly Json[] {
  const parts = member(message, "parts");
  if (Array.isArray(parts) && parts.length > 0) return parts;
  const calls = toolInvocations(message) ?? [];
  const text = stringMember(message, "content");
  return [
    ...calls.map((toolInvocation) => ({ type: "tool-invocation", toolInvocation })),
    ...(text ? [{ type: "text", text }] : []),
  ];
}

/** Where no `step-start` tells, a call of another step does, and so does what is said once a tool has answered. */
function stepsOf(parts: readonly Json[]): Json[][] {
  const marked = parts.some((part) => member(part, "type") === "step-start");
  const steps: Json[][] = [];
  let step: Json[] = [];
  const endStep = () => {
    if (step.length > 0) steps.push(step);
    step = [];
  };
  for (const part of parts) {
    const type = stringMember(part, "type") ?? "";
    if (type === "step-start") endStep();
    else if (!UI_IGNORED.test(type)) {
      if (!marked && beginsStep(part, step)) endStep();
      step.push(part);
    }
  }
  endStep();
  return steps;
}

function beginsStep(part: Json, step: readonly Json[]): boolean {
  const last = step.findLast((earlier) => uiCall(earlier) !== undefined);
  if (last === undefined) return false;
  if (uiCall(part) === undefined) return uiCall(last)!.result !== undefined;
  return stepNumber(part) !== stepNumber(last);
}

function stepNumber(part: Json): number | undefined {
  return numberMember(member(part, "toolInvocation"), "step");
}

/** What applications keep beside a message by the SDK's own examples; token counts are those of the whole answer. */
function messageFields(message: JsonObject, steps: number): Omit<ModelResponse, "parts"> {
  const metadata = member(message, "metadata");
  return present({
    model: stringMember(metadata, "model"),
    clock: parseClock(member(message, "createdAt") ?? member(metadata, "createdAt")),
    usage: steps === 1 ? parseUsage(member(metadata, "usage") ?? member(metadata, "totalUsage")) : undefined,
  });
}

/** A call whose outcome is not there yet has no result. */
function uiCall(part: Json): { call: JsonObject; result?: Spoken } | undefined {
  const type = stringMember(part, "type") ?? "";
  const old = type === "tool-invocation" ? member(part, "toolInvocation") : undefined;
  const isNamed = type === "dynamic-tool" || old !== undefined;
  const name = isNamed ? stringMember(old ?? part, "toolName") : /^tool-(.+)$/s.exec(type)?.[1];
  if (name === undefined || UI_IGNORED.test(type)) return undefined;
  const whole = isObject(old) ? old : part;
  const callId = stringMember(whole, "toolCallId");
  const input = member(whole, "input") ?? member(whole, "args") ?? member(whole, "rawInput");
  const call = present({ type: "tool_use", id: callId || undefined, name, input });
  const result = outcome(whole, callId);
  return result === undefined ? { call } : { call, result };
}

function outcome(part: Json, callId: string | undefined): Spoken | undefined {
  const approval = member(part, "approval");
  switch (stringMember(part, "state")) {
    case "result":
      return { kind: "result", callId, output: member(part, "result"), isError: member(part, "isError") === true };
    case "output-available":
      return { kind: "result", callId, output: member(part, "output"), isError: false };
    case "output-error":
      return { kind: "result", callId, output: member(part, "errorText"), isError: true };
    case "approval-responded":
      return member(approval, "approved") === false ? deniedCall(callId, approval) : undefined;
    case "output-denied":
      return deniedCall(callId, approval);
    default:
      return undefined;
  }
}

/** The model is told that nobody allowed it: the call never ran. */
export function deniedCall(callId: string | undefined, answer: Json | undefined): Spoken {
  return { kind: "result", callId, output: stringMember(answer, "reason") ?? "denied", isError: true, refused: true };
}
