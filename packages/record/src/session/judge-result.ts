/** How one call ended: its result is judged before anyone reads it, and remembered as it is handed on. */
import { messageOf } from "@spoor/core/internal/errors";
import type { Violation } from "@spoor/core/internal/policy/policy";
import { redactValue } from "@spoor/core/internal/policy/redact-value";
import { approvalRecord } from "@spoor/core/internal/trace/approval";
import type { Json } from "@spoor/core/internal/trace/json";
import type { ToolCall } from "@spoor/core/internal/trace/trace";
import { outputOf } from "../intercept/output-of.ts";
import { patchValue } from "../intercept/patch-value.ts";
import type { CallOutcome, ResultVerdict, SettleOptions } from "../verdicts.ts";
import { withheldText } from "./placeholders.ts";
import { record, type SessionContext } from "./session-context.ts";
import type { SessionState } from "./session-state.ts";
import { tellOutcome } from "./tell-decision.ts";
import { guardFailure, NO_VIOLATIONS, report, sortJudgement } from "./verdict-of.ts";

const FREE: ResultVerdict = { allowed: true, violations: NO_VIOLATIONS };

/** Whether a rule judges what this tool returns. */
export function judgesResults({ watchers }: SessionContext, tool: string): boolean {
  return watchers(tool).judges.length > 0;
}

/** A call that threw is recorded as failed: an attempt that went wrong is visible to later rules. */
export function settleCall(
  context: SessionContext,
  call: ToolCall,
  outcome: CallOutcome,
  options: SettleOptions,
): ResultVerdict {
  const { settings } = context;
  const judged = judgesResults(context, call.name);
  try {
    return context.step((state) => {
      if (state.closed) return judged ? unseen("the session is closed") : FREE;
      const ended = endedCall(context, call, outcome, options.approved);
      if (!judged) {
        if (options.look !== true) finish(context, state, ended, options);
        return FREE;
      }
      const { ended: kept, ...verdict } = judge(context, state, ended, outcome, options);
      if (kept !== undefined && options.look !== true) finish(context, state, kept, options);
      return verdict;
    });
  } catch (error) {
    settings.onError?.(error);
    return judged && settings.failOpen !== true ? { allowed: false, violations: [guardFailure(error)] } : FREE;
  }
}

/** `ended`: the call as it is remembered; absent while a person has yet to be asked. */
type Judged = ResultVerdict & { readonly ended?: ToolCall };

function judge(
  context: SessionContext,
  state: SessionState,
  ended: ToolCall,
  outcome: CallOutcome,
  { declined }: SettleOptions,
): Judged {
  const { settings } = context;
  const sortedOf = (call: ToolCall) =>
    sortJudgement(state.monitor.judgeResult({ call, turn: state.latestTurn }), settings);
  const sorted = sortedOf(ended);
  const { violations, blocking, asking, redacting } = sorted;
  if (settings.mode === "warn") return told({ allowed: true, violations, ended });
  if (declined !== undefined) return withheld(declined);
  if (blocking.length > 0) return withheld(blocking);
  if (asking.length > 0) {
    const output = ended.output ?? null;
    return { allowed: false, violations, asks: asking, output };
  }
  if (redacting.length === 0) return told({ allowed: true, violations, ended });
  const redacted = redactValue(context.policy.rules, redacting, ended.output ?? null);
  const clean = { ...ended, output: redacted, ...(ended.error === undefined ? {} : { error: errorOf(redacted) }) };
  const rest = sortedOf(clean);
  const patched = patchedOutput(outcome, ended.output ?? null, redacted);
  // What cannot be taken out, or is found again, is not handed on at all.
  if (patched === undefined || rest.blocking.length + rest.asking.length + rest.redacting.length > 0)
    return withheld(redacting);
  return told({ allowed: true, violations, replaced: { output: patched.value }, ended: clean });

  function told(verdict: Judged): Judged {
    report(context, { violations: verdict.violations, blocking: NO_VIOLATIONS }, ended.name);
    return verdict;
  }

  function withheld(because: readonly Violation[]): Judged {
    report(context, { violations, blocking: because }, ended.name);
    const text = withheldText(because);
    return { allowed: false, violations: because, ended: { ...ended, output: text } };
  }
}

function patchedOutput(outcome: CallOutcome, before: Json, after: Json): { readonly value: unknown } | undefined {
  if ("output" in outcome) return patchValue(outcome.output, before, after);
  return typeof after === "string" ? { value: after } : undefined;
}

function errorOf(output: Json): { message?: string } {
  return typeof output === "string" ? { message: output } : {};
}

function finish(context: SessionContext, state: SessionState, ended: ToolCall, { approved }: SettleOptions): void {
  state.running.end(ended.name);
  tellOutcome(context, ended, ended.status === "error" ? "error" : "ok");
  const violations = state.monitor.result({ call: ended, turn: state.latestTurn });
  if (violations.length > 0) {
    const own = violations.filter(({ ruleId }) => !isResultRule(context, ruleId));
    report(context, { violations: own, blocking: NO_VIOLATIONS }, ended.name);
  }
  if (context.settings.onRecord === undefined) return;
  if (approved !== undefined && approved.length > 0) {
    const { id = "", name, input = null } = ended;
    record(context, approvalRecord({ id, name, input, rules: approved }));
  }
  const output = ended.output ?? null;
  const payload = { tool_call_id: ended.id ?? "", output, is_error: ended.status === "error" };
  record(context, { kind: "tool_result", payload });
}

/** What such a rule found was reported when the result was judged. */
function isResultRule({ policy }: SessionContext, id: string): boolean {
  return policy.rules.some((rule) => rule.id === id && rule.definition.judgesResults === true);
}

/**
 * Of what cannot be written down nothing is claimed: the output stays absent, and rules that need it say so. One that nobody will
 * look at is not written down at all.
 */
function endedCall(
  { watchers, settings }: SessionContext,
  call: ToolCall,
  outcome: CallOutcome,
  approved: readonly string[] | undefined,
): ToolCall {
  const made = approved === undefined ? call : { ...call, approvals: [...(call.approvals ?? []), ...approved] };
  const isRead = settings.onRecord !== undefined || watchers(call.name).readsOutput;
  const seen = isRead && "output" in outcome ? outputOf(outcome.output) : undefined;
  if ("error" in outcome) {
    const message = messageOf(outcome.error);
    return { ...made, status: "error", output: seen ?? message, error: { message } };
  }
  return seen === undefined ? { ...made, status: "ok" } : { ...made, status: "ok", output: seen };
}

function unseen(why: string): ResultVerdict {
  return { allowed: false, violations: [guardFailure(new Error(why))] };
}
