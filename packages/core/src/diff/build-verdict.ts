/** The verdict of a diff: the first statement that applies, the gravest first, from facts about tools, arguments and averages. */
import { type FindingSeverity, reaches, severities } from "../judgement/severity.ts";
import { SMALL_SAMPLE } from "../stats/power.ts";
import type { Trace } from "../trace/trace.ts";
import type { AxisRow } from "./axis-row.ts";
import type { DiffVerdict, Extent, Missing } from "./diff-verdict.ts";
import { type Divergence, isAction } from "./divergence.ts";
import type { NewTool } from "./new-tools.ts";
import type { TracePair } from "./pair-traces.ts";
import type { PolicyDiff, PolicyFinding } from "./policy-slot.ts";
import type { Reordering } from "./reordering.ts";
import type { StructureSignal } from "./structure.ts";

export interface VerdictFacts {
  readonly pairs: readonly TracePair[];
  readonly pairCount: number;
  readonly rows: readonly AxisRow[];
  readonly structure: StructureSignal;
  /** Every divergence of each pair of traces. */
  readonly divergences: readonly (readonly Divergence[])[];
  /** For each pair of traces: whether only the order of calls changed. */
  readonly reorderings: readonly (Reordering | undefined)[];
  readonly newTools: readonly NewTool[];
  /** Traces of the candidate without a partner. */
  readonly unmatched: number;
  /** Traces of the baseline without a partner. */
  readonly missing: number;
  readonly policy?: PolicyDiff;
}

export function buildVerdict(facts: VerdictFacts): DiffVerdict {
  const missing = findMissing(facts);
  if (missing !== undefined) return { code: "not_enough", missing };
  const use = new ToolUse();
  return (
    brokenRule(facts, use, "severe") ??
    newTool(facts, true) ??
    brokenRule(facts, use, "moderate") ??
    lostOrder(facts, use) ??
    goneTool(facts, use) ??
    newTool(facts, false) ??
    reorderedCalls(facts) ??
    changedArgument(facts) ??
    changedStop(facts) ??
    differingTurns(facts) ??
    movedAverage(facts) ??
    unchanged(facts)
  );
}

/** The same answer in other words is no change of what is said. */
function unchanged({ structure, divergences, unmatched, missing }: VerdictFacts): DiffVerdict {
  const reworded = divergences.flat().filter(({ kind }) => kind !== "style").length;
  return {
    code: "unchanged",
    turns: structure.turns,
    ...(reworded === 0 ? {} : { reworded }),
    ...(unmatched === 0 ? {} : { unmatched }),
    ...(missing === 0 ? {} : { missing }),
  };
}

function findMissing({ pairs }: VerdictFacts): Missing | undefined {
  if (pairs.length === 0) return "trace_pairs";
  const baseline = pairs.some((pair) => pair.baseline.turns.length > 0);
  const candidate = pairs.some((pair) => pair.candidate.turns.length > 0);
  if (!baseline && !candidate) return "both_turns";
  if (!baseline) return "baseline_turns";
  return candidate ? undefined : "candidate_turns";
}

/** Ordering rules speak first: they name two tools and need no explanation. */
function brokenRule(
  { policy, pairs, unmatched }: VerdictFacts,
  use: ToolUse,
  atLeast: FindingSeverity,
): DiffVerdict | undefined {
  const broken = (policy?.regressions ?? []).filter((finding) => reaches(finding.severity, atLeast));
  const first = broken.find((finding) => finding.order !== undefined) ?? worstFinding(broken);
  if (first === undefined) return undefined;
  const traces = new Set(broken.filter((finding) => finding.ruleId === first.ruleId).map((finding) => finding.key))
    .size;
  const extent = { traces, of: pairs.length + unmatched };
  if (first.order !== undefined) {
    const { tool, before } = first.order;
    const held = orderHeld(pairs, before, tool, use);
    return {
      code: "order_broken",
      tool,
      before,
      ...extent,
      ...(held === undefined ? {} : { held }),
      ruleId: first.ruleId,
    };
  }
  return { code: "rule_broken", ruleId: first.ruleId, ruleKind: first.ruleKind, ...first.headline, ...extent };
}

function worstFinding(findings: readonly PolicyFinding[]): PolicyFinding | undefined {
  return [...findings].sort((one, other) => severities.indexOf(other.severity) - severities.indexOf(one.severity))[0];
}

