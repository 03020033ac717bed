/**
 * Where two runs part. Every step of the alignment that is not the same on both sides becomes a divergence with a kind, a typed
 * reason and a confidence (how far the two turns are apart); renderers make prose of the reason.
 */
import { isObject, type Json, jsonEqual } from "../trace/json.ts";
import type { AlignedStep } from "./align/alignment.ts";
import { firstChangedTool, sameShapes, turnCost } from "./align/turn-cost.ts";
import { type CallChanges, diffCalls } from "./call-changes.ts";
import type { FirstInput } from "./input-difference.ts";
import type { FactsTable, TurnFacts } from "./turn-facts.ts";

/** `structural`: other calls. `decision`: other arguments, another end, another answer. `style`: the same answer in other words. */
export const divergenceKinds = ["structural", "decision", "style"] as const;
export type DivergenceKind = (typeof divergenceKinds)[number];
export type KindCounts = { readonly [K in DivergenceKind]: number };

export interface Divergence {
  /** Turns count from 0. For a turn only one side has, the other number is where it would stand. */
  readonly baselineTurn: number;
  readonly candidateTurn: number;
  readonly kind: DivergenceKind;
  readonly axis: "trajectory" | "safety" | "semantic";
  /** How far apart the two turns are beyond what counts as the same, in [0, 1]; 1 for a turn that only one side has, 0 for style. */
  readonly confidence: number;
  readonly reason: DivergenceReason;
  /** Everything that changed in the calls of a matched pair. */
  readonly calls?: CallChanges;
}

/** A divergence with what first differed in what both sides were given before it. */
export interface TracedDivergence extends Divergence {
  readonly goingIn: FirstInput;
}

/** A divergence of one of several pairs of traces. */
export interface PlacedDivergence extends Divergence {
  /** Position among the pairs of traces. */
  readonly traceIndex: number;
}

export type DivergenceReason =
  | { readonly code: "turn_inserted"; readonly tools: readonly string[] }
  | { readonly code: "turn_dropped"; readonly tools: readonly string[] }
  /** Shapes, `name(key,key)`, that only one side has. */
  | { readonly code: "calls_changed"; readonly dropped: readonly string[]; readonly added: readonly string[] }
  | {
      readonly code: "call_count_changed";
      readonly shapes: readonly string[];
      readonly baseline: number;
      readonly candidate: number;
    }
  | { readonly code: "stop_reason_changed"; readonly baseline: string; readonly candidate: string }
  | {
      readonly code: "argument_changed";
      readonly tool: string;
      readonly key?: string;
      readonly baseline?: Json;
      readonly candidate?: Json;
    }
  | { readonly code: "calls_reordered" }
  | { readonly code: "text_changed"; readonly similarity: number };

/** A matched pair that costs no more than this does the same and says nearly the same: it differs in style at most. */
export const NOISE_FLOOR = 0.12;
/** What an argument change alone costs above the floor: the rank of changes that the cost does not see. */
const HIDDEN_CONFIDENCE = (0.2 - NOISE_FLOOR) / (1 - NOISE_FLOOR);

export interface DivergenceOptions {
  /** Shadow takes what stays below the noise floor for the same turn, so pairs by position never differ in style. */
  readonly style: boolean;
}

/** Every divergence along an alignment, from left to right. */
export function findDivergences(
  table: FactsTable,
  baseline: readonly TurnFacts[],
  candidate: readonly TurnFacts[],
  steps: readonly AlignedStep[],
  options: DivergenceOptions = { style: true },
): Divergence[] {
  const found: Divergence[] = [];
  let nextBaseline = 0;
  let nextCandidate = 0;
  for (const step of steps) {
    if (step.kind === "match") {
      const left = baseline[step.baseline]!;
      const right = candidate[step.candidate]!;
      nextBaseline = step.baseline + 1;
      nextCandidate = step.candidate + 1;
      const divergence = left.key === right.key ? undefined : classify(table, left, right, options);
      if (divergence) found.push({ baselineTurn: step.baseline, candidateTurn: step.candidate, ...divergence });
    } else if (step.kind === "insert") {
      const reason = { code: "turn_inserted", tools: toolNames(table, candidate[step.candidate]!) } as const;
      found.push({ baselineTurn: nextBaseline, candidateTurn: step.candidate, ...GAP, reason });
      nextCandidate = step.candidate + 1;
    } else {
      const reason = { code: "turn_dropped", tools: toolNames(table, baseline[step.baseline]!) } as const;
      found.push({ baselineTurn: step.baseline, candidateTurn: nextCandidate, ...GAP, reason });
      nextBaseline = step.baseline + 1;
    }
  }
  return found;
}

/** True when the turns do something else, not only say it. */
export function isAction({ reason, calls }: Divergence): boolean {
  return reason.code !== "text_changed" || calls !== undefined;
}

/** Where a run parts from its partner: the first turn that does something else; without one the first other answer, then other words. */
export function whereItBegins(divergences: readonly Divergence[]): Divergence | null {
  return divergences.find(isAction) ?? divergences.find(({ kind }) => kind !== "style") ?? divergences[0] ?? null;
}

export function countKinds(divergences: readonly Divergence[]): KindCounts {
  const of = (kind: DivergenceKind) => divergences.filter((one) => one.kind === kind).length;
  return { structural: of("structural"), decision: of("decision"), style: of("style") };
}

