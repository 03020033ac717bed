/** Two stored runs in words: what got worse or better, figures in total, the cases that moved. */
import type {
  CaseSide,
  ComparedCase,
  ComparedFigure,
  EvalCompareReport,
  FigureName,
} from "@spoor/core/internal/evals/compare-runs";
import type { Check } from "../../document/check.ts";
import type { Block, Document, Mark, Row, Text } from "../../document/document.ts";
import { joined, listed, name, say, symbol } from "../../document/text.ts";
import { count, dollars, duration, integer, percent } from "../../document/words.ts";
import { footerOf } from "../footer.ts";
import type { DescribeView } from "../view.ts";
import { chanceWords, shareOf } from "./sentences.ts";

export function describeCompare(report: EvalCompareReport, view: DescribeView): Document {
  return {
    id: "spoor:eval-compare",
    subject: ["evals"],
    blocks: [
      { kind: "verdict", ...verdictOf(report) },
      { kind: "group", blocks: [totalTable(report)] },
      {
        kind: "group",
        blocks: [
          ...casesTable(report, view.verbose),
          ...notes(report).map((text): Block => ({ kind: "paragraph", text })),
          { kind: "closing", text: [], exitCode: view.exitCode, next: [] },
        ],
      },
    ],
    footer: footerOf(report),
  };
}

export function checksOfCompare(report: EvalCompareReport): Check[] {
  return report.cases.map((entry) => ({
    suite: entry.suite,
    name: entry.id,
    mark: entry.comparison === undefined ? "unknown" : entry.comparison.change === "worse" ? "failed" : "passed",
    message: say`${shareOf(entry.baseline)}, then ${shareOf(entry.candidate)} runs pass: ${readingOf(entry).text}`,
    places: [],
  }));
}

function verdictOf(report: EvalCompareReport): { readonly mark: Mark; readonly headline: Text } {
  const worse = report.cases.filter(({ comparison }) => comparison?.change === "worse");
  const better = report.cases.filter(({ comparison }) => comparison?.change === "better");
  const score = report.figures.find(({ figure }) => figure === "score");
  const beside = say`${name(report.candidate.label)} beside ${name(report.baseline.label)}`;
  if (worse.length > 0)
    return {
      mark: report.gate.tripped ? "failed" : "warning",
      headline: say`${beside}: ${integer(worse.length)} of ${count(report.cases.length, "case")} got worse: ${names(worse)}`,
    };
  const passes = report.figures.find(({ figure }) => figure === "pass_rate");
  if (passes?.change === "lower")
    return {
      mark: report.gate.tripped ? "failed" : "warning",
      headline: say`${beside}: fewer runs pass, ${figureText("pass_rate", passes.baseline)} of them before and ${figureText("pass_rate", passes.candidate)} now, and no case shows it alone`,
    };
  if (score?.change === "lower")
    return {
      mark: report.gate.tripped ? "failed" : "warning",
      headline: say`${beside}: scores are lower, ${figureText("score", score.baseline)} to ${figureText("score", score.candidate)}`,
    };
  const open = report.cases.filter(({ comparison }) => comparison === undefined);
  if (open.length > 0)
    return {
      mark: "unknown",
      headline: say`${beside}: ${integer(open.length)} of ${count(report.cases.length, "case")} could not be compared: ${names(open)}`,
    };
  if (better.length > 0)
    return { mark: "passed", headline: say`${beside}: nothing got worse, ${names(better)} got better` };
  return { mark: "passed", headline: say`${beside}: no proof of a change in ${count(report.cases.length, "case")}` };
}

function names(cases: readonly ComparedCase[]): Text {
  const shown = cases.slice(0, 4).map(({ id }) => [name(id)]);
  return cases.length > 4 ? say`${joined(shown, ", ")} and ${cases.length - 4} more` : listed(shown);
}

const TITLES: Readonly<Record<FigureName, string>> = {
  pass_rate: "runs that pass",
  score: "score",
  cost_usd: "cost of a run",
  tokens: "tokens of a run",
  duration_ms: "time of a run",
};

function totalTable({ baseline, candidate, figures, cases }: EvalCompareReport): Block {
  const sum = (side: "baseline" | "candidate") => ({
    passed: cases.reduce((total, entry) => total + entry[side].passed, 0),
    runs: cases.reduce((total, entry) => total + entry[side].runs, 0),
  });
  return {
    kind: "table",
    caption: "In total",
    columns: [
      { title: "figure" },
      { title: baseline.label, max: 16 },
      { title: candidate.label, max: 16 },
      { title: "reading", fit: "wrap" },
    ],
    rows: [
      ...figures.map((figure): Row => {
        // Of passes the counts say more than their share.
        const side = (which: "baseline" | "candidate") =>
          figure.figure === "pass_rate" ? shareOf(sum(which)) : figureText(figure.figure, figure[which]);
        return { cells: [[TITLES[figure.figure]], [side("baseline")], [side("candidate")], [figureReading(figure)]] };
      }),
    ],
  };
}

