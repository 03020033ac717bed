/** What a whole run does otherwise than its partner: few enough words that runs which changed alike can be put together. */
import { diffCalls } from "./call-changes.ts";
import type { TurnPairing } from "./pair-turns.ts";
import type { Reordering } from "./reordering.ts";
import type { FactsTable, TurnFacts } from "./turn-facts.ts";

export interface RunChange {
  /** Tools that one side calls more often than the other, over the whole run; each once, in alphabetical order. */
  readonly dropped: readonly string[];
  readonly added: readonly string[];
  /** Arguments that calls of both sides have with other values; positions in lists are left out of paths. */
  readonly arguments: readonly ChangedArgument[];
  readonly reordered: boolean;
  /** Another stop reason in a turn that makes the same calls. */
  readonly stopReason: boolean;
}

export interface ChangedArgument {
  readonly tool: string;
  readonly path: string;
}

/** Undefined when every turn does the same. */
export function findRunChange(
  table: FactsTable,
  work: TurnPairing,
  reordered: Reordering | undefined,
): RunChange | undefined {
  if (work.changes.length === 0) return undefined;
  const before = countTools(table, work.baseline);
  const after = countTools(table, work.candidate);
  return {
    dropped: calledMore(before, after),
    added: calledMore(after, before),
    arguments: changedArguments(table, work),
    reordered: reordered !== undefined,
    stopReason: work.changes.some(({ change }) => change === "stop_reason"),
  };
}

function countTools(table: FactsTable, turns: readonly TurnFacts[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const turn of turns) {
    for (const id of turn.calls) {
      const { name } = table.call(id);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  return counts;
}

function calledMore(one: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): string[] {
  return [...one.keys()].filter((tool) => one.get(tool)! > (other.get(tool) ?? 0)).sort();
}

function changedArguments(table: FactsTable, work: TurnPairing): ChangedArgument[] {
  const found = new Map<string, ChangedArgument>();
  for (const { baselineTurn, candidateTurn } of work.changes) {
    if (baselineTurn === undefined || candidateTurn === undefined) continue;
    const changes = diffCalls(table, work.baseline[baselineTurn]!, work.candidate[candidateTurn]!);
    for (const { tool, path } of changes.arguments) {
      const plain = path.replaceAll(/\[\d+\]/g, "[]");
      found.set(JSON.stringify([tool, plain]), { tool, path: plain });
    }
  }
  return [...found.keys()].sort().map((key) => found.get(key)!);
}