/** The worst first: structural before decision before style, then by confidence; stable. */
export function rankDivergences<D extends Divergence>(divergences: readonly D[]): D[] {
  return [...divergences].sort(
    (one, other) =>
      divergenceKinds.indexOf(one.kind) - divergenceKinds.indexOf(other.kind) || other.confidence - one.confidence,
  );
}

const GAP = { kind: "structural", axis: "trajectory", confidence: 1 } as const;

type Classified = Omit<Divergence, "baselineTurn" | "candidateTurn">;

function classify(
  table: FactsTable,
  left: TurnFacts,
  right: TurnFacts,
  options: DivergenceOptions,
): Classified | undefined {
  const cost = turnCost(table, left, right);
  const sameCalls = left.callsId === right.callsId;
  if (cost <= NOISE_FLOOR && sameCalls) return options.style ? restyled(table, left, right) : undefined;
  const calls = sameCalls ? undefined : diffCalls(table, left, right);
  const detail = calls === undefined ? {} : { calls };
  const seen = explain(table, left, right);
  if (cost > NOISE_FLOOR) {
    const confidence = Math.min(1, (cost - NOISE_FLOOR) / (1 - NOISE_FLOOR));
    return { ...seen, confidence, ...detail };
  }
  const reason = seen.reason.code === "text_changed" ? hiddenReason(calls!) : seen.reason;
  const kind = reason.code === "argument_changed" ? "decision" : "structural";
  return { kind, axis: "trajectory", confidence: HIDDEN_CONFIDENCE, reason, ...detail };
}

/** Below the noise floor, with the same calls, only words can differ; white space alone is no difference. */
function restyled(table: FactsTable, left: TurnFacts, right: TurnFacts): Classified | undefined {
  const similarity = table.textSimilarity(left, right);
  if (similarity === 1) return undefined;
  return { kind: "style", axis: "semantic", confidence: 0, reason: { code: "text_changed", similarity } };
}

/** First difference that applies: shapes, counts, end, arguments, words. */
function explain(table: FactsTable, left: TurnFacts, right: TurnFacts): Pick<Classified, "kind" | "axis" | "reason"> {
  if (!sameShapes(table, left, right)) {
    return { kind: "structural", axis: "trajectory", reason: shapesReason(table, left, right) };
  }
  if (left.calls.length !== right.calls.length) {
    const shapes = [...table.shapeSet(left)].map((shape) => table.shapeName(shape));
    const counts = { baseline: left.calls.length, candidate: right.calls.length };
    return { kind: "structural", axis: "trajectory", reason: { code: "call_count_changed", shapes, ...counts } };
  }
  if (left.stopReason !== right.stopReason) {
    const reason = { code: "stop_reason_changed", baseline: left.stopReason, candidate: right.stopReason } as const;
    return { kind: "decision", axis: "safety", reason };
  }
  const changed = firstChangedTool(table, left, right);
  if (changed !== undefined) {
    return { kind: "decision", axis: "trajectory", reason: argumentReason(table, changed.baseline, changed.candidate) };
  }
  const similarity = table.textSimilarity(left, right);
  return { kind: "decision", axis: "semantic", reason: { code: "text_changed", similarity } };
}

function shapesReason(table: FactsTable, left: TurnFacts, right: TurnFacts): DivergenceReason {
  const before = new Set([...table.shapeSet(left)].map((shape) => table.shapeName(shape)));
  const after = new Set([...table.shapeSet(right)].map((shape) => table.shapeName(shape)));
  const dropped = [...before].filter((shape) => !after.has(shape)).sort();
  const added = [...after].filter((shape) => !before.has(shape)).sort();
  return { code: "calls_changed", dropped, added };
}

/** The first differing key in the baseline's own order; keyless when only the candidate has more, or for non-objects. */
function argumentReason(table: FactsTable, baseline: number, candidate: number): DivergenceReason {
  const before = table.call(baseline);
  const after = table.call(candidate);
  const first = diffCallInputs(before.input, after.input);
  return { code: "argument_changed", tool: before.name, ...first };
}

function diffCallInputs(before: Json | undefined, after: Json | undefined) {
  if (!isObject(before) || !isObject(after)) return {};
  for (const key of Object.keys(before)) {
    const other = Object.hasOwn(after, key) ? after[key] : undefined;
    if (other === undefined) return { key, baseline: before[key]! };
    if (!jsonEqual(before[key], other)) return { key, baseline: before[key]!, candidate: other };
  }
  return {};
}

/** What the cost of a turn does not weigh: a later call of a tool, or the order of calls. */
function hiddenReason(calls: CallChanges): DivergenceReason {
  const [first] = calls.arguments;
  if (first === undefined) return { code: "calls_reordered" };
  return {
    code: "argument_changed",
    tool: first.tool,
    key: first.path,
    ...(first.baseline === undefined ? {} : { baseline: first.baseline }),
    ...(first.candidate === undefined ? {} : { candidate: first.candidate }),
  };
}

function toolNames(table: FactsTable, facts: TurnFacts): string[] {
  return [...new Set(Array.from(facts.calls, (id) => table.call(id).name))];
}