function figureReading({ change, corrected, cases, baseline, candidate }: ComparedFigure): string {
  if (change === "unknown") return "not known on both sides";
  if (baseline === candidate) return "the same";
  if (change === "none") return `no proof of a change in ${count(cases, "case")}`;
  return `${change}: ${chanceWords(corrected!)}`;
}

function figureText(figure: FigureName, value: number | undefined): string {
  if (value === undefined) return "-";
  if (figure === "cost_usd") return dollars(value);
  if (figure === "duration_ms") return duration(value);
  if (figure === "pass_rate") return percent(value);
  return figure === "tokens" ? integer(Math.round(value)) : value.toFixed(2);
}

/** The cases that moved, one by one; the others are one row. */
function casesTable(report: EvalCompareReport, verbose: boolean): Block[] {
  const moved = (entry: ComparedCase) =>
    verbose ||
    entry.baseline.passed * entry.candidate.runs !== entry.candidate.passed * entry.baseline.runs ||
    entry.baseline.score !== entry.candidate.score;
  const shown = report.cases.filter(moved);
  const others = report.cases.length - shown.length;
  const rows = shown.map((entry): Row => {
    const { mark, text } = readingOf(entry);
    return {
      cells: [
        [name(entry.id)],
        [sideText(entry.baseline)],
        [sideText(entry.candidate)],
        say`${symbol(mark)} ${[text, ...dearer(entry)].join("; ")}`,
      ],
    };
  });
  if (others > 0)
    rows.push({
      cells: [
        [count(others, shown.length === 0 ? "case" : "other case")],
        ["all"],
        ["alike"],
        say`${symbol("passed")} no change`,
      ],
    });
  const [baseline, candidate] = [report.baseline.label, report.candidate.label];
  const columns = [
    { title: "case", max: 28 },
    { title: `${baseline}, score`, max: 18 },
    { title: `${candidate}, score`, max: 18 },
    { title: "reading", fit: "wrap" as const },
  ];
  return rows.length === 0 ? [] : [{ kind: "table", caption: "Cases", columns, rows }];
}

function sideText(side: CaseSide): string {
  return side.runs === 0 ? "-" : `${shareOf(side)}, ${figureText("score", side.score)}`;
}

function readingOf({ comparison, baseline, candidate }: ComparedCase): { readonly mark: Mark; readonly text: string } {
  if (comparison === undefined) return { mark: "unknown", text: "not compared: no run was judged on one side" };
  if (comparison.change === "worse") return { mark: "failed", text: `got worse: ${chanceWords(comparison.corrected)}` };
  if (comparison.change === "better")
    return { mark: "passed", text: `got better: ${chanceWords(comparison.corrected)}` };
  const fell = candidate.passed / candidate.runs < baseline.passed / baseline.runs;
  return fell
    ? { mark: "warning", text: "fewer pass, no proof of a change" }
    : { mark: "passed", text: "no proof of a change" };
}

/** What the case costs beside before, where that is known. */
function dearer({ baseline, candidate }: ComparedCase): string[] {
  return (["cost_usd", "tokens", "duration_ms"] as const).flatMap((figure) => {
    const [before, after] = [baseline[figure], candidate[figure]];
    const [from, to] = [figureText(figure, before), figureText(figure, after)];
    if (before === undefined || after === undefined || from === to) return [];
    return [`${from} → ${to}${figure === "tokens" ? " tokens" : ""}`];
  });
}

function notes(report: EvalCompareReport): Text[] {
  const only = (cases: readonly string[], label: string): Text[] =>
    cases.length === 0
      ? []
      : [
          say`${count(cases.length, "case")} only in ${name(label)}: ${listed(cases.slice(0, 4).map((id) => [name(id)]))}${cases.length > 4 ? " …" : ""}.`,
        ];
  const outages = report.baseline.outages + report.candidate.outages;
  return [
    ...only(report.onlyBaseline, report.baseline.label),
    ...only(report.onlyCandidate, report.candidate.label),
    ...(outages === 0 ? [] : [[`${count(outages, "outage")} left out.`]]),
  ];
}