/** How often `before` came before the first `tool` in the baseline, of the traces that call `tool`. */
function orderHeld(
  pairs: readonly TracePair[],
  before: string,
  tool: string,
  use: ToolUse,
): { times: number; of: number } | undefined {
  const calling = baselines(pairs).filter((trace) => use.calls(trace, tool));
  if (calling.length === 0) return undefined;
  return { times: calling.filter((trace) => cameBefore(trace, before, tool)).length, of: calling.length };
}

/**
 * An order that always held in the baseline and no longer does: `before` came before every first `tool`, and now `tool` runs
 * without it more often than not. Two traces at least must have shown the order; one alone proves no habit.
 */
function lostOrder({ pairs }: VerdictFacts, use: ToolUse): DiffVerdict | undefined {
  let best: (Extent & { tool: string; before: string; held: { times: number; of: number } }) | undefined;
  for (const before of lostTools(pairs, use).keys()) {
    for (const tool of followers(pairs, before)) {
      const held = orderHeld(pairs, before, tool, use);
      if (held === undefined || held.of < 2 || held.times < held.of) continue;
      const calling = pairs.filter((pair) => use.calls(pair.candidate, tool));
      const traces = calling.filter((pair) => !cameBefore(pair.candidate, before, tool)).length;
      if (2 * traces > calling.length && traces > (best?.traces ?? 0))
        best = { tool, before, traces, of: pairs.length, held };
    }
  }
  return best === undefined ? undefined : { code: "order_broken", ...best };
}

/** Tools that directly follow `before` in some baseline. */
function followers(pairs: readonly TracePair[], before: string): Set<string> {
  const next = new Set<string>();
  for (const { baseline } of pairs) {
    const at = baseline.toolCalls.findIndex((call) => call.name === before);
    const following = at < 0 ? undefined : baseline.toolCalls[at + 1];
    if (following !== undefined && following.name !== before) next.add(following.name);
  }
  return next;
}

/** Tools that the baseline calls and its candidate does not → in how many pairs of traces. */
function lostTools(pairs: readonly TracePair[], use: ToolUse): Map<string, number> {
  return countTools(pairs, (pair) => difference(use.of(pair.baseline), use.of(pair.candidate)));
}

function goneTool({ pairs }: VerdictFacts, use: ToolUse): DiffVerdict | undefined {
  const gained = countTools(pairs, (pair) => difference(use.of(pair.candidate), use.of(pair.baseline)));
  const gone = mostFrequent(lostTools(pairs, use), (tool, times) => times > (gained.get(tool) ?? 0));
  if (gone === undefined) return undefined;
  const baselineTraces = pairs.filter((pair) => use.calls(pair.baseline, gone.tool)).length;
  // A tool that a few of many runs left out is noise until it is most of them.
  if (2 * gone.times <= baselineTraces) return undefined;
  return { code: "tool_gone", tool: gone.tool, traces: gone.times, of: pairs.length, baselineTraces };
}

/** A tool with effects that no baseline run called leads, in however few traces; one that only reads comes after what is gone. */
function newTool({ newTools }: VerdictFacts, effect: boolean): DiffVerdict | undefined {
  const [first, ...others] = newTools.filter((one) => one.effect === effect);
  if (first === undefined) return undefined;
  const { tool, traces, of, baselineTraces } = first;
  return {
    code: "tool_new",
    tool,
    effect,
    traces,
    of,
    baselineTraces,
    ...(others.length === 0 ? {} : { others: others.length }),
  };
}

/** Where most traces that changed make the same calls in another order, that is the change. */
function reorderedCalls({ pairs, divergences, reorderings }: VerdictFacts): DiffVerdict | undefined {
  const reordered = reorderings.filter((one) => one !== undefined);
  const acting = divergences.filter((ofTrace) => ofTrace.some(isAction)).length;
  if (reordered.length === 0 || 2 * reordered.length < acting) return undefined;
  const moved = reordered.find((one) => one.moved !== undefined)?.moved;
  return { code: "calls_reordered", ...moved, traces: reordered.length, of: pairs.length };
}

