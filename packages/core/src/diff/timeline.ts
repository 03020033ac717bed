/**
 * Two runs side by side, as rows that renderers print: what is the same, what was reworded, what changed, what only one side has.
 * Long stretches of unchanged turns are left out and counted.
 */

import type { Json } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { AlignedStep } from "./align/alignment.ts";
import { type CallChanges, diffCalls } from "./call-changes.ts";
import { structuralChange } from "./structure.ts";
import type { FactsTable, TurnFacts } from "./turn-facts.ts";

export interface Timeline {
  readonly rows: readonly TimelineRow[];
  /** Rows that are not listed, changed ones among them. */
  readonly omitted: { readonly rows: number; readonly changed: number };
}

export type TimelineKind = "same" | "reworded" | "changed" | "only_baseline" | "only_candidate";

export interface TimelineRow {
  readonly kind: TimelineKind;
  readonly baseline?: TurnView;
  readonly candidate?: TurnView;
  /** What changed in the calls of a changed pair. */
  readonly calls?: CallChanges;
  /** Unchanged rows left out before this one. */
  readonly skipped?: number;
}

export interface TurnView {
  readonly turnIndex: number;
  readonly calls: readonly CallView[];
  readonly text: string;
  /** Characters of the text that were cut. */
  readonly textCut?: number;
  readonly stopReason?: string;
  readonly durationMs?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
}

export interface CallView {
  readonly name: string;
  readonly input?: Json;
  /** What it returned, where somebody asked for it (`withResults`). */
  readonly output?: Json;
  readonly error?: string;
  /** Characters of the result and the error that were cut. */
  readonly resultCut?: number;
}

export interface TimelineOptions {
  /** Unchanged rows kept on either side of a change; all when the run is short. */
  readonly context: number;
  readonly maxRows: number;
}

const MAX_TEXT = 2000;

export function buildTimeline(
  table: FactsTable,
  baseline: readonly TurnFacts[],
  candidate: readonly TurnFacts[],
  steps: readonly AlignedStep[],
  options: TimelineOptions,
): Timeline {
  const kinds = steps.map((step) => kindOf(step, baseline, candidate));
  const kept = keepRows(kinds, options);
  const rows: TimelineRow[] = [];
  let previous = -1;
  for (const index of kept) {
    const skipped = index - previous - 1;
    const row = rowOf(table, baseline, candidate, steps[index]!, kinds[index]!);
    rows.push(skipped === 0 ? row : { ...row, skipped });
    previous = index;
  }
  const isChange = (kind: TimelineKind) => kind !== "same" && kind !== "reworded";
  const changed = kinds.filter(isChange).length - kept.filter((index) => isChange(kinds[index]!)).length;
  return { rows, omitted: { rows: steps.length - kept.length, changed } };
}

function kindOf(step: AlignedStep, baseline: readonly TurnFacts[], candidate: readonly TurnFacts[]): TimelineKind {
  if (step.kind === "insert") return "only_candidate";
  if (step.kind === "delete") return "only_baseline";
  const left = baseline[step.baseline]!;
  const right = candidate[step.candidate]!;
  if (left.key === right.key) return "same";
  return structuralChange(left, right) === undefined ? "reworded" : "changed";
}

/** Indices of rows to list: everything of a short run, else the changes with their surroundings. */
function keepRows(kinds: readonly TimelineKind[], { context, maxRows }: TimelineOptions): number[] {
  if (kinds.length <= maxRows) return kinds.map((_, index) => index);
  const near = new Set<number>();
  kinds.forEach((kind, index) => {
    if (kind === "same" || kind === "reworded") return;
    for (let at = index - context; at <= index + context; at++) if (at >= 0 && at < kinds.length) near.add(at);
  });
  return [...near].sort((one, other) => one - other).slice(0, maxRows);
}

function rowOf(
  table: FactsTable,
  baseline: readonly TurnFacts[],
  candidate: readonly TurnFacts[],
  step: AlignedStep,
  kind: TimelineKind,
): TimelineRow {
  if (step.kind === "insert") return { kind, candidate: viewOf(table, candidate[step.candidate]!) };
  if (step.kind === "delete") return { kind, baseline: viewOf(table, baseline[step.baseline]!) };
  const left = baseline[step.baseline]!;
  const right = candidate[step.candidate]!;
  const views = { baseline: viewOf(table, left), candidate: viewOf(table, right) };
  return kind === "changed" ? { kind, ...views, calls: diffCalls(table, left, right) } : { kind, ...views };
}

function viewOf(table: FactsTable, facts: TurnFacts): TurnView {
  const { turn, text } = facts;
  return present({
    turnIndex: turn.index,
    calls: Array.from(facts.calls, (id) => table.call(id)),
    text: text.slice(0, MAX_TEXT),
    textCut: text.length > MAX_TEXT ? text.length - MAX_TEXT : undefined,
    stopReason: facts.stopReason || undefined,
    durationMs: turn.durationMs,
    inputTokens: turn.usage?.inputTokens,
    outputTokens: turn.usage?.outputTokens,
  });
}
