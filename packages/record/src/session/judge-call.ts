/** One tool call: judged when it wants to start, remembered when it may, told how it ended. */
import type { CallEvent } from "@spoor/core/internal/policy/events";
import type { Violation } from "@spoor/core/internal/policy/policy";
import { approvalRecord } from "@spoor/core/internal/trace/approval";
import type { Json } from "@spoor/core/internal/trace/json";
import type { ToolCall } from "@spoor/core/internal/trace/trace";
import { outputOf } from "../intercept/output-of.ts";
import type { CallOutcome, CallVerdict } from "../verdicts.ts";
import { record, type SessionContext } from "./session-context.ts";
import type { SessionState } from "./session-state.ts";
import { tellDecision, tellOutcome } from "./tell-decision.ts";
import { errorText, NO_VIOLATIONS, protect, raise, report, sortViolations } from "./verdict-of.ts";

export interface WantedCall {
  readonly name: string;
  readonly input: Json;
  readonly callId?: string | undefined;
  readonly agent?: string | undefined;
  /** Rules that ask, of which a person has allowed this very call. */
  readonly approved?: readonly string[] | undefined;
}

export function judgeCall(context: SessionContext, wanted: WantedCall): CallVerdict {
  const { settings } = context;
  const { name, input, callId: id, agent } = wanted;
  /** What was decided without the rules: the guard itself failed. */
  const tell = (decision: "allow" | "deny", violations: readonly Violation[]) =>
    tellDecision(context, { name, agent, id }, { decision, input, violations, blocking: violations });
  return protect<CallVerdict>(
    settings,
    () => context.step((state) => judge(context, state, wanted)),
    (violations) => ({ allowed: false, violations, settle: () => undefined }),
    () => {
      tell("allow", NO_VIOLATIONS);
      return { allowed: true, violations: NO_VIOLATIONS, settle: () => undefined };
    },
    (violations) => tell("deny", violations),
  );
}

function judge(context: SessionContext, state: SessionState, wanted: WantedCall): CallVerdict {
  const { settings, isSeen } = context;
  const announced = state.announced.take(wanted.name, wanted.input, wanted.callId);
  if (announced === undefined) countUnseen(state, isSeen, "keep");
  const made = announced === undefined ? newCall(context, state, wanted) : startedCall(announced, state, wanted);
  const timed = settings.now === undefined ? made : { ...made, startedAt: settings.now().toISOString() };
  const call = wanted.approved === undefined ? timed : { ...timed, approvals: wanted.approved };
  const event: CallEvent = { call, turn: state.latestTurn, beside: runningBeside(state) };
  const judgement = state.monitor.judgeCall(event);
  const sorted = sortViolations([judgement], settings);
  if (settings.mode !== "warn" && sorted.blocking.length === 0 && sorted.asking.length > 0) {
    // Nothing has happened yet: the call is still the one that was announced.
    if (announced !== undefined) state.announced.announce([announced]);
    tellDecision(context, call, { decision: "ask", input: wanted.input, ...sorted, blocking: sorted.asking });
    return { allowed: false, violations: sorted.violations, asks: sorted.asking, settle: () => undefined };
  }
  report(context, sorted, wanted.name);
  const isBlocked = sorted.blocking.length > 0 && settings.mode !== "warn";
  // Before anything is remembered: a call that must be logged and cannot be has not happened.
  tellDecision(context, call, {
    decision: isBlocked ? "deny" : "allow",
    input: wanted.input,
    approved: wanted.approved,
    ...sorted,
  });
  if (isBlocked) {
    if (settings.mode === "raise") throw raise(sorted.blocking, wanted.name);
    return { allowed: false, violations: sorted.blocking, settle: () => undefined };
  }
  judgement.commit();
  state.callCount++;
  state.running.set(wanted.name, (state.running.get(wanted.name) ?? 0) + 1);
  if (announced === undefined && settings.onRecord !== undefined) {
    const payload = { tool_name: wanted.name, tool_call_id: call.id!, arguments: wanted.input };
    record(context, {
      kind: "tool_call",
      payload,
      ...(call.agent === undefined ? {} : { meta: { agent: call.agent } }),
    });
  }
  const { approved = [] } = wanted;
  if (approved.length > 0) {
    const input = announced?.input ?? wanted.input;
    record(context, approvalRecord({ id: call.id ?? "", name: wanted.name, input, rules: approved }));
  }
  let settled = false;
  return {
    allowed: true,
    violations: sorted.violations,
    settle(outcome) {
      if (settled) return;
      settled = true;
      settle(context, event.call, outcome);
    },
  };
}

/** Calls that started where the guard could not see it, as far as it knows: they count, though nobody could stop them. */
export function countUnseen(state: SessionState, isSeen: (tool: string) => boolean, rest: "keep" | "drop"): void {
  for (const call of state.announced.takeUnseen(isSeen, rest)) {
    state.monitor.judgeCall({ call, turn: state.latestTurn }).commit();
    state.callCount++;
  }
}

function endRunning(running: Map<string, number>, name: string): void {
  const others = (running.get(name) ?? 1) - 1;
  if (others > 0) running.set(name, others);
  else running.delete(name);
}

function newCall({ id }: SessionContext, state: SessionState, { name, input, callId, agent }: WantedCall): ToolCall {
  return {
    id: callId ?? `guarded-${id}-${state.unnamedCount++}`,
    name,
    input,
    status: "unknown",
    turnIndex: state.turnCount - 1,
    position: state.callCount,
    standalone: true,
    ...(agent === undefined ? {} : { agent }),
  };
}

/** A call that a response asked for, as it really starts. */
function startedCall(announced: ToolCall, state: SessionState, { input, agent }: WantedCall): ToolCall {
  const acting = agent === undefined || announced.agent !== undefined ? {} : { agent };
  return { ...announced, ...acting, input, position: state.callCount };
}

const NONE_RUNNING: readonly string[] = [];

function runningBeside({ running }: SessionState): readonly string[] {
  return running.size === 0 ? NONE_RUNNING : [...running.keys()];
}

/** A call that threw is recorded as failed: an attempt that went wrong is visible to later rules. */
function settle(context: SessionContext, call: ToolCall, outcome: CallOutcome): void {
  const { settings } = context;
  try {
    context.step((state) => {
      if (state.closed) return;
      endRunning(state.running, call.name);
      const ended = endedCall(call, outcome);
      tellOutcome(context, call, ended.status === "error" ? "error" : "ok");
      const violations = state.monitor.result({ call: ended, turn: state.latestTurn });
      report(context, { violations, blocking: NO_VIOLATIONS }, call.name);
      if (settings.onRecord === undefined) return;
      const output = ended.output ?? null;
      const payload = { tool_call_id: call.id ?? "", output, is_error: ended.status === "error" };
      record(context, { kind: "tool_result", payload });
    });
  } catch (error) {
    settings.onError?.(error);
  }
}

/** Of what cannot be written down nothing is claimed: the output stays absent, and rules that need it say so. */
function endedCall(call: ToolCall, outcome: CallOutcome): ToolCall {
  if ("error" in outcome) {
    const message = errorText(outcome.error);
    return { ...call, status: "error", output: message, error: { message } };
  }
  const output = outputOf(outcome.output);
  return output === undefined ? { ...call, status: "ok" } : { ...call, status: "ok", output };
}
