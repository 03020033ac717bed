/** One tool call: judged when it wants to start, remembered when it may, told how it ended. */
import type { Violation } from "@spoor/core/internal/policy/policy";
import { redactValue } from "@spoor/core/internal/policy/redact-value";
import { approvalRecord } from "@spoor/core/internal/trace/approval";
import type { Json } from "@spoor/core/internal/trace/json";
import type { ToolCall } from "@spoor/core/internal/trace/trace";
import type { CallVerdict, ResultVerdict, SettleOptions } from "../verdicts.ts";
import { settleCall } from "./judge-result.ts";
import { record, type SessionContext } from "./session-context.ts";
import type { SessionState } from "./session-state.ts";
import { tellDecision } from "./tell-decision.ts";
import { answerFailure, NO_VIOLATIONS, raise, report, sortJudgement } from "./verdict-of.ts";

export interface WantedCall {
  readonly name: string;
  readonly input: Json;
  readonly callId?: string | undefined;
  readonly agent?: string | undefined;
  /** Rules that ask, of which a person has allowed this very call. */
  readonly approved?: readonly string[] | undefined;
}

export function judgeCall(context: SessionContext, wanted: WantedCall): CallVerdict {
  try {
    return context.step((state) => judge(context, state, wanted));
  } catch (error) {
    return withoutRules(context, wanted, error);
  }
}

/** What is decided without the rules: the guard itself failed. */
function withoutRules(context: SessionContext, wanted: WantedCall, error: unknown): CallVerdict {
  const { name, input, callId: id, agent } = wanted;
  const tell = (decision: "allow" | "deny", violations: readonly Violation[]) =>
    tellDecision(context, { name, agent, id }, { decision, input, violations, blocking: violations });
  return answerFailure<CallVerdict>(
    context.settings,
    error,
    (violations) => ({ ...NOT_ALLOWED, violations }),
    () => {
      tell("allow", NO_VIOLATIONS);
      return { allowed: true, violations: NO_VIOLATIONS, settle: () => SETTLED };
    },
    (violations) => tell("deny", violations),
  );
}

/** Nothing more is to be said of a call that was settled, or of which the guard knows nothing. */
const SETTLED: ResultVerdict = { allowed: true, violations: NO_VIOLATIONS };
const NOT_ALLOWED = { allowed: false, settle: () => SETTLED } as const;

function judge(context: SessionContext, state: SessionState, wanted: WantedCall): CallVerdict {
  const { settings, isSeen } = context;
  const announced = state.announced.take(wanted.name, wanted.input, wanted.callId);
  if (announced === undefined) countUnseen(state, isSeen, "keep");
  const call = announced === undefined ? newCall(context, state, wanted) : startedCall(announced, state, wanted);
  if (settings.now !== undefined) call.startedAt = settings.now().toISOString();
  if (wanted.approved !== undefined) call.approvals = wanted.approved;
  const judgement = state.monitor.judgeCall({
    call,
    turn: state.latestTurn,
    beside: state.running.names,
    numbered: announced === undefined && wanted.callId === undefined,
  });
  const sorted = sortJudgement(judgement, settings);
  const isOpen = settings.mode !== "warn" && sorted.blocking.length === 0;
  if (isOpen && sorted.asking.length + sorted.redacting.length > 0) {
    // Nothing has happened yet: the call is still the one that was announced.
    if (announced !== undefined) state.announced.announce([announced]);
    if (sorted.asking.length === 0) {
      const redacted = redactValue(context.policy.rules, sorted.redacting, wanted.input);
      return { ...NOT_ALLOWED, violations: sorted.violations, redacted };
    }
    tellDecision(context, call, { decision: "ask", input: wanted.input, ...sorted, blocking: sorted.asking });
    return { ...NOT_ALLOWED, violations: sorted.violations, asks: sorted.asking };
  }
  report(context, sorted, wanted.name);
  const isBlocked = sorted.blocking.length > 0 && settings.mode !== "warn";
  // Before anything is remembered: a call that must be logged and cannot be has not happened.
  if (settings.onDecision !== undefined) {
    const decision = isBlocked ? "deny" : "allow";
    tellDecision(context, call, { decision, input: wanted.input, approved: wanted.approved, ...sorted });
  }
  if (isBlocked) {
    if (settings.mode === "raise") throw raise(sorted.blocking, wanted.name);
    return { ...NOT_ALLOWED, violations: sorted.blocking };
  }
  judgement.commit();
  state.callCount++;
  state.running.start(wanted.name);
  if (announced === undefined && settings.onRecord !== undefined) {
    const payload = { tool_name: wanted.name, tool_call_id: call.id!, arguments: wanted.input };
    record(context, {
      kind: "tool_call",
      payload,
      ...(call.agent === undefined ? {} : { meta: { agent: call.agent } }),
    });
  }
  const { approved } = wanted;
  if (approved !== undefined && approved.length > 0) {
    const input = announced?.input ?? wanted.input;
    record(context, approvalRecord({ id: call.id ?? "", name: wanted.name, input, rules: approved }));
  }
  return allowedCall(context, call, sorted.violations);
}

function allowedCall(context: SessionContext, call: ToolCall, violations: readonly Violation[]): CallVerdict {
  let settled = false;
  return {
    allowed: true,
    violations,
    settle(outcome, options = NO_OPTIONS) {
      if (settled) return SETTLED;
      const result = settleCall(context, call, outcome, options);
      settled = result.asks === undefined && options.look !== true;
      return result;
    },
  };
}

const NO_OPTIONS: SettleOptions = {};

/** Calls that started where the guard could not see it, as far as it knows: they count, though nobody could stop them. */
export function countUnseen(state: SessionState, isSeen: (tool: string) => boolean, rest: "keep" | "drop"): void {
  if (state.announced.isEmpty) return;
  for (const call of state.announced.takeUnseen(isSeen, rest)) {
    state.monitor.judgeCall({ call, turn: state.latestTurn }).commit();
    state.callCount++;
  }
}

/** A call while it is put together. */
type Made = { -readonly [K in keyof ToolCall]: ToolCall[K] };

function newCall({ id }: SessionContext, state: SessionState, { name, input, callId, agent }: WantedCall): Made {
  const call: Made = {
    id: callId ?? `guarded-${id}-${state.unnamedCount++}`,
    name,
    input,
    status: "unknown",
    turnIndex: state.turnCount - 1,
    position: state.callCount,
    standalone: true,
  };
  if (agent !== undefined) call.agent = agent;
  return call;
}

/** A call that a response asked for, as it really starts. */
function startedCall(announced: ToolCall, state: SessionState, { input, agent }: WantedCall): Made {
  const acting = agent === undefined || announced.agent !== undefined ? {} : { agent };
  return { ...announced, ...acting, input, position: state.callCount };
}
