/** Replays what happened in the session, then asks the rules what this call would add. */
import type { Json, JsonObject } from "@spoor/core";
import { type FindingSeverity, reaches } from "@spoor/core/internal/judgement/severity";
import { createMonitor, type Monitor } from "@spoor/core/internal/policy/monitor";
import type { Policy, PolicyRule, Violation } from "@spoor/core/internal/policy/policy";
import type { ToolCall } from "@spoor/core/internal/trace/trace";
import type { HookCall, HookDigest, HookEntry, HookResult } from "../store/hook-history.ts";
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
  /** Why a person has to be asked, where nothing else speaks against it. */
  readonly asks: readonly string[];
  /** What to remember when it runs. */
  readonly call: HookCall;
  /** What the rules remember of a long history, before this call. */
  readonly remembered?: { readonly calls: number; readonly state: JsonObject } | undefined;
}

/** Entries from which on it pays to keep what they come to. */
const MANY = 400;

export function judgeCall(
  policy: Policy,
  entries: readonly HookEntry[],
  digest: HookDigest | undefined,
  asked: Asked,
  options: JudgeOptions,
): Verdict {
  const monitor = createMonitor(
    { ...policy, rules: options.rules },
    { traceNames: [options.session], today: options.now.toISOString().slice(0, 10) },
  );
  if (digest !== undefined) monitor.restore(digest.state);
  const position = replay(entries, digest, monitor, options.rules);
  const remembered = entries.length > MANY ? save(monitor, position) : undefined;
  // What has not ended runs still, for all one knows: this call would run beside it.
  const group = (latestRunning(entries) ?? stillRunning(entries, digest))?.group ?? asked.id;
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
  const serious = violations.filter((violation) => reaches(violation.severity, options.blockFrom));
  const because = (effect: Violation["effect"]) =>
    serious.filter((one) => one.effect === effect).map(({ ruleId, message }) => `${ruleId}: ${message}`);
  const reasons = [
    ...because(undefined),
    // A hook may refuse a call, not change it: the agent is told, and can leave it out itself.
    ...because("redact"),
    ...notEvaluated
      .filter(({ effect }) => effect !== "warn")
      .map(({ ruleId, why }) => `${ruleId} could not be evaluated: ${why}`),
  ];
  const untold =
    reasons.length > 0 && options.rules.some((rule) => needsResults(rule, asked.tool)) && isUntold(entries, digest);
  return {
    violations,
    asks: because("ask"),
    reasons: untold ? [...reasons, TELL_RESULTS] : reasons,
    call,
    ...(remembered === undefined ? {} : { remembered }),
  };
}

/** A kind whose memory cannot be written down is replayed each time. */
function save(monitor: Monitor, calls: number): Verdict["remembered"] {
  try {
    return { calls, state: monitor.save() };
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Said where the reason may be that nobody tells the hook how calls end. */
export const TELL_RESULTS =
  "(The hook has not been told how any call of this session ended: configure it for PostToolUse and PostToolUseFailure too.)";

/** Calls that have not ended, oldest first; with `unsure`, also those of which is not known how. */
export function openCalls(
  entries: readonly HookEntry[],
  digest: HookDigest | undefined,
  { unsure = false } = {},
): HookCall[] {
  const open = new Map((digest?.open ?? []).map(([, call]) => [call.id, call]));
  for (const entry of entries) {
    if (entry.kind === "call") open.set(entry.id, entry);
    else if (entry.kind === "result" && !(unsure && entry.status === "unknown")) open.delete(entry.id);
  }
  return [...open.values()];
}

/** Calls were made, and of none is known how it ended. */
export function isUntold(entries: readonly HookEntry[], digest: HookDigest | undefined): boolean {
  const hasCalls = (digest?.calls ?? 0) > 0 || entries.some(({ kind }) => kind === "call");
  return hasCalls && !isTold(entries, digest);
}

export function isTold(entries: readonly HookEntry[], digest: HookDigest | undefined): boolean {
  return digest?.told === true || entries.some(({ kind }) => kind === "result");
}

/** Thousands of calls are replayed at every call of a long session: nothing is made here that no rule looks at. */
function replay(
  entries: readonly HookEntry[],
  digest: HookDigest | undefined,
  monitor: Monitor,
  rules: readonly PolicyRule[],
): number {
  const calls = rules.some(({ definition }) => definition.onResult !== undefined)
    ? new Map<string, ToolCall>()
    : undefined;
  for (const [at, call] of digest?.open ?? []) calls?.set(call.id, toolCall(call, at));
  let position = digest?.calls ?? 0;
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

/** Of the calls that were open when the digest was made. */
function stillRunning(entries: readonly HookEntry[], digest: HookDigest | undefined): HookCall | undefined {
  if (digest === undefined || digest.open.length === 0) return undefined;
  return openCalls(entries.slice(0, RECENT), digest).find((call) => digest.open.some(([, one]) => one.id === call.id));
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
