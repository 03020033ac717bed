/** Replays what happened in the session, then asks the rules what this call would add. */
import type { Json } from "@spoor/core";
import { type FindingSeverity, reaches } from "@spoor/core/internal/judgement/severity";
import { createMonitor, type Monitor } from "@spoor/core/internal/policy/monitor";
import type { Policy, PolicyRule, Violation } from "@spoor/core/internal/policy/policy";
import type { ToolCall } from "@spoor/core/internal/trace/trace";
import type { HookCall, HookEntry, HookResult } from "../store/hook-history.ts";
import { needsResults } from "./hook-rules.ts";

export interface Asked {
  readonly id: string;
  readonly tool: string;
  readonly input: Json;
  readonly agent: string | undefined;
  /** When it is about to run. */
  readonly at: string;
}

export interface JudgeOptions {
  readonly rules: readonly PolicyRule[];
  readonly session: string;
  readonly now: Date;
  readonly blockFrom: FindingSeverity;
}

export interface Verdict {
  /** What the call would break, mild or not. */
  readonly violations: readonly Violation[];
  /** Why it may not run; empty when it may. */
  readonly reasons: readonly string[];
  /** What to remember when it runs. */
  readonly call: HookCall;
}

export function judgeCall(policy: Policy, entries: readonly HookEntry[], asked: Asked, options: JudgeOptions): Verdict {
  const monitor = createMonitor(
    { ...policy, rules: options.rules },
    { traceNames: [options.session], today: options.now.toISOString().slice(0, 10) },
  );
  const position = replay(entries, monitor, options.rules);
  // What has not ended runs still, for all one knows: this call would run beside it.
  const group = latestRunning(entries)?.group ?? asked.id;
  const call: HookCall = {
    kind: "call",
    id: asked.id,
    name: asked.tool,
    input: asked.input,
    at: asked.at,
    ...(asked.agent === undefined ? {} : { agent: asked.agent }),
    group,
  };
  const { violations, notEvaluated } = monitor.judgeCall({ call: toolCall(call, position), turn: undefined });
  const blocking = violations.filter((violation) => reaches(violation.severity, options.blockFrom));
  const reasons = [
    ...blocking.map(({ ruleId, message }) => `${ruleId}: ${message}`),
    ...notEvaluated.map(({ ruleId, why }) => `${ruleId} could not be evaluated: ${why}`),
  ];
  const untold =
    reasons.length > 0 && options.rules.some((rule) => needsResults(rule, asked.tool)) && isUntold(entries);
  return { violations, reasons: untold ? [...reasons, TELL_RESULTS] : reasons, call };
}

/** Said where the reason may be that nobody tells the hook how calls end. */
export const TELL_RESULTS =
  "(The hook has not been told how any call of this session ended: configure it for PostToolUse and PostToolUseFailure too.)";

/** Calls that have not ended, oldest first; with `unsure`, also those of which is not known how. */
export function openCalls(entries: readonly HookEntry[], { unsure = false } = {}): HookCall[] {
  const open = new Map<string, HookCall>();
  for (const entry of entries) {
    if (entry.kind === "call") open.set(entry.id, entry);
    else if (entry.kind === "result" && !(unsure && entry.status === "unknown")) open.delete(entry.id);
  }
  return [...open.values()];
}

/** Calls were made, and of none is known how it ended. */
export function isUntold(entries: readonly HookEntry[]): boolean {
  return entries.some(({ kind }) => kind === "call") && !entries.some(({ kind }) => kind === "result");
}

/** Thousands of calls are replayed at every call of a long session: nothing is made here that no rule looks at. */
function replay(entries: readonly HookEntry[], monitor: Monitor, rules: readonly PolicyRule[]): number {
  const calls = rules.some(({ definition }) => definition.onResult !== undefined)
    ? new Map<string, ToolCall>()
    : undefined;
  let position = 0;
  for (const entry of entries) {
    if (entry.kind === "call") {
      const call = toolCall(entry, position++);
      calls?.set(entry.id, call);
      monitor.takeCall({ call, turn: undefined });
    } else if (entry.kind === "result") {
      const call = calls?.get(entry.id);
      if (call !== undefined) monitor.result({ call: ended(call, entry), turn: undefined });
    }
  }
  return position;
}

/** A call that did not end within so many lines was never told to. */
const RECENT = 500;

function latestRunning(entries: readonly HookEntry[]): HookCall | undefined {
  const ended = new Set<string>();
  for (let index = entries.length - 1; index >= Math.max(0, entries.length - RECENT); index--) {
    const entry = entries[index]!;
    if (entry.kind === "result") ended.add(entry.id);
    else if (entry.kind === "call" && !ended.has(entry.id)) return entry;
  }
  return undefined;
}

function toolCall({ id, name, input, at, agent, group }: HookCall, position: number): ToolCall {
  const call: { -readonly [K in keyof ToolCall]: ToolCall[K] } = {
    id,
    name,
    input,
    status: "unknown",
    startedAt: at,
    turnIndex: -1,
    position,
    standalone: true,
  };
  if (agent !== undefined) call.agent = agent;
  if (group !== undefined) call.parallelGroup = group;
  return call;
}

function ended(call: ToolCall, { status, output }: HookResult): ToolCall {
  const said = output === undefined ? {} : { output };
  if (status !== "error") return { ...call, ...said, status };
  return { ...call, ...said, status, error: { message: typeof output === "string" ? output : "The call failed." } };
}
