/**
 * Keeps the state of runs and shows it: on a terminal as a view that is redrawn in place, in a pipe as lines that the caller words.
 * Standard error only; results never pass through here.
 */
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";
import { type CaseProgress, type ProgressState, type RunMark, renderProgress } from "./progress-lines.ts";

export interface ProgressOptions {
  readonly write: (text: string) => void;
  readonly style: TerminalStyle;
  /** Redraw in place; otherwise print lines. */
  readonly live: boolean;
  readonly rows: number;
  readonly workers: number;
  readonly clock: () => number;
}

export interface LivePlan<Settled> extends Pick<ProgressState, "head" | "words"> {
  readonly rows: readonly { readonly key: string; readonly name: string; readonly runs: number }[];
  /** In a pipe: the line to print when a run has ended; undefined for none yet. */
  readonly line: (row: LiveRow<Settled>, settled: Settled) => string | undefined;
}

export interface LiveRow<Settled> {
  readonly name: string;
  readonly marks: readonly RunMark[];
  readonly settled: readonly Settled[];
}

/** How a run ended, as far as the view counts it. */
export interface SettledRun {
  readonly passed: boolean;
  /** An outage took it: it neither passed nor failed. */
  readonly lost?: boolean;
  readonly costUsd?: number | undefined;
  readonly tokens?: number | undefined;
}

/** Runs are named by the key of their row and their number, from 1. */
export interface LiveView<Settled> {
  /** It was done before this began. */
  resumed(key: string, run: number, settled: Settled): void;
  started(key: string, run: number): void;
  activity(key: string, run: number, text: string): void;
  finished(key: string, run: number, settled: Settled): void;
  close(): void;
}

const REDRAW_MS = 100;

interface RowState<Settled> {
  readonly name: string;
  readonly marks: RunMark[];
  readonly activities: Map<number, { text: string; since: number }>;
  readonly settled: Settled[];
}

export function createLiveView<Settled extends SettledRun>(
  plan: LivePlan<Settled>,
  options: ProgressOptions,
): LiveView<Settled> {
  const rows = new Map<string, RowState<Settled>>();
  for (const { key, name, runs } of plan.rows)
    rows.set(key, { name, marks: Array<RunMark>(runs).fill("waiting"), activities: new Map(), settled: [] });
  const startedAt = options.clock();
  let resumedRuns = 0;
  let cost: number | undefined;
  let tokens: number | undefined;
  let drawnLines = 0;
  const timer = options.live ? setInterval(draw, REDRAW_MS) : undefined;
  timer?.unref();

  return {
    resumed(key, run, settled) {
      resumedRuns++;
      settle(key, run, settled);
    },
    started(key, run) {
      const row = rows.get(key)!;
      row.marks[run - 1] = "running";
      row.activities.set(run, { text: "starting", since: options.clock() });
    },
    activity(key, run, text) {
      const { activities } = rows.get(key)!;
      const current = activities.get(run);
      if (current !== undefined && current.text !== text) activities.set(run, { text, since: options.clock() });
    },
    finished(key, run, settled) {
      const line = plan.line(settle(key, run, settled), settled);
      if (!options.live && line !== undefined) options.write(`${line}\n`);
    },
    close() {
      clearInterval(timer);
      erase();
    },
  };

  function settle(key: string, run: number, settled: Settled): RowState<Settled> {
    const row = rows.get(key)!;
    row.marks[run - 1] = settled.lost === true ? "lost" : settled.passed ? "passed" : "failed";
    row.activities.delete(run);
    row.settled.push(settled);
    if (settled.costUsd !== undefined) cost = (cost ?? 0) + settled.costUsd;
    if (settled.tokens !== undefined) tokens = (tokens ?? 0) + settled.tokens;
    return row;
  }

  function draw(): void {
    const text = renderProgress(snapshot(), options.style, options.rows);
    erase();
    options.write(text);
    drawnLines = text.split("\n").length - 1;
  }

  function erase(): void {
    if (drawnLines > 0) options.write(`\u001b[${drawnLines}A\u001b[0J`);
    drawnLines = 0;
  }

  function snapshot(): ProgressState {
    const now = options.clock();
    const cases = [...rows.values()].map((row): CaseProgress => {
      const latest = [...row.activities.values()].at(-1);
      return {
        name: row.name,
        marks: row.marks,
        ...(latest === undefined ? {} : { activity: { text: latest.text, forMs: now - latest.since } }),
      };
    });
    return {
      head: plan.head,
      words: plan.words,
      cases,
      elapsedMs: now - startedAt,
      resumed: resumedRuns,
      ...(tokens === undefined ? {} : { tokens }),
      ...(cost === undefined ? {} : { costUsd: cost }),
    };
  }
}

/** `4 workers` */
export function workersWord(workers: number): string {
  return `${workers} ${workers === 1 ? "worker" : "workers"}`;
}

/** `5 runs each` */
export function repeatWord(repeat: number): string {
  return repeat === 1 ? "1 run each" : `${repeat} runs each`;
}
