/**
 * Tools that no run of the baseline ever called. One that may change the world is severe, however few turns call it: an average over
 * turns would drown it. Every call counts, of sub-agents and of calls recorded on their own too, and every run of the candidate, those
 * without a partner included.
 */
import type { FindingSeverity } from "../judgement/severity.ts";
import { declaredEffects, isEffectName } from "../trace/effects.ts";
import type { ToolCall, Trace } from "../trace/trace.ts";
import type { TraceRef } from "../trace/trace-name.ts";

export interface NewTool {
  readonly tool: string;
  /** Whether it may change the world: as the trace declares it, else by its name. */
  readonly effect: boolean;
  readonly severity: FindingSeverity;
  /** Runs of the candidate that call it, of how many. */
  readonly traces: number;
  readonly of: number;
  /** Runs of the baseline, none of which calls it. */
  readonly baselineTraces: number;
  readonly calls: number;
  /** Its first call in each run that makes one. */
  readonly places: readonly NewToolPlace[];
}

export interface NewToolPlace extends TraceRef {
  readonly path?: string;
  readonly entry?: string;
  /** Absent for a call before any response. */
  readonly turnIndex?: number;
}

const LISTED_PLACES = 50;

/** Those with effects first, then by the number of runs, then in the order of their first calls. */
export function findNewTools(baseline: readonly Trace[], candidate: readonly Trace[]): NewTool[] {
  const known = new Set(baseline.flatMap((trace) => trace.toolCalls.map((call) => call.name)));
  const found = new Map<string, { calls: number; places: NewToolPlace[]; declared: boolean | undefined }>();
  for (const trace of candidate) {
    const fresh = trace.toolCalls.filter((call) => !known.has(call.name));
    if (fresh.length === 0) continue;
    const declared = declaredEffects(trace);
    const here = new Set<string>();
    for (const call of fresh) {
      const entry = found.get(call.name) ?? { calls: 0, places: [], declared: undefined };
      found.set(call.name, entry);
      entry.calls++;
      // Of two runs that declare the same tool differently, the graver declaration counts.
      const own = declared.get(call.name);
      if (own !== undefined) entry.declared = entry.declared === true || own;
      if (!here.has(call.name)) entry.places.push(placeOf(trace, call));
      here.add(call.name);
    }
  }
  return [...found]
    .map(([tool, { calls, places, declared }]): NewTool => {
      const effect = declared ?? isEffectName(tool);
      return {
        tool,
        effect,
        severity: effect ? "severe" : "minor",
        traces: places.length,
        of: candidate.length,
        baselineTraces: baseline.length,
        calls,
        places: places.slice(0, LISTED_PLACES),
      };
    })
    .sort((one, other) => Number(other.effect) - Number(one.effect) || other.traces - one.traces);
}

function placeOf({ key, name, source }: Trace, { turnIndex }: ToolCall): NewToolPlace {
  return {
    key,
    name,
    ...(source.path === undefined ? {} : { path: source.path }),
    ...(source.entry === undefined ? {} : { entry: source.entry }),
    ...(turnIndex < 0 ? {} : { turnIndex }),
  };
}
