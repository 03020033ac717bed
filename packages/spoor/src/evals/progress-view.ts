/**
 * Keeps the state of a running eval and shows it: on a terminal as a view that is redrawn in place, in a pipe as one line
 * per finished case. Standard error only; results never pass through here.
 */
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { printable } from "../document/printable.ts";
import { duration } from "../document/words.ts";
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";
import type { PlannedRun, RunPlan } from "./plan-runs.ts";
import { type CaseProgress, type ProgressState, type RunMark, renderProgress } from "./progress-lines.ts";

export interface ProgressOptions {
  readonly write: (text: string) => void;
  readonly style: TerminalStyle;
  /** Redraw in place; otherwise print a line per finished case. */
  readonly live: boolean;
  readonly rows: number;
  readonly workers: number;
  readonly clock: () => number;
}

export interface ProgressView {
  resumed(run: PlannedRun, record: RunRecord): void;
  started(run: PlannedRun): void;
  activity(run: PlannedRun, text: string): void;
  finished(run: PlannedRun, record: RunRecord): void;
  close(): void;
}

const REDRAW_MS = 100;

interface CaseState {
  readonly name: string;
  readonly marks: RunMark[];
  readonly activities: Map<number, { text: string; since: number }>;
  readonly records: RunRecord[];
}

export function createProgressView(plan: RunPlan, options: ProgressOptions): ProgressView {
  const severalTargets = new Set(plan.cases.map((entry) => entry.target)).size > 1;
  const cases = new Map<string, CaseState>();
  for (const entry of plan.cases) {
    const name = severalTargets ? `${entry.id} on ${entry.target}` : entry.id;
    cases.set(keyOf(entry.suite, entry.target, entry.id), {
      name,
      marks: Array<RunMark>(entry.repeat).fill("waiting"),
      activities: new Map(),
      records: [],
    });
  }
  const stateOf = (run: PlannedRun) => cases.get(keyOf(run.suite.name, run.target.name, run.case.id))!;
  const startedAt = options.clock();
  let resumedRuns = 0;
  let cost: number | undefined;
  let drawnLines = 0;
  const timer = options.live ? setInterval(draw, REDRAW_MS) : undefined;
  timer?.unref();

  return {
    resumed(run, record) {
      resumedRuns++;
      settle(run, record);
    },
    started(run) {
      const state = stateOf(run);
      state.marks[run.run - 1] = "running";
      state.activities.set(run.run, { text: "starting", since: options.clock() });
    },
    activity(run, text) {
      const current = stateOf(run).activities.get(run.run);
      if (current !== undefined && current.text !== text)
        stateOf(run).activities.set(run.run, { text, since: options.clock() });
    },
    finished(run, record) {
      settle(run, record);
      const state = stateOf(run);
      if (!options.live && state.records.length === state.marks.length)
        options.write(`${caseLine(state, options.style)}\n`);
    },
    close() {
      clearInterval(timer);
      erase();
    },
  };

  function settle(run: PlannedRun, record: RunRecord): void {
    const state = stateOf(run);
    state.marks[run.run - 1] = record.passed ? "passed" : "failed";
    state.activities.delete(run.run);
    state.records.push(record);
    if (record.cost_usd !== undefined) cost = (cost ?? 0) + record.cost_usd;
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
    const rows = [...cases.values()].map((state): CaseProgress => {
      const latest = [...state.activities.values()].at(-1);
      return {
        name: state.name,
        marks: state.marks,
        ...(latest === undefined ? {} : { activity: { text: latest.text, forMs: now - latest.since } }),
      };
    });
    return {
      files: [...new Set(plan.cases.map((entry) => entry.file))],
      targets: [...new Set(plan.cases.map((entry) => entry.target))],
      repeat: Math.max(...plan.cases.map((entry) => entry.repeat)),
      workers: options.workers,
      cases: rows,
      elapsedMs: now - startedAt,
      resumed: resumedRuns,
      ...(cost === undefined ? {} : { costUsd: cost }),
    };
  }
}

function keyOf(suite: string, target: string, id: string): string {
  return JSON.stringify([suite, target, id]);
}

/** `✓ order-status  5 of 5` or, for a single run, `✓ order-status  1.00  0.8 s`. */
function caseLine({ name, marks, records }: CaseState, style: TerminalStyle): string {
  const passed = marks.filter((mark) => mark === "passed").length;
  const symbol =
    passed === marks.length
      ? style.paint.good(style.symbols.passed)
      : passed > 0
        ? style.paint.warn(style.symbols.warning)
        : style.paint.bad(style.symbols.failed);
  if (marks.length > 1) return `${symbol} ${printable(name)}  ${passed} of ${marks.length}`;
  const record = records[0]!;
  const time = record.duration_ms === undefined ? "" : `  ${duration(record.duration_ms)}`;
  const error = record.error === undefined ? "" : `  ${printable(record.error.message)}`;
  return `${symbol} ${printable(name)}  ${record.score.toFixed(2)}${time}${error}`;
}
