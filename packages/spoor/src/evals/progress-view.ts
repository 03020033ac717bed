/** The progress of an eval: a row per case and target; in a pipe one line per finished case. */
import type { RunRecord } from "@spoor/core/internal/evals/run-record";
import { printable } from "@spoor/core/internal/text/printable";
import { limitText } from "../document/limit-words.ts";
import { count, duration, integer } from "../document/words.ts";
import type { TerminalStyle } from "../write/terminal/terminal-style.ts";
import { createLiveView, type LiveRow, type ProgressOptions, repeatWord, workersWord } from "./live-view.ts";
import type { PlannedRun, RunPlan } from "./plan-runs.ts";

export interface ProgressView {
  resumed(run: PlannedRun, record: RunRecord): void;
  started(run: PlannedRun): void;
  activity(run: PlannedRun, text: string): void;
  finished(run: PlannedRun, record: RunRecord): void;
  close(): void;
}

interface SettledCase {
  readonly passed: boolean;
  readonly lost: boolean;
  readonly costUsd: number | undefined;
  readonly record: RunRecord;
}

export function createProgressView(plan: RunPlan, options: ProgressOptions): ProgressView {
  const targets = [...new Set(plan.cases.map((entry) => entry.target))];
  const view = createLiveView<SettledCase>(
    {
      head: [
        [...new Set(plan.cases.map((entry) => entry.file))].join(", "),
        `target ${targets.join(", ")}`,
        repeatWord(Math.max(...plan.cases.map((entry) => entry.repeat))),
        workersWord(options.workers),
      ],
      words: { passed: "passed", failed: "failed" },
      rows: plan.cases.map(({ suite, target, id, repeat }) => ({
        key: keyOf(suite, target, id),
        name: targets.length > 1 ? `${id} on ${target}` : id,
        runs: repeat,
      })),
      line: (row) => (row.settled.length === row.marks.length ? caseLine(row, options.style) : undefined),
    },
    options,
  );
  const settled = (record: RunRecord): SettledCase => ({
    passed: record.passed,
    lost: record.status === "outage",
    costUsd: record.cost_usd,
    record,
  });
  return {
    resumed: (run, record) => view.resumed(rowOf(run), run.run, settled(record)),
    started: (run) => view.started(rowOf(run), run.run),
    activity: (run, text) => view.activity(rowOf(run), run.run, text),
    finished: (run, record) => view.finished(rowOf(run), run.run, settled(record)),
    close: () => view.close(),
  };
}

function rowOf(run: PlannedRun): string {
  return keyOf(run.suite.name, run.target.name, run.case.id);
}

function keyOf(suite: string, target: string, id: string): string {
  return JSON.stringify([suite, target, id]);
}

/** `✓ order-status  5 of 5` or, for a single run, `✓ order-status  1.00  0.8 s`. */
function caseLine({ name, marks, settled }: LiveRow<SettledCase>, style: TerminalStyle): string {
  const passed = marks.filter((mark) => mark === "passed").length;
  const lost = marks.filter((mark) => mark === "lost").length;
  const judged = marks.length - lost;
  const went = settled.every(({ record }) => record.ended === "answered" && record.retries === undefined);
  const symbol =
    judged === 0
      ? style.paint.warn(style.symbols.unknown)
      : passed === marks.length && went
        ? style.paint.good(style.symbols.passed)
        : passed > 0
          ? style.paint.warn(style.symbols.warning)
          : style.paint.bad(style.symbols.failed);
  const outages = lost === 0 ? "" : `  ${count(lost, "outage")}`;
  if (marks.length > 1) return `${symbol} ${printable(name)}  ${integer(passed)} of ${integer(judged)}${outages}`;
  const { record } = settled[0]!;
  const limit = record.limit === undefined ? "" : `  ${limitText(record.limit)}`;
  const time = record.duration_ms === undefined ? "" : `  ${duration(record.duration_ms)}`;
  const error = record.error === undefined ? "" : `  ${printable(record.error.message)}`;
  const score = lost > 0 ? "outage" : record.score.toFixed(2);
  return `${symbol} ${printable(name)}  ${score}${time}${limit}${error}`;
}
