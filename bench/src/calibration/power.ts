/** How often a change is found: really different agents, and known changes planted into one. */
import { commonestToolOf, plantedChanges } from "@spoor/core/internal/cohort/plant";
import { createRandom } from "@spoor/core/internal/stats/random";
import type { BenchmarkRow } from "../benchmark.ts";
import { Arena, behaviourOnly, byScenario, type Entry, percent, randomSplit, subCohort } from "./arena.ts";
import type { Corpora } from "./corpora.ts";
import type { Effort } from "./effort.ts";
import { publishedPlanted } from "./published.ts";

/** Share of random sub-cohorts of really different agents that are found. Last number: what the first fourteen signals found. */
export function powerRows(corpora: Corpora, effort: Effort): BenchmarkRow[] {
  const { gpt41, gpt41mini, o4mini, gemini3, promptA, promptB } = corpora;
  const mini = ["gpt-4.1 / mini", gpt41, gpt41mini] as const;
  const o4 = ["gpt-4.1 / o4-mini", gpt41, o4mini] as const;
  const gemini = ["gemini / gpt-4.1", gemini3, gpt41] as const;
  const prompts = ["tau2 prompts", promptA, promptB] as const;
  const all = undefined;
  const cells = [
    [mini, 10, 1, all, 0.95, 0.995],
    [o4, 10, 1, all, 0.95, 0.995],
    [gemini, 10, 1, all, 0.95, 0.995],
    [prompts, 10, 1, all, 0.7, 0.78],
    [mini, 25, 1, all, 0.95, 1],
    [o4, 25, 1, all, 0.95, 1],
    [gemini, 25, 1, all, 0.95, 1],
    [prompts, 25, 1, all, 0.95, 1],
    [prompts, 5, 2, all, 0.85, 0.94],
    [prompts, 25, 1, behaviourOnly, 0.75, 0.75],
    [mini, 25, 1, behaviourOnly, 0.85, 0.38],
    [o4, 25, 1, behaviourOnly, 0.85, 0.43],
    [gemini, 25, 1, behaviourOnly, 0.85, 1],
    [prompts, 25, 2, behaviourOnly, 0.95, 1],
  ] as const;
  const arena = new Arena();
  const random = createRandom(7);
  return cells.map(([[name, baseline, candidate], size, repeats, aspects, least, before]): BenchmarkRow => {
    let found = 0;
    for (let round = 0; round < effort.subCohorts; round++) {
      const entries = subCohort(baseline, candidate, size, repeats, random);
      const options = {
        draws: effort.draws,
        limit: effort.limit,
        seed: round,
        ...(aspects === undefined ? {} : { aspects }),
      };
      if (arena.isFound(entries, options)) found++;
    }
    const share = found / effort.subCohorts;
    const what = `power, ${name}, ${size} × ${repeats}${aspects === undefined ? "" : " without wording"}`;
    return {
      what,
      measured: `${share.toFixed(3)} ± ${Math.sqrt((share * (1 - share)) / effort.subCohorts).toFixed(3)}`,
      against: `at least ${least} (${before} with the first fourteen signals)`,
      kept: share >= least,
    };
  });
}

/** Known changes planted into the airline agent, 25 scenarios × 2 runs a side; at most 0.12 below what was published. */
export function plantedRows(corpora: Corpora, effort: Effort): BenchmarkRow[] {
  const scenarios = byScenario(corpora.airline, 4);
  const random = createRandom(99);
  const context = { random, commonestTool: commonestToolOf(corpora.airline) };
  const rows: BenchmarkRow[] = [];
  let foundInAll = 0;
  let ownStrongest = 0;
  let untouchedNamed = 0;
  for (const change of plantedChanges.filter(({ name }) => Object.hasOwn(publishedPlanted, name))) {
    const arena = new Arena();
    for (const [index, share] of [0.2, 0.5, 1].entries()) {
      const expected = publishedPlanted[change.name]![index] ?? undefined;
      if (expected === undefined) continue;
      let found = 0;
      for (let round = 0; round < effort.planted; round++) {
        const entries = randomSplit(scenarios, scenarios.length, 2, 2, random).map((entry): Entry => {
          // Planted anew each time: where a change lands matters as much as which runs it touches.
          const touched =
            entry.side === "candidate" && random.unit() < share ? change.plant(entry.run, context) : undefined;
          return touched === undefined ? entry : { ...entry, run: touched };
        });
        const options = { draws: effort.draws, limit: effort.limit, seed: round };
        if (share < 1) {
          if (arena.isFound(entries, options)) found++;
          continue;
        }
        const { test } = arena.compare(entries, options);
        if (test.family.p > 0.05) continue;
        found++;
        foundInAll++;
        const least = Math.min(...test.signals.map(({ judged }) => judged?.p ?? 1));
        const own = TOUCHED[change.name]!;
        if (
          test.signals.some(({ aspect, judged }) => judged?.p === least && aspect !== undefined && own.includes(aspect))
        )
          ownStrongest++;
        if (
          test.signals.some(
            ({ aspect, judged }) => aspect !== undefined && !own.includes(aspect) && (judged?.adjusted ?? 1) <= 0.05,
          )
        )
          untouchedNamed++;
      }
      const rate = found / effort.planted;
      rows.push({
        what: `planted ${change.name} in ${percent(share)} of runs`,
        measured: rate.toFixed(2),
        against: `at least ${Math.max(0, expected - 0.12).toFixed(2)} (published ${expected})`,
        kept: rate >= expected - 0.12,
      });
    }
  }
  const strongest = ownStrongest / Math.max(1, foundInAll);
  const named = untouchedNamed / Math.max(1, foundInAll);
  rows.push(
    {
      what: "planted: strongest signal is of the planted aspect",
      measured: percent(strongest),
      against: "at least 90 %",
      kept: strongest >= 0.9,
    },
    {
      what: "planted: an untouched aspect is named",
      measured: percent(named),
      against: "at most 10 %",
      kept: named <= 0.1,
    },
  );
  return rows;
}

/**
 * The aspects that a planted change really touches: a missing call is also a missing effect, less work, another step after the one
 * before it, and fewer calls per response.
 */
const TOUCHED: Readonly<Record<string, readonly string[]>> = {
  new_tool: ["tools", "order", "effects", "effort", "rhythm"],
  dropped_call: ["tools", "order", "args", "effects", "effort", "outcome", "rhythm"],
  missing_effect: ["tools", "order", "args", "effects", "effort", "rhythm"],
  new_key: ["args", "effects"],
  swapped: ["order"],
  retry: ["tools", "order", "args", "effects", "effort", "outcome", "rhythm"],
};
