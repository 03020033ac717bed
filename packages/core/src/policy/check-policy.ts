/**
 * A trace against a policy. The rules run as they would at run time: the monitor is fed the turns, calls and results of the
 * trace in their order, and closed at its end.
 * Cost: one pass over the trace per policy, linear in turns and calls whatever the scope.
 */
import type { NotEvaluated } from "../report/report.ts";
import { shortJson } from "../text/words.ts";
import type { Json } from "../trace/json.ts";
import type { ToolCall, Trace, Turn } from "../trace/trace.ts";
import { spokenNames } from "../trace/trace-name.ts";
import { withoutContent } from "./blind-trace.ts";
import { type CallEvent, TurnEvent } from "./events.ts";
import { createMonitor, type Monitor, type SharedPeers } from "./monitor.ts";
import type { MonitorOptions } from "./monitor-options.ts";
import { onPathOnly } from "./off-path.ts";
import { type Path, valueAt } from "./path.ts";
import type { Excused, Policy, Violation } from "./policy.ts";
import type { RuleOutcome } from "./rule-outcome.ts";
import { situationOf, userOf } from "./situation.ts";

/** What a policy says about one trace. */
export interface PolicyCheck {
  /** Per rule, in file order. */
  readonly outcomes: readonly RuleOutcome[];
  /** Rules in file order; within a rule session by session, in the order of the trace. */
  readonly violations: readonly Violation[];
  readonly excused: readonly Excused[];
  readonly notEvaluated: readonly NotEvaluated[];
}

export type CheckPolicyOptions = Pick<MonitorOptions, "today">;

export function checkPolicy(trace: Trace, policy: Policy, options: CheckPolicyOptions = {}): PolicyCheck {
  return closeCheck(trace, replay(trace, policy, options), undefined, () => onPath(trace, policy, options));
}

/** The same rules over the turns before a replay left what was recorded. */
function onPath(trace: Trace, policy: Policy, options: CheckPolicyOptions): readonly RuleOutcome[] {
  const from = trace.recording?.offPathFrom ?? trace.turns.length;
  return replay({ ...trace, turns: trace.turns.slice(0, from) }, policy, options).close();
}

/** Several traces of which some may be of one user: a limit per user counts over all of them. */
export function checkPolicies(
  traces: readonly Trace[],
  policy: Policy,
  options: CheckPolicyOptions = {},
): readonly PolicyCheck[] {
  if (!policy.rules.some(({ definition, params }) => definition.perUser?.(params)))
    return traces.map((trace) => checkPolicy(trace, policy, options));
  const monitors = traces.map((trace) => replay(trace, policy, options));
  const users = traces.map(({ metadata }) => userOf(situationOf(metadata)));
  const peersOf = peersByUser(monitors, users);
  return monitors.map((monitor, index) => {
    const trace = traces[index]!;
    return closeCheck(trace, monitor, peersOf.get(users[index]), () => onPath(trace, policy, options));
  });
}

function peersByUser(
  monitors: readonly Monitor[],
  users: readonly (string | undefined)[],
): ReadonlyMap<string | undefined, SharedPeers> {
  const all = new Map<string | undefined, Map<string, unknown[]>>();
  for (const [index, monitor] of monitors.entries()) {
    const rules = all.get(users[index]) ?? new Map<string, unknown[]>();
    all.set(users[index], rules);
    for (const [rule, state] of monitor.shared()) rules.set(rule, [...(rules.get(rule) ?? []), state]);
  }
  return all;
}

function replay(trace: Trace, policy: Policy, options: CheckPolicyOptions): Monitor {
  const situation = situationOf(trace.metadata);
  const monitor = createMonitor(policy, { ...options, traceNames: spokenNames(trace), live: false, situation });
  replayTrace(trace, monitor, policy.sessionKey);
  return monitor;
}

function closeCheck(
  trace: Trace,
  monitor: Monitor,
  peers: SharedPeers | undefined,
  outcomesOnPath: () => readonly RuleOutcome[],
): PolicyCheck {
  const outcomes = onPathOnly(trace, withoutContent(trace, monitor.close(peers)), outcomesOnPath);
  return {
    outcomes,
    violations: outcomes.flatMap((outcome) => outcome.violations),
    excused: outcomes.flatMap((outcome) => outcome.excused),
    notEvaluated: outcomes.flatMap(({ rule, notEvaluated }) => notEvaluated.map((why) => ({ what: rule.id, why }))),
  };
}

function replayTrace(trace: Trace, monitor: Monitor, sessionKey: Path | undefined): void {
  // Calls before the first response belong to no turn, so only the trace's own list has them.
  for (const call of trace.toolCalls) {
    if (call.turnIndex >= 0) break;
    if (call.refused) continue;
    replayCalls([{ call, turn: undefined }], monitor);
  }
  const situation = situationOf(trace.metadata);
  const sessionOf = sessionKey === undefined ? undefined : createKeyCutter(sessionKey);
  for (const turn of trace.turns) {
    const event = new TurnEvent(turn, situation);
    const blocks = event.blockCalls.length === 0 ? NO_CALLS : event.blockCalls.map((call) => ({ call, turn: event }));
    monitor.takeTurn(event, sessionOf?.(event) ?? turn.sessionIndex, blocks);
    for (const call of blocks) replayResult(call, monitor);
    if (blocks.length < turn.toolCalls.length) replayCalls(standaloneCalls(turn, event), monitor);
  }
}

const NO_CALLS: readonly CallEvent[] = [];

function standaloneCalls(turn: Turn, event: TurnEvent): CallEvent[] {
  return turn.toolCalls
    .filter((call) => call.standalone === true && call.refused !== true)
    .map((call) => ({ call, turn: event }));
}

/** Calls that ran side by side are all made before the first of them returns; others one after the other. */
function replayCalls(calls: readonly CallEvent[], monitor: Monitor): void {
  let running: CallEvent[] = [];
  let group: string | undefined;
  for (const call of calls) {
    if (call.call.parallelGroup === undefined || call.call.parallelGroup !== group) {
      for (const finished of running) replayResult(finished, monitor);
      running = [];
    }
    group = call.call.parallelGroup;
    monitor.takeCall(call);
    running.push(call);
  }
  for (const finished of running) replayResult(finished, monitor);
}

function replayResult(call: CallEvent, monitor: Monitor): void {
  if (hasResult(call.call)) monitor.result(call);
}

function hasResult(call: ToolCall): boolean {
  return call.status !== "unknown" || call.output !== undefined;
}

/** Sessions by an explicit key: a new value opens a new session, a turn without one stays where it is. */
function createKeyCutter(path: Path): (turn: TurnEvent) => number {
  const sessions = new Map<string, number>();
  let current = 0;
  return (turn) => {
    const value: Json | undefined = valueAt(path, turn.context);
    if (value === undefined) return current;
    const key = typeof value === "string" ? value : shortJson(value, Number.POSITIVE_INFINITY);
    current = sessions.get(key) ?? sessions.size;
    sessions.set(key, current);
    return current;
  };
}
