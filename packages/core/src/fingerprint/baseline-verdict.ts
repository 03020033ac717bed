/**
 * What a comparison comes to, as a typed code with its numbers: the first row that applies, consequence first. Renderers
 * turn it into the sentence at the top; nothing is judged that was not counted.
 */
import { isEffectName } from "../trace/effects.ts";
import { type AgentComparison, isRealLoss, type LostTool, type RunComparison, type ToolFinding } from "./comparison.ts";

export type BaselineVerdict =
  | { readonly code: "nothing_analysed" }
  | { readonly code: "no_baseline"; readonly agents: readonly string[]; readonly runs: number; readonly of: number }
  | { readonly code: "lost_tool"; readonly agent: string; readonly lost: LostTool }
  | {
      readonly code: "new_tool";
      readonly agent: string;
      readonly tool: ToolFinding;
      /** The other tools that were never seen. */
      readonly others: readonly ToolFinding[];
      readonly recorded: number;
      /** A tool that is gone at the same time. */
      readonly lost?: LostTool;
    }
  | {
      readonly code: "lost_field";
      readonly agent: string;
      readonly field: string;
      readonly tool: string;
      readonly runs: number;
      readonly of: number;
    }
  | {
      readonly code: "model_swap";
      readonly agent: string;
      readonly before: readonly string[];
      readonly now: readonly string[];
      readonly runs: number;
      readonly of: number;
    }
  | {
      readonly code: "unknown_path";
      readonly runs: number;
      readonly of: number;
      readonly variants: number;
      readonly recorded: number;
    }
  | { readonly code: "variant"; readonly runs: number; readonly of: number; readonly recorded: number }
  | { readonly code: "known"; readonly runs: number; readonly recorded: number };

export function baselineVerdict(comparisons: readonly AgentComparison[]): BaselineVerdict {
  const runs = comparisons.flatMap((comparison) => comparison.runs);
  if (runs.length === 0) return { code: "nothing_analysed" };
  const recorded = comparisons.reduce((sum, comparison) => sum + (comparison.baseline?.runs ?? 0), 0);
  return (
    newTool(comparisons) ??
    missingBaseline(comparisons, runs) ??
    lostTool(comparisons) ??
    fieldVerdict(comparisons) ??
    modelSwap(comparisons) ??
    pathVerdict(runs, recorded)
  );
}

function missingBaseline(
  comparisons: readonly AgentComparison[],
  runs: readonly RunComparison[],
): BaselineVerdict | undefined {
  const without = comparisons.filter((comparison) => comparison.baseline === null);
  if (without.length === 0) return undefined;
  const count = without.reduce((sum, comparison) => sum + comparison.runs.length, 0);
  return { code: "no_baseline", agents: without.map((comparison) => comparison.agent), runs: count, of: runs.length };
}

function lostTool(
  comparisons: readonly AgentComparison[],
): Extract<BaselineVerdict, { code: "lost_tool" }> | undefined {
  const lost = comparisons
    .flatMap(({ agent, lostTools }) => lostTools.map((tool) => ({ agent, lost: tool })))
    .filter(({ lost: tool }) => isRealLoss(tool))
    .sort((left, right) => left.lost.chance - right.lost.chance)[0];
  return lost === undefined ? undefined : { code: "lost_tool", ...lost };
}

/** First of all: a tool that nobody has seen before is no matter of chance, as a missing one may be. */
function newTool(comparisons: readonly AgentComparison[]): BaselineVerdict | undefined {
  const added = comparisons
    .flatMap(({ agent, newTools, baseline }) => {
      const [tool, ...others] = newTools;
      return tool === undefined ? [] : [{ agent, tool, others, recorded: baseline?.runs ?? 0 }];
    })
    .sort((left, right) => mayChange(right.tool) - mayChange(left.tool) || right.tool.runs - left.tool.runs)[0];
  if (added === undefined) return undefined;
  const lost = lostTool(comparisons.filter(({ agent }) => agent === added.agent))?.lost;
  return { code: "new_tool", ...added, ...(lost === undefined ? {} : { lost }) };
}

function mayChange({ tool }: ToolFinding): number {
  return Number(isEffectName(tool));
}

function fieldVerdict(comparisons: readonly AgentComparison[]): BaselineVerdict | undefined {
  for (const { agent, lostFields } of comparisons) {
    const lost = lostFields[0];
    if (lost !== undefined) return { code: "lost_field", agent, ...lost };
  }
  return undefined;
}

/** Every run is new only because the model's name is part of the fingerprint: the tools are the same. */
function modelSwap(comparisons: readonly AgentComparison[]): BaselineVerdict | undefined {
  for (const comparison of comparisons) {
    const model = comparison.differences.find((difference) => difference.what === "model");
    const same = comparison.runs.filter((run) => run.closest?.similarity.composite === 1 && run.status !== "match");
    if (model !== undefined && same.length > 0) {
      const { agent, runs } = comparison;
      return { code: "model_swap", agent, before: model.before, now: model.now, runs: same.length, of: runs.length };
    }
  }
  return undefined;
}

function pathVerdict(runs: readonly RunComparison[], recorded: number): BaselineVerdict {
  const of = runs.length;
  const unknown = runs.filter((run) => run.status === "new").length;
  const variants = runs.filter((run) => run.status === "variant" || run.status === "structural_match").length;
  if (unknown > 0) return { code: "unknown_path", runs: unknown, of, variants, recorded };
  return variants > 0 ? { code: "variant", runs: variants, of, recorded } : { code: "known", runs: of, recorded };
}
