/** One guarded conversation: judges turns and calls in the order in which they want to happen. */

import { reaches } from "@spoor/core/internal/judgement/severity";
import { TurnEvent } from "@spoor/core/internal/policy/events";
import { createMonitor, type Judgement } from "@spoor/core/internal/policy/monitor";
import { type Path, valueAt } from "@spoor/core/internal/policy/path";
import type { Policy, Violation } from "@spoor/core/internal/policy/policy";
import { decodeResponses, decodeTurn, encodeLike } from "@spoor/core/internal/providers/decode-turn";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { type Json, type JsonObject, jsonEqual, stringifyJson } from "@spoor/core/internal/trace/json";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { type ConversationCutter, createConversationCutter } from "@spoor/core/internal/trace/sessions";
import type { ToolCall, Turn } from "@spoor/core/internal/trace/trace";
import type { GuardMode, GuardOptions } from "./guard-options.ts";
import { blockedResponse, describeViolations } from "./placeholders.ts";
import { PolicyViolationError } from "./policy-violation-error.ts";
import type { CallOutcome, CallVerdict, CloseReport, TurnVerdict } from "./verdicts.ts";
import { wrapTools } from "./wrap-tools.ts";

export interface GuardSession {
  readonly id: string;
  /**
   * Judges a response, with the calls it asks for, before it is handed on. Request and response as the API has them (OpenAI
   * chat and Responses, Anthropic, Gemini, Bedrock Converse, AI SDK), or as `.agentlog` payloads.
   */
  turn(request: JsonObject, response: JsonObject): TurnVerdict;
  /** The same tools, each judged before it runs. Plain functions, Vercel AI SDK, OpenAI Agents and MCP shapes. */
  wrapTools<T>(tools: T): T;
  /** Judges one call; for frameworks whose tools cannot be wrapped. Call `settle` with its outcome when it ran. */
  judgeCall(name: string, input: Json, callId?: string): CallVerdict;
  close(): CloseReport;
}

type Settings = GuardOptions & { readonly mode: GuardMode };

const NO_VIOLATIONS: readonly Violation[] = [];

