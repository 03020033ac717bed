/** What a report of evals says was not evaluated, or not believed. */
import { statusOfVerdict } from "@spoor/core/internal/evals/agentv-verdict";
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { count, dollars, integer } from "../../document/words.ts";
import type { Budget } from "../../evals/budget.ts";
import type { EvalsOutcome } from "../../evals/run-evals.ts";
import type { ModelServers } from "../../evals/servers/model-servers.ts";

export function notEvaluated(records: readonly RunRecord[], outcome: EvalsOutcome, budget: Budget | undefined) {
  const skipped = new Map<string, number>();
  for (const record of records) {
    for (const result of record.evaluator_results ?? [])
      if (statusOfVerdict(result.verdict) === "not_evaluated")
        skipped.set(result.name, (skipped.get(result.name) ?? 0) + 1);
  }
  return [
    ...[...skipped].map(([name, runs]) => ({
      what: name,
      why: `left out in ${integer(runs)} of ${integer(records.length)} runs, no judge is configured`,
    })),
    ...[...(budget?.blind ?? [])].map((target) => ({
      what: `further runs on ${target}`,
      why: "it does not say what a run costs, so the budget could not be kept; pricing of the target says it",
    })),
    ...(outcome.overBudget && budget !== undefined && budget.spentUsd > 0
      ? [{ what: "the remaining runs", why: spentWords(budget) }]
      : []),
    ...outcome.problems.map((why) => ({ what: "after_all", why })),
  ];
}

/** A run is put off when one as dear as the dearest so far would not fit any more. */
function spentWords({ spentUsd, limitUsd, guessed }: Budget): string {
  const unsure = guessed === 0 ? "" : `; ${count(guessed, "run")} without a price counted as the dearest`;
  return `the budget is spent: ${dollars(spentUsd)} of ${dollars(limitUsd)}, and another run as dear as the dearest would not fit${unsure}`;
}

/** What of a cache could not be used is said; nothing of it was believed. */
export function cacheNotes({ cache }: ModelServers) {
  if (cache === undefined) return [];
  const { damaged, unwritten, withheld } = cache.facts;
  const notes = [
    [damaged, "damaged and asked for again"],
    [unwritten, "could not be written"],
    [withheld, "not kept, because a secret stands in them"],
  ] as const;
  return notes.flatMap(([amount, why]) =>
    amount === 0 ? [] : [{ what: "the cache", why: `${count(amount, "answer")} ${why}` }],
  );
}
