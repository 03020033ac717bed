/** Trace → run: keeps what the cohort lens tests or shows, so that the trace itself can be forgotten. Linear. */

import { declaredEffects } from "../trace/effects.ts";
import { member, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { Trace, Turn } from "../trace/trace.ts";
import type { CohortCall, CohortRun, Ending, RunOrigin, Side } from "./run.ts";
import { scenarioId, wholeName } from "./scenario-id.ts";

export interface BuildRunOptions {
  /** Overrides what the trace itself says. */
  readonly scenario?: string;
  /** Tools that are known to change the world. */
  readonly effects?: ReadonlySet<string>;
  /** Tools that are known not to. */
  readonly readOnly?: ReadonlySet<string>;
}

/** Without any clue to the scenario the trace's own id is used, which pairs it with nothing: it will be left out. */
export function buildRun(trace: Trace, side: Side, options: BuildRunOptions = {}): CohortRun {
  const declared = declaredEffects(trace);
  const effectOf = (name: string): boolean | undefined => {
    if (options.effects?.has(name)) return true;
    return options.readOnly?.has(name) ? false : declared.get(name);
  };
  const stop = stopReason(trace);
  const outputTokens = sumKnown(trace.turns, (turn) => turn.usage?.outputTokens);
  return present({
    scenario: options.scenario ?? scenarioId(trace) ?? trace.id,
    wholeName: options.scenario === undefined ? wholeName(trace) : undefined,
    side,
    calls: trace.toolCalls.map((call): CohortCall => {
      const effect = effectOf(call.name);
      const error = call.status === "error" ? true : undefined;
      return present({ name: call.name, args: call.input, error, effect });
    }),
    turns: trace.turns.length,
    ...spoken(trace),
    stop,
    ended: endingOf(trace),
    maxParallel: largestResponse(trace),
    outputTokens,
    origin: originOf(trace),
  });
}

/** What was said, and after how many calls: a response's text comes before its own calls. */
function spoken({ turns, toolCalls }: Trace): { texts: string[]; textsAfter: number[] } {
  const speaking = turns.filter(({ text }) => text !== "");
  let calls = 0;
  return {
    texts: speaking.map(({ text }) => text),
    textsAfter: speaking.map(({ index }) => {
      while (calls < toolCalls.length && toolCalls[calls]!.turnIndex < index) calls++;
      return calls;
    }),
  };
}

/**
 * How the run ended, as runs are told apart by it: the source's own word, else the last response's, else what that response shows,
 * namely whether it still called a tool. The published comparisons rest on this rule; a turn's own `stopReason` stays absent.
 */
function stopReason(trace: Trace): string | undefined {
  const last = trace.turns.at(-1);
  if (last === undefined) return undefined;
  return (
    stringMember(member(trace.metadata, "labels"), "termination_reason") ??
    stringMember(trace.metadata, "termination_reason") ??
    last.stopReason ??
    (last.toolCalls.length > 0 ? "tool_use" : "end_turn")
  );
}

/** Stop reasons of a response that ran out of room, as providers spell them. */
const CUT_OFF = new Set(["max_tokens", "length", "max_output_tokens", "model_context_window_exceeded"]);

/** How the run ended without an answer; undefined when the last thing that happened is a whole response. */
function endingOf(trace: Trace): Ending | undefined {
  const last = trace.turns.at(-1);
  if (last === undefined) return "no_response";
  const end = trace.records.findLast(({ kind }) => ENDS.has(kind));
  if (end?.kind === "error") return "error";
  const isCut = end?.kind === "chat_request" || trace.source.truncated === true || CUT_OFF.has(last.stopReason ?? "");
  return isCut ? "cut_off" : undefined;
}

const ENDS: ReadonlySet<string> = new Set(["chat_request", "chat_response", "error"]);

/** The most calls made by one response; calls known only as records of their own count as made one at a time. */
function largestResponse(trace: Trace): number {
  let largest = trace.toolCalls.length > 0 ? 1 : 0;
  for (const turn of trace.turns) {
    let calls = 0;
    for (const call of turn.toolCalls) if (call.standalone !== true) calls++;
    largest = Math.max(largest, calls);
  }
  return largest;
}

function originOf(trace: Trace): RunOrigin {
  const { source, turns } = trace;
  const times = turns.flatMap((turn) => turn.ts ?? []);
  const responseMs = sumKnown(turns, (turn) => turn.durationMs);
  return present({
    key: trace.key,
    name: trace.name,
    path: source.path,
    entry: source.entry,
    traceId: trace.id,
    format: source.format,
    startedAt: times[0],
    endedAt: times.at(-1),
    responseMs,
  });
}

/** The sum over the turns that know; undefined when none does. */
function sumKnown(turns: readonly Turn[], read: (turn: Turn) => number | undefined): number | undefined {
  let sum: number | undefined;
  for (const turn of turns) {
    const value = read(turn);
    if (value !== undefined) sum = (sum ?? 0) + value;
  }
  return sum;
}