export function createGuardSession(id: string, policy: Policy, settings: Settings, onClose: () => void): GuardSession {
  const monitor = createMonitor(policy, {
    traceNames: [id],
    ...(settings.now === undefined ? {} : { today: settings.now().toISOString().slice(0, 10) }),
  });
  let cutter = createConversationCutter();
  const sessionKeys = new Map<string, number>();
  const blockFrom = settings.blockFrom ?? "minor";
  let turnCount = 0;
  let callCount = 0;
  let probeCount = 0;
  let currentSession = 0;
  let latestTurn: TurnEvent | undefined;
  /** Calls the latest response asked for that have not started yet: already judged with it. */
  let announced: ToolCall[] = [];
  let closed = false;

  return { id, turn, judgeCall, wrapTools: (tools) => wrapTools(tools, { judgeCall, settings }), close };

  function turn(request: JsonObject, response: JsonObject): TurnVerdict {
    requireOpen();
    return protect<TurnVerdict>(
      () => {
        const decoded = decodeTurn(request, response);
        const event = turnEventOf(decoded.request, decoded.responses[0]!);
        const { session, cut } = sessionOf(event);
        // Nobody knows yet which choice the agent will go on with, so one that is not allowed spoils the answer.
        const others = decoded.responses.slice(1).map((other) => judge(turnEventOf(decoded.request, other), session));
        const judgement = judge(event, session);
        const { violations, blocking } = sort([judgement, ...others]);
        const blocked = blocking.length > 0;
        report(violations, blocked);
        if (!blocked || settings.mode === "warn") {
          accept(judgement, event, session, cut);
          return { allowed: true, response, violations };
        }
        if (settings.mode === "raise") throw raise(blocking);
        const replacement = replaceResponse(blocking, response, decoded.responses[0]!);
        // The stand-in is what the conversation goes on with, so it is what the rules remember.
        const standIn = turnEventOf(decoded.request, decodeResponses(request, replacement)[0]!);
        accept(judge(standIn, session), standIn, session, cut);
        return { allowed: false, response: replacement, violations };
      },
      (violations) => ({ allowed: false, response: replaceResponse(violations, response, response), violations }),
      () => ({ allowed: true, response, violations: NO_VIOLATIONS }),
    );
  }

  function judgeCall(name: string, input: Json, callId?: string): CallVerdict {
    requireOpen();
    const known = takeAnnounced(name, input, callId);
    if (known !== undefined)
      return { allowed: true, violations: NO_VIOLATIONS, settle: (outcome) => settle(known, outcome) };
    return protect<CallVerdict>(
      () => {
        const call: ToolCall = {
          id: callId ?? `guarded-${id}-${probeCount++}`,
          name,
          input,
          status: "unknown",
          turnIndex: turnCount - 1,
          position: callCount,
          standalone: true,
        };
        const judgement = monitor.judgeCall({ call, turn: latestTurn });
        const { violations, blocking } = sort([judgement]);
        const blocked = blocking.length > 0;
        report(violations, blocked, name);
        if (blocked && settings.mode === "raise") throw raise(blocking, name);
        if (blocked && settings.mode === "replace")
          return { allowed: false, violations: blocking, settle: () => undefined };
        judgement.commit();
        callCount++;
        record({ kind: "tool_call", payload: { tool_name: name, tool_call_id: call.id!, arguments: input } });
        return { allowed: true, violations, settle: (outcome) => settle(call, outcome) };
      },
      (violations) => ({ allowed: false, violations, settle: () => undefined }),
      () => ({ allowed: true, violations: NO_VIOLATIONS, settle: () => undefined }),
    );
  }

  /** A call that threw is recorded as failed: an attempt that went wrong is visible to later rules. */
  function settle(call: ToolCall, outcome: CallOutcome): void {
    if (closed) return;
    try {
      const failed = "error" in outcome;
      const message = failed ? errorText(outcome.error) : undefined;
      const output = failed ? message! : toJson(outcome.output);
      const ended: ToolCall = failed
        ? { ...call, status: "error", output, error: { message: message! } }
        : { ...call, status: "ok", output };
      const violations = monitor.result({ call: ended, turn: latestTurn });
      if (violations.length > 0) report(violations, false, call.name);
      record({ kind: "tool_result", payload: { tool_call_id: call.id ?? "", output, is_error: failed } });
    } catch (error) {
      settings.onError?.(error);
    }
  }

  function close(): CloseReport {
    if (closed) return { violations: [], notEvaluated: [] };
    closed = true;
    onClose();
    const outcomes = monitor.close();
    const report = {
      violations: outcomes.flatMap((outcome) => outcome.violations),
      notEvaluated: outcomes.flatMap((outcome) =>
        outcome.notEvaluated.map((why) => ({ ruleId: outcome.rule.id, why })),
      ),
    };
    return report;
  }

  function requireOpen(): void {
    if (closed) throw new Error(`The guard session "${id}" is closed.`);
  }

  function accept(judgement: Judgement, event: TurnEvent, session: number, cut: ConversationCutter): void {
    judgement.commit();
    cut.next({ kind: "chat_response", payload: event.response });
    cutter = cut;
    latestTurn = event;
    currentSession = session;
    turnCount++;
    callCount += event.turn.toolCalls.length;
    announced = [...event.turn.toolCalls];
    record({ kind: "chat_request", payload: event.request });
    record({ kind: "chat_response", payload: event.response });
  }

  /** A judgement of the monitor; only the latest one may be committed. */
  function judge(event: TurnEvent, session: number): Judgement {
    const calls = event.turn.toolCalls.map((call) => ({ call, turn: event }));
    return monitor.judgeTurn(event, session, calls);
  }

  function turnEventOf(request: JsonObject, response: JsonObject): TurnEvent {
    const built = buildTrace([
      { kind: "chat_request", payload: request },
      { kind: "chat_response", payload: response },
    ]).turns[0]!;
    const toolCalls = built.toolCalls.map((call, index) => ({
      ...call,
      turnIndex: turnCount,
      position: callCount + index,
    }));
    const turn: Turn = { ...built, index: turnCount, sessionIndex: currentSession, toolCalls };
    return new TurnEvent(turn);
  }

  /** The session of a turn, tried on a fork: a turn that is rolled back must not move the cut. */
  function sessionOf(event: TurnEvent): { session: number; cut: ConversationCutter } {
    const cut = cutter.fork();
    const session = cut.next({ kind: "chat_request", payload: event.request });
    return { session: policy.sessionKey === undefined ? session : keyedSession(policy.sessionKey, event), cut };
  }

  function keyedSession(path: Path, event: TurnEvent): number {
    const value = valueAt(path, event.context);
    if (value === undefined) return currentSession;
    const key = stringifyJson(value);
    if (!sessionKeys.has(key)) sessionKeys.set(key, sessionKeys.size);
    return sessionKeys.get(key)!;
  }

  /** The announced call that now starts: by id where the framework gives one, else by name and equal arguments. */
  function takeAnnounced(name: string, input: Json, callId: string | undefined): ToolCall | undefined {
    const index = announced.findIndex((call) =>
      callId !== undefined && call.id !== undefined
        ? call.id === callId
        : call.name === name && jsonEqual(call.input ?? {}, input),
    );
    return index < 0 ? undefined : announced.splice(index, 1)[0];
  }

  /** What several choices break in the same way is said once. */
  function sort(judgements: readonly Judgement[]): {
    violations: readonly Violation[];
    blocking: readonly Violation[];
  } {
    let violations: Violation[] = [];
    for (const { violations: broken, notEvaluated } of judgements) {
      const known = violations;
      const further = [...broken, ...notEvaluated.map(unjudged)];
      violations = [...known, ...further.filter((violation) => !known.some((other) => isSame(other, violation)))];
    }
    return {
      violations,
      blocking: violations.filter((violation) => reaches(violation.severity, blockFrom)),
    };
  }

  function report(violations: readonly Violation[], blocked: boolean, tool?: string): void {
    if (violations.length === 0 || settings.onViolation === undefined) return;
    try {
      settings.onViolation({
        sessionId: id,
        violations,
        blocked: blocked && settings.mode !== "warn",
        ...(tool === undefined ? {} : { tool }),
      });
    } catch {
      // A listener must not change what is allowed.
    }
  }

  function record(entry: TraceRecord): void {
    try {
      settings.onRecord?.(entry, id);
    } catch (error) {
      settings.onError?.(error);
    }
  }

  function replaceResponse(violations: readonly Violation[], original: JsonObject, payload: JsonObject): JsonObject {
    const own = settings.responsePlaceholder?.(violations, original);
    return own ?? encodeLike(original, blockedResponse(violations, payload));
  }

  /** Whatever goes wrong inside the guard is a no, unless the caller asked for the opposite. */
  function protect<T>(judge: () => T, blocked: (violations: readonly Violation[]) => T, open: () => T): T {
    try {
      return judge();
    } catch (error) {
      if (error instanceof PolicyViolationError) throw error;
      settings.onError?.(error);
      if (settings.failOpen === true) return open();
      const violations = [guardFailure(error)];
      if (settings.mode === "raise") throw raise(violations);
      return blocked(violations);
    }
  }
}

