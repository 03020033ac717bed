/** What `max_total_tokens` and `max_cost` have in common: every response uses something up, and a limit says how much in all. */
import { type TurnEvent, timeOfTurn } from "../events.ts";
import { isRate, type Rate } from "../rate.ts";
import type { EndEvent, Finding, StepContext } from "../rule.ts";
import { noSpending, noteSpent, overspent, type Spending, settleSpending, spend, unclearRate } from "../spending.ts";

export interface BudgetState {
  readonly total: number;
  /** Responses that told how much. */
  readonly counted: number;
  /** Why the first that did not tell could not. */
  readonly why: string | undefined;
  readonly spending: Spending;
}

export interface BudgetParams {
  readonly limit: number;
  readonly per?: Rate;
}

/** How a kind speaks of its budget. */
export interface BudgetWords {
  /** What is wrong when so much was used. */
  describe(total: number, params: BudgetParams): Finding;
  /** `how many tokens it used`, `how many tokens they used` */
  readonly told: readonly [one: string, many: string];
}

/** What a response uses, or why that is not known. */
export type Used = number | { readonly why: string };

export function startBudget(): BudgetState {
  return { total: 0, counted: 0, why: undefined, spending: noSpending() };
}

export function afterBudgetTurn(
  state: BudgetState,
  turn: TurnEvent,
  used: Used,
  { params, live, found, notEvaluated }: StepContext<BudgetParams>,
  { describe }: BudgetWords,
): BudgetState {
  const { limit, per } = params;
  const why = typeof used === "number" ? undefined : used.why;
  if (live && why !== undefined) notEvaluated(why);
  const amount = typeof used === "number" ? used : 0;
  const total = state.total + amount;
  const next = { total, counted: state.counted + (why === undefined ? 1 : 0), why: state.why ?? why };
  if (!isRate(per)) {
    if (live && isAbove(total, limit)) found({ ...describe(total, params), turn, provisional: true });
    return { ...next, spending: state.spending };
  }
  const item = { at: timeOfTurn(turn), amount, turn: { index: turn.index, recordId: turn.recordId } };
  if (!live) return { ...next, spending: noteSpent(state.spending, item) };
  if (per.seconds !== undefined && item.at === undefined) notEvaluated("the response has no time");
  const spent = spend(state.spending, item, per);
  if (isAbove(spent.total, limit)) found({ ...describe(spent.total, params), turn });
  return { ...next, spending: spent.after };
}

export function endBudget(
  state: BudgetState,
  end: EndEvent,
  { params, live, found, notEvaluated }: StepContext<BudgetParams>,
  { describe, told: [one, many] }: BudgetWords,
): void {
  const { limit, per } = params;
  const { total, counted, why } = state;
  if (!isRate(per) && isAbove(total, limit)) found(describe(total, params));
  else if (why !== undefined) {
    const some = `only ${counted} of ${end.turns} responses recorded ${many}`;
    notEvaluated(counted === 0 ? `no response recorded ${one}` : some);
  }
  if (live || !isRate(per) || end.turns === 0) return;
  const problem = unclearRate(state.spending, per, end, "response");
  if (problem !== undefined) notEvaluated(problem);
  for (const { item, total: sum } of overspent(state.spending, end, per, (spent) => isAbove(spent, limit)))
    found({ ...describe(sum, params), ...(item.turn === undefined ? {} : { turn: item.turn }) });
}

export function settleBudget(state: BudgetState): BudgetState {
  return state.spending.pending.length === 0 ? state : { ...state, spending: settleSpending(state.spending) };
}

/** Sums of fractions are not exact: a billionth does not break a budget. */
function isAbove(total: number, limit: number): boolean {
  return total - limit > 1e-9;
}
