/**
 * Whether another run may begin. What is under way is reckoned at the mean of the runs that have ended, so that several at a time do not spend
 * together what each alone would not have; the first run goes alone, because nobody knows yet what one costs. What cannot be counted
 * is never taken for nothing: a budget that cannot be kept is a reason to stop.
 */
import { addSpending, type Spending } from "./spending.ts";

export interface Limits {
  readonly usd?: number;
  readonly tokens?: number;
}

/** `wait`: not now, but what is under way may turn out cheaper. `spent` and `unknown`: no further run. */
export type Permission = "yes" | "wait" | "spent" | "unknown";

export interface Budget {
  readonly limits: Limits;
  /** A run has ended, well or not. */
  add(spent: Spending): void;
  spent(): Spending;
  runs(): number;
  mayStart(underWay: number): Permission;
}

/** `earlier`: what was spent on these runs before, when they are gone on with. */
export function createBudget(limits: Limits, earlier: readonly Spending[]): Budget {
  const ended = [...earlier];
  let total = addSpending(ended);
  return {
    limits,
    add(spent) {
      ended.push(spent);
      total = addSpending([total, spent]);
    },
    spent: () => total,
    runs: () => ended.length,
    mayStart(underWay) {
      if (isUnknown(limits, total)) return "unknown";
      const answers = [
        permission(limits.usd, total.usd, ended.length, underWay),
        permission(limits.tokens, total.tokens, ended.length, underWay),
      ];
      return answers.includes("spent") ? "spent" : answers.includes("wait") ? "wait" : "yes";
    },
  };
}

function isUnknown({ usd, tokens }: Limits, total: Spending): boolean {
  if (usd !== undefined && total.unpriced.length > 0) return true;
  return (usd !== undefined || tokens !== undefined) && total.uncounted > 0;
}

function permission(limit: number | undefined, spent: number, runs: number, underWay: number): Permission {
  if (limit === undefined) return "yes";
  if (spent >= limit) return "spent";
  if (runs === 0) return underWay === 0 ? "yes" : "wait";
  const expected = spent + (underWay + 1) * (spent / runs);
  if (expected <= limit) return "yes";
  return underWay > 0 ? "wait" : "spent";
}