function raise(violations: readonly Violation[], tool?: string): PolicyViolationError {
  const what = tool === undefined ? "The response" : `The call of ${tool}`;
  return new PolicyViolationError(`${what} is not allowed: ${describeViolations(violations)}`, violations);
}

function isSame(left: Violation, right: Violation): boolean {
  return left.ruleId === right.ruleId && left.subject === right.subject && left.message === right.message;
}

/** A rule that cannot be judged, as something to block on. */
function unjudged({ ruleId, why }: { ruleId: string; why: string }): Violation {
  return internalViolation(ruleId, "not_evaluated", `Rule ${ruleId} could not be evaluated: ${why}`);
}

function guardFailure(error: unknown): Violation {
  return internalViolation(
    "spoor.guard",
    "guard_failed",
    `The guard itself failed, so nothing is let through: ${errorText(error)}`,
  );
}

function internalViolation(ruleId: string, code: string, message: string): Violation {
  return {
    ruleId,
    kind: "guard",
    severity: "severe",
    turnIndex: null,
    sessionIndex: null,
    code,
    message,
    facts: {},
    subject: code,
    evidence: {},
  };
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** What a tool returned, as JSON; what has no JSON form is written as text, never dropped. */
function toJson(value: unknown): Json {
  if (value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean" || value === null)
    return value;
  try {
    const text = JSON.stringify(value);
    return text === undefined ? String(value) : (JSON.parse(text) as Json);
  } catch {
    return String(value);
  }
}
