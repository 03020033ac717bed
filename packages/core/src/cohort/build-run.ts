/** Trace → run: keeps what the cohort lens tests or shows, so that the trace itself can be forgotten. Linear. */
import { responseText } from "../trace/content.ts";
import { isObject, member, numberMember, stringMember } from "../trace/json.ts";
import type { Trace, Turn } from "../trace/trace.ts";
import type { CohortCall, CohortRun, RunOrigin, Side } from "./run.ts";
import { scenarioId } from "./scenario-id.ts";

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
  const outputTokens = sumKnown(trace.turns, (turn) => numberMember(member(turn.response, "usage"), "output_tokens"));
  return {
    scenario: options.scenario ?? scenarioId(trace) ?? trace.id,
    side,
    calls: trace.toolCalls.map((call): CohortCall => {
      const effect = effectOf(call.name);
      return {
        name: call.name,
        ...(call.input === undefined ? {} : { args: call.input }),
        ...(call.status === "error" ? { error: true } : {}),
        ...(effect === undefined ? {} : { effect }),
      };
    }),
    turns: trace.turns.length,
    texts: trace.turns.map((turn) => responseText(turn.response, "\n")).filter((text) => text !== ""),
    ...(stop === undefined ? {} : { stop }),
    maxParallel: largestResponse(trace),
    ...(outputTokens === undefined ? {} : { outputTokens }),
    origin: originOf(trace),
  };
}

/** What the trace itself declares about its tools: an eval's permissions, or MCP's `readOnlyHint` in the tool list. */
function declaredEffects(trace: Trace): Map<string, boolean> {
  const declared = new Map<string, boolean>();
  let seen: unknown;
  for (const { request } of trace.turns) {
    const tools = member(request, "tools");
    if (!Array.isArray(tools) || tools === seen) continue;
    seen = tools;
    for (const tool of tools) {
      const name = stringMember(tool, "name") ?? stringMember(member(tool, "function"), "name");
      const hint = member(member(tool, "annotations"), "readOnlyHint");
      if (name !== undefined && typeof hint === "boolean") declared.set(name, !hint);
    }
  }
  const permissions = member(trace.metadata, "tool_permission");
  if (isObject(permissions)) {
    for (const [name, permission] of Object.entries(permissions)) {
      if (typeof permission === "string") declared.set(name, permission.toLowerCase() !== "read");
    }
  }
  return declared;
}

/** Why the run ended: the source's own word, else the last response's, else whether that response still called a tool. */
function stopReason(trace: Trace): string | undefined {
  const last = trace.turns.at(-1);
  if (last === undefined) return undefined;
  return (
    stringMember(member(trace.metadata, "labels"), "termination_reason") ??
    stringMember(trace.metadata, "termination_reason") ??
    stringMember(last.response, "stop_reason") ??
    (last.toolCalls.length > 0 ? "tool_use" : "end_turn")
  );
}

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
  return {
    ...(source.path === undefined ? {} : { path: source.path }),
    ...(source.entry === undefined ? {} : { entry: source.entry }),
    traceId: trace.id,
    format: source.format,
    ...(times.length === 0 ? {} : { startedAt: times[0]!, endedAt: times.at(-1)! }),
    ...(responseMs === undefined ? {} : { responseMs }),
  };
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
