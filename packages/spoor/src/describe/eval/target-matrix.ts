/**
 * Several targets side by side: a row per case, a column per target. Cases that all targets pass are one row together. Where so many targets, or
 * such long names, are wider than a screen, a row per target says what each does not pass.
 */
import type { CaseReport, EvalReport } from "@spoor/core/internal/evals/eval-report";
import type { Block, Row, Text } from "../../document/document.ts";
import { joined, name, say, symbol } from "../../document/text.ts";
import { count, integer } from "../../document/words.ts";
import { reading, share, shareOf, targetsOf } from "./sentences.ts";

/** Columns of a terminal for all targets, beside a short name of a case; and what "✓ 10 of 10" takes. */
const ROOM = 60;
const NARROWEST = 10;
const GAP = 2;

/** Undefined for a single target. */
export function targetMatrix(report: EvalReport, verbose: boolean): Block | undefined {
  const targets = targetsOf(report);
  if (targets.length < 2) return undefined;
  const width = targets.reduce((sum, target) => sum + Math.max(NARROWEST, target.length) + GAP, 0);
  return width <= ROOM ? besideEachOther(report, targets, verbose) : belowEachOther(report, targets);
}

function belowEachOther(report: EvalReport, targets: readonly string[]): Block {
  const failing = (target: string): Text => {
    const missed = report.cases.filter((entry) => entry.target === target && reading(entry).mark !== "passed");
    if (missed.length === 0) return say`${symbol("passed")} none`;
    const mark = missed.some((entry) => entry.reading.fails) ? "failed" : "warning";
    const shown = missed.slice(0, 4).map((entry) => [name(entry.id)]);
    return say`${symbol(mark)} ${joined(shown, ", ")}${missed.length > 4 ? ` and ${integer(missed.length - 4)} more` : ""}`;
  };
  return {
    kind: "table",
    caption: "Targets",
    columns: [
      { title: "target", max: 32 },
      { title: "cases that pass" },
      { title: "mean score" },
      { title: "not steady", fit: "wrap" },
    ],
    rows: targets.map((target) => ({
      cells: [[name(target)], [passing(report, target)], [meanScore(report, target)], failing(target)],
    })),
  };
}

function besideEachOther(report: EvalReport, targets: readonly string[], verbose: boolean): Block {
  const byCase = new Map<string, CaseReport[]>();
  for (const entry of report.cases) {
    const key = JSON.stringify([entry.suite, entry.id]);
    byCase.set(key, [...(byCase.get(key) ?? []), entry]);
  }
  const isNotable = (entries: readonly CaseReport[]) =>
    verbose || entries.length < targets.length || entries.some((entry) => reading(entry).mark !== "passed");
  const notable = [...byCase.values()].filter(isNotable);
  const others = byCase.size - notable.length;
  const rows: Row[] = notable.map((entries) => ({
    cells: [
      [name(entries[0]!.id)],
      ...targets.map((target) => cellOf(entries.find((entry) => entry.target === target))),
    ],
  }));
  if (others > 0)
    rows.push({
      cells: [
        [count(others, notable.length === 0 ? "case" : "other case")],
        ...targets.map((): Text => say`${symbol("passed")} all`),
      ],
    });
  rows.push({ cells: [["cases that pass"], ...targets.map((target): Text => [passing(report, target)])] });
  rows.push({ cells: [["mean score"], ...targets.map((target): Text => [meanScore(report, target)])] });
  return {
    kind: "table",
    caption: "Targets",
    columns: [{ title: "case", max: 32 }, ...targets.map((target) => ({ title: target }))],
    rows,
  };
}

function cellOf(entry: CaseReport | undefined): Text {
  if (entry === undefined || entry.runs.length === 0) return ["-"];
  if (entry.judged === 0) return say`${symbol("unknown")} outage`;
  const shown = entry.planned === 1 && entry.score !== undefined ? entry.score.toFixed(2) : share(entry);
  return say`${symbol(reading(entry).mark)} ${shown}`;
}

function passing(report: EvalReport, target: string): string {
  const entries = report.cases.filter((entry) => entry.target === target);
  const judged = entries.filter((entry) => entry.judged > 0 && entry.reading.kind !== "not_judged");
  return shareOf({ passed: judged.filter((entry) => !entry.reading.fails).length, runs: entries.length });
}

/** Over cases, so that one that was run more often counts no more than the others. */
function meanScore(report: EvalReport, target: string): string {
  const scores = report.cases.flatMap((entry) => (entry.target === target ? (entry.score ?? []) : []));
  return scores.length === 0 ? "-" : (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(2);
}
