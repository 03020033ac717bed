/** One tool call: judged when it wants to start, remembered when it may, told how it ended. */
import type { CallEvent } from "@spoor/core/internal/policy/events";
import type { Violation } from "@spoor/core/internal/policy/policy";
import { redactValue } from "@spoor/core/internal/policy/redact-value";
import { approvalRecord } from "@spoor/core/internal/trace/approval";
import type { Json } from "@spoor/core/internal/trace/json";
import type { ToolCall } from "@spoor/core/internal/trace/trace";
import type { CallVerdict, ResultVerdict } from "../verdicts.ts";
import { settleCall } from "./judge-result.ts";
import { record, type SessionContext } from "./session-context.ts";
import type { SessionState } from "./session-state.ts";
import { tellDecision } from "./tell-decision.ts";
import { NO_VIOLATIONS, protect, raise, report, sortViolations } from "./verdict-of.ts";

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
  const made = announced === undefined ? newCall(context, state, wanted) : startedCall(announced, state, wanted);
  const timed = settings.now === undefined ? made : { ...made, startedAt: settings.now().toISOString() };
  const call = wanted.approved === undefined ? timed : { ...timed, approvals: wanted.approved };
  const event: CallEvent = { call, turn: state.latestTurn, beside: runningBeside(state) };
  const judgement = state.monitor.judgeCall(event);
  const sorted = sortViolations([judgement], settings);
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
  tellDecision(context, call, {
    decision: isBlocked ? "deny" : "allow",
    input: wanted.input,
    approved: wanted.approved,
    ...sorted,
  });
  if (isBlocked) {
    if (settings.mode === "raise") throw raise(sorted.blocking, wanted.name);
    return { ...NOT_ALLOWED, violations: sorted.blocking };
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
    settle(outcome, options = {}) {
      if (settled) return SETTLED;
      const result = settleCall(context, event.call, outcome, options);
      settled = result.asks === undefined && options.look !== true;
      return result;
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