function changedArgument({ pairs, divergences, structure }: VerdictFacts): DiffVerdict | undefined {
  const found = new Map<string, { tool: string; path: string; traces: Set<number>; first: object }>();
  let changedTurns = 0;
  divergences.forEach((ofTrace, trace) => {
    for (const { calls: changes } of ofTrace) {
      if (changes === undefined || changes.arguments.length === 0) continue;
      changedTurns++;
      for (const { tool, path, baseline, candidate } of changes.arguments) {
        const key = JSON.stringify([tool, path]);
        const first = {
          ...(baseline === undefined ? {} : { baseline }),
          ...(candidate === undefined ? {} : { candidate }),
        };
        const entry = found.get(key) ?? { tool, path, traces: new Set<number>(), first };
        entry.traces.add(trace);
        found.set(key, entry);
      }
    }
  });
  // Where most changed turns are calls added or dropped, one argument would be a misleading headline.
  if (found.size === 0 || 2 * changedTurns < structure.changed) return undefined;
  const most = [...found.values()].reduce((best, entry) => (entry.traces.size > best.traces.size ? entry : best));
  return {
    code: "argument_changed",
    tool: most.tool,
    path: most.path,
    ...most.first,
    traces: most.traces.size,
    of: pairs.length,
  };
}

function changedStop({ pairs, divergences, structure }: VerdictFacts): DiffVerdict | undefined {
  const stops = divergences.flatMap((ofTrace, trace) =>
    ofTrace.flatMap(({ reason }) => (reason.code === "stop_reason_changed" ? [{ ...reason, trace }] : [])),
  );
  const [first] = stops;
  if (first === undefined || 2 * stops.length < structure.changed) return undefined;
  const alike = stops.filter((stop) => stop.baseline === first.baseline && stop.candidate === first.candidate);
  const traces = new Set(alike.map((stop) => stop.trace)).size;
  return {
    code: "stop_reason_changed",
    baseline: first.baseline,
    candidate: first.candidate,
    traces,
    of: pairs.length,
  };
}

function differingTurns({ pairs, structure, divergences }: VerdictFacts): DiffVerdict | undefined {
  if (structure.changed === 0) return undefined;
  const traces = divergences.filter((ofTrace) => ofTrace.some(isAction)).length;
  return { code: "turns_differ", changed: structure.changed, turns: structure.turns, traces, of: pairs.length };
}

/** Below five pairs no average is ever the verdict. */
function movedAverage({ rows, pairCount }: VerdictFacts): DiffVerdict | undefined {
  if (pairCount < SMALL_SAMPLE) return undefined;
  const moved = rows.filter(
    (row) => row.n >= SMALL_SAMPLE && row.direction !== "unclear" && reaches(row.gateSeverity, "moderate"),
  );
  if (moved.length === 0) return undefined;
  const weight = (row: AxisRow) => (row.direction === "better" ? 0 : 10) + severities.indexOf(row.gateSeverity);
  const { axis, baseline, candidate } = moved.reduce((best, row) => (weight(row) > weight(best) ? row : best));
  return { code: "average_moved", axis, baseline, candidate };
}

/** Every baseline trace once: one may stand against several variants of its task. */
function baselines(pairs: readonly TracePair[]): Trace[] {
  return [...new Set(pairs.map((pair) => pair.baseline))];
}

/** Which tools each trace calls, worked out once. */
class ToolUse {
  private readonly known = new Map<Trace, ReadonlySet<string>>();

  of(trace: Trace): ReadonlySet<string> {
    let tools = this.known.get(trace);
    if (tools === undefined) {
      tools = new Set(trace.toolCalls.map((call) => call.name));
      this.known.set(trace, tools);
    }
    return tools;
  }

  calls(trace: Trace, tool: string): boolean {
    return this.of(trace).has(tool);
  }
}

function cameBefore(trace: Trace, before: string, tool: string): boolean {
  const first = trace.toolCalls.findIndex((call) => call.name === tool);
  const earlier = trace.toolCalls.findIndex((call) => call.name === before);
  return earlier >= 0 && earlier < first;
}

function difference(left: ReadonlySet<string>, right: ReadonlySet<string>): Set<string> {
  return new Set([...left].filter((name) => !right.has(name)));
}

function countTools(
  pairs: readonly TracePair[],
  toolsIn: (pair: TracePair) => ReadonlySet<string>,
): Map<string, number> {
  const counts = new Map<string, number>();
  for (const pair of pairs) for (const tool of toolsIn(pair)) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return counts;
}

function mostFrequent(
  counts: ReadonlyMap<string, number>,
  accepts: (tool: string, times: number) => boolean,
): { tool: string; times: number } | undefined {
  let best: { tool: string; times: number } | undefined;
  for (const [tool, times] of counts) if (accepts(tool, times) && times > (best?.times ?? 0)) best = { tool, times };
  return best;
}
