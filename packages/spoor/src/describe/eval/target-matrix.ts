/** Several targets side by side: a row per case, a column per target. Cases that all targets pass are one row together. */
import type { CaseReport, EvalReport } from "@spoor/core/internal/evals/eval-report";
import type { Block, Row, Text } from "../../document/document.ts";
import { name, say, symbol } from "../../document/text.ts";
import { count } from "../../document/words.ts";
import { reading, share, targetsOf } from "./sentences.ts";

/** Beyond this a table is wider than a screen; the list of cases says the same. */
const MOST_TARGETS = 8;

/** Undefined for a single target. */
export function targetMatrix(report: EvalReport, verbose: boolean): Block | undefined {
  const targets = targetsOf(report);
  if (targets.length < 2 || targets.length > MOST_TARGETS) return undefined;
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
    columns: [{ title: "case", max: 32 }, ...targets.map((target) => ({ title: target, max: 20 }))],
    rows,
  };
}

function cellOf(entry: CaseReport | undefined): Text {
  if (entry === undefined || entry.runs.length === 0) return ["-"];
  const shown = entry.planned === 1 && entry.score !== undefined ? entry.score.toFixed(2) : share(entry);
  return say`${symbol(reading(entry).mark)} ${shown}`;
}

function passing(report: EvalReport, target: string): string {
  const entries = report.cases.filter((entry) => entry.target === target);
  const judged = entries.filter((entry) => entry.judged > 0 && entry.reading.kind !== "not_judged");
  return `${judged.filter((entry) => !entry.reading.fails).length} of ${entries.length}`;
}

/** Over cases, so that one that was run more often counts no more than the others. */
function meanScore(report: EvalReport, target: string): string {
  const scores = report.cases.flatMap((entry) => (entry.target === target ? (entry.score ?? []) : []));
  return scores.length === 0 ? "-" : (scores.reduce((sum, score) => sum + score, 0) / scores.length).toFixed(2);
}
