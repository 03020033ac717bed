/** Two traces → pairs of turns: along the alignment, or simply first with first and second with second. */
import type { ToolCall, Turn } from "../trace/trace.ts";
import { alignTurns } from "./align/align-turns.ts";
import type { AlignedStep, Alignment } from "./align/alignment.ts";
import type { ResponsePair } from "./axis.ts";
import { type StructuralChange, structuralChange } from "./structure.ts";
import type { FactsTable, TurnFacts } from "./turn-facts.ts";

/** How turns of two traces are put together. */
export const pairings = ["aligned", "index"] as const;
export type Pairing = (typeof pairings)[number];

export interface TurnChange {
  readonly baselineTurn?: number;
  readonly candidateTurn?: number;
  readonly change: StructuralChange;
}

export interface TurnPairing {
  readonly baseline: readonly TurnFacts[];
  readonly candidate: readonly TurnFacts[];
  readonly alignment: Alignment;
  /** The steps that pairs are made of: the alignment's, or those of the index pairing. */
  readonly steps: readonly AlignedStep[];
  readonly pairs: readonly ResponsePair[];
  /** Turns without a partner, in order. */
  readonly alone: readonly TurnFacts[];
  /** Every turn that does something else, in order. */
  readonly changes: readonly TurnChange[];
}

/** A trace, or the turns of one of its conversations. */
export interface PairedSide {
  readonly turns: readonly Turn[];
  readonly toolCalls?: readonly ToolCall[];
}

export function pairTurns(table: FactsTable, before: PairedSide, after: PairedSide, pairing: Pairing): TurnPairing {
  const baseline = addSide(table, before);
  const candidate = addSide(table, after);
  const alignment = alignTurns(table, baseline, candidate);
  const steps = pairing === "aligned" ? alignment.steps : stepsByIndex(baseline.length, candidate.length);
  const pairs: ResponsePair[] = [];
  const alone: TurnFacts[] = [];
  const changes: TurnChange[] = [];
  for (const step of steps) {
    if (step.kind === "match") {
      const pair = { baseline: baseline[step.baseline]!, candidate: candidate[step.candidate]! };
      const change = structuralChange(pair.baseline, pair.candidate);
      pairs.push(pair);
      if (change !== undefined) changes.push({ baselineTurn: step.baseline, candidateTurn: step.candidate, change });
    } else if (step.kind === "delete") {
      alone.push(baseline[step.baseline]!);
      changes.push({ baselineTurn: step.baseline, change: "only_baseline" });
    } else {
      alone.push(candidate[step.candidate]!);
      changes.push({ candidateTurn: step.candidate, change: "only_candidate" });
    }
  }
  return { baseline, candidate, alignment, steps, pairs, alone, changes };
}

function addSide(table: FactsTable, { turns, toolCalls = [] }: PairedSide): TurnFacts[] {
  return table.addTurns(
    turns,
    toolCalls.filter((call) => call.turnIndex < 0),
  );
}

function stepsByIndex(baseline: number, candidate: number): AlignedStep[] {
  const steps: AlignedStep[] = [];
  for (let index = 0; index < Math.max(baseline, candidate); index++) {
    if (index >= baseline) steps.push({ kind: "insert", candidate: index });
    else if (index >= candidate) steps.push({ kind: "delete", baseline: index });
    else steps.push({ kind: "match", baseline: index, candidate: index });
  }
  return steps;
}
