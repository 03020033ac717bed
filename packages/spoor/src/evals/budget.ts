/**
 * A budget that holds with many workers: before a run starts, what the dearest run of its target cost is put aside. The first run of
 * a target, of which nobody knows yet what it costs, starts alone. Only a run that is dearer than every one before it can go over.
 */

import { spentOn } from "@spoor/core/internal/evals/run-cost";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";

export interface Budget {
  /** `wait`: runs under way may leave enough. `never`: what is left is too little, or nobody can say. Sets the money aside. */
  start(target: string): "go" | "wait" | "never";
  end(target: string, record: RunRecord | undefined): void;
  readonly spentUsd: number;
  readonly limitUsd: number;
  /** Runs whose cost nobody stated; each counts as the dearest one. */
  readonly guessed: number;
  /** Targets that state no cost at all, so that no further run of them may start. */
  readonly blind: ReadonlySet<string>;
}

/** Rates are multiplied and added in floating point: a tenth of a cent of a cent is no money. */
const SLACK = 1e-9;

export interface BudgetOptions {
  /** What was run and paid before, by a run that this one goes on with. */
  readonly earlier?: readonly RunRecord[];
  /** Targets that ask nobody who wants money: a run of theirs that states no cost has none. */
  readonly free?: ReadonlySet<string>;
}

export function createBudget(limitUsd: number, { earlier = [], free = new Set() }: BudgetOptions = {}): Budget {
  const dearest = new Map<string, number>();
  const underWay = new Map<string, number>();
  const blind = new Set<string>();
  let spentUsd = 0;
  let guessed = 0;
  for (const record of earlier) count(record.target, record);
  return {
    get spentUsd() {
      return spentUsd;
    },
    get guessed() {
      return guessed;
    },
    limitUsd,
    blind,
    start(name) {
      if (blind.has(name)) return "never";
      const likely = dearest.get(name);
      const left = limitUsd - spentUsd - setAside();
      const fits = likely === undefined ? left > SLACK && !someUnknown() : likely <= left + SLACK;
      const waits = [...underWay.values()].some((runs) => runs > 0);
      if (!fits) return waits ? "wait" : "never";
      underWay.set(name, (underWay.get(name) ?? 0) + 1);
      return "go";
    },
    end(name, record) {
      underWay.set(name, underWay.get(name)! - 1);
      if (record !== undefined) count(name, record);
    },
  };

  function count(name: string, record: RunRecord): void {
    const cost = spentOn(record) ?? (free.has(name) ? 0 : undefined);
    if (cost !== undefined) {
      spentUsd += cost;
      dearest.set(name, Math.max(cost, dearest.get(name) ?? 0));
      return;
    }
    const likely = dearest.get(name);
    if (likely === undefined) blind.add(name);
    else {
      guessed++;
      spentUsd += likely;
    }
  }

  function setAside(): number {
    return [...underWay].reduce((sum, [name, runs]) => sum + runs * (dearest.get(name) ?? 0), 0);
  }

  /** Somebody is out of whom nobody knows yet what he costs. */
  function someUnknown(): boolean {
    return [...underWay].some(([name, runs]) => runs > 0 && !dearest.has(name));
  }
}
