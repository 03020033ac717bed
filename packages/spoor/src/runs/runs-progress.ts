/** The progress of runs over scenarios: a row per scenario and side; in a pipe a line for each run that has ended. */
import { printable } from "@spoor/core/internal/text/printable";
import { dollars, tokens } from "../document/words.ts";
import { createLiveView, type ProgressOptions, repeatWord, workersWord } from "../evals/live-view.ts";
import type { PlannedRun } from "./plan-scenario-runs.ts";
import { runName } from "./run-errors.ts";
import type { RunEnd } from "./run-scenario.ts";
import type { Spending } from "./spending.ts";

export interface RunsProgress {
  started(run: PlannedRun): void;
  ended(run: PlannedRun, end: RunEnd, spent: Spending): void;
  close(): void;
}

interface EndedRun {
  readonly passed: boolean;
  readonly tokens: number;
  readonly costUsd: number | undefined;
  readonly line: string;
}

/** `done`: runs that are there already. */
export function createRunsProgress(
  agent: string,
  planned: readonly PlannedRun[],
  done: readonly PlannedRun[],
  options: ProgressOptions,
): RunsProgress {
  const rows = new Map<string, { key: string; name: string; runs: number }>();
  for (const run of planned) {
    const key = rowOf(run);
    const name = run.side === "baseline" ? `${run.scenario}, base` : run.scenario;
    rows.set(key, { key, name, runs: Math.max(run.run, rows.get(key)?.runs ?? 0) });
  }
  const repeat = Math.max(...planned.map(({ run }) => run));
  const view = createLiveView<EndedRun>(
    {
      head: [agent, repeatWord(repeat), workersWord(options.workers)],
      words: { passed: "recorded", failed: "did not happen" },
      rows: [...rows.values()],
      line: (_row, { line }) => line,
    },
    options,
  );
  const total = planned.length;
  let finished = done.length;
  for (const run of done) view.resumed(rowOf(run), run.run, { passed: true, tokens: 0, costUsd: undefined, line: "" });
  return {
    started: (run) => view.started(rowOf(run), run.run),
    ended(run, { outcome, why }, spent) {
      if (outcome === "cancelled") return;
      const passed = outcome === "recorded";
      const what = passed ? ["recorded", ...spendingWords(spent)].join(", ") : `did not happen: ${printable(why!)}`;
      const place = `${String(++finished).padStart(String(total).length)} of ${total}`;
      const line = `${place}  ${printable(runName(run))} ${what}`;
      view.finished(rowOf(run), run.run, { passed, tokens: spent.tokens, costUsd: spent.usd || undefined, line });
    },
    close: () => view.close(),
  };
}

/** `690 tok`, `$0.0021`; what has no price has none. */
export function spendingWords({ tokens: amount, usd }: Spending): string[] {
  return [...(amount > 0 ? [tokens(amount)] : []), ...(usd > 0 ? [dollars(usd)] : [])];
}

function rowOf({ scenario, side }: PlannedRun): string {
  return JSON.stringify([side, scenario]);
}
