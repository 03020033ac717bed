/** An eval run in words: the consequence, the cases that need attention, rates, totals, what to do next. */
import type { CaseReport, EvalReport } from "@spoor/core/internal/evals/eval-report";
import type { Check } from "../../document/check.ts";
import type { Block, Column, Document, Row, Text } from "../../document/document.ts";
import { joined, name, say, symbol } from "../../document/text.ts";
import { count, integer } from "../../document/words.ts";
import { footerOf } from "../footer.ts";
import type { DescribeView } from "../view.ts";
import { caseFolds } from "./case-folds.ts";
import {
  caseName,
  nextCommand,
  powerSentence,
  rateSentence,
  reading,
  reasonTexts,
  share,
  shareOf,
  silenceTexts,
  verdict,
} from "./sentences.ts";
import { targetMatrix } from "./target-matrix.ts";
import { totalsSentence } from "./totals-sentence.ts";

const REASONS_SHOWN = 5;

export function describeEval(report: EvalReport, view: DescribeView): Document {
  const { mark, text } = verdict(report);
  const isCalm = mark === "passed" && !view.verbose;
  const next = nextCommand(report);
  return {
    id: "spoor:eval",
    subject: ["evals"],
    blocks: [
      { kind: "verdict", mark, headline: text },
      {
        kind: "group",
        blocks: [
          ...tables(report, isCalm, view.verbose),
          ...noteTexts(report, isCalm, view.verbose).map((note): Block => ({ kind: "paragraph", text: note })),
          {
            kind: "closing",
            text: writtenText(report),
            exitCode: view.exitCode,
            next: next === undefined ? [] : [next],
          },
        ],
      },
      // A report of many thousand cases that nobody asked a page of stays quick.
      ...(hasDetails(report) ? [{ kind: "group" as const, only: ["html" as const], blocks: [caseFolds(report)] }] : []),
    ],
    footer: footerOf(report),
  };
}

function hasDetails({ cases }: EvalReport): boolean {
  return cases.some(({ runs }) => runs[0]?.details !== undefined);
}

/** What the run left behind. */
function writtenText({ resultsFile, tracesFolder }: EvalReport): Text {
  const files = [resultsFile === undefined ? [] : say`Results: ${name(resultsFile)}`];
  if (tracesFolder !== undefined) files.push(say`Traces: ${name(tracesFolder)}`);
  return joined(files, ". ");
}

export function checksOfEval(report: EvalReport): Check[] {
  return report.cases.map((entry) => {
    const { mark, text } = reading(entry);
    const file = report.suites.find((suite) => suite.name === entry.suite)?.file;
    return {
      suite: entry.suite,
      name: caseName(report, entry),
      mark: entry.reading.fails ? "failed" : mark,
      message: entry.judged === 0 ? text : say`${share(entry)} runs pass: ${text}`,
      places: entry.reasons.map((reason) => ({
        trace: caseName(report, entry),
        key: `${entry.suite}#${entry.id}#${entry.target}`,
        detail: say`${integer(reason.runs)} of ${integer(entry.runs.length)} runs: ${reason.text}`,
      })),
      ...(file === undefined ? {} : { at: { file } }),
    };
  });
}

/** A calm pass says only what was not seen, and what it cost. */
function noteTexts(report: EvalReport, isCalm: boolean, verbose: boolean): Text[] {
  const totals: Text = [totalsSentence(report)];
  if (isCalm) return [...silenceTexts(report), totals];
  const sentences = [rateSentence(report), powerSentence(report)].flatMap((text) =>
    text === undefined ? [] : [[text]],
  );
  return [...sentences, ...cutReasons(reasonTexts(report), verbose), ...silenceTexts(report), totals];
}

function cutReasons(reasons: readonly Text[], verbose: boolean): Text[] {
  if (verbose || reasons.length <= REASONS_SHOWN) return [...reasons];
  return [
    ...reasons.slice(0, REASONS_SHOWN),
    [`and ${count(reasons.length - REASONS_SHOWN, "more reason")}: --verbose`],
  ];
}

/** Targets that are compared are shown whatever came of it. */
function tables(report: EvalReport, isCalm: boolean, verbose: boolean): Block[] {
  const matrix = targetMatrix(report, verbose);
  return [...(matrix === undefined ? [] : [matrix]), ...(isCalm ? [] : [casesTable(report, verbose)])];
}

/** The cases that need attention one by one; those that hold are one row together. */
function casesTable(report: EvalReport, verbose: boolean): Block {
  const isNotable = (entry: CaseReport) =>
    verbose || reading(entry).mark !== "passed" || entry.reading.comparison?.change === "better";
  const notable = report.cases.filter(isNotable);
  const steady = report.cases.filter((entry) => !isNotable(entry));
  const compares = report.against !== undefined;
  const columns: Column[] = [
    { title: "case", max: 32 },
    { title: "now" },
    ...(compares ? [{ title: report.against!.label, max: 14 }] : []),
    { title: "reading", fit: "wrap" },
  ];
  const row = (called: Text, now: string, before: string, entry: CaseReport): Row => {
    const { mark, text } = reading(entry);
    return { cells: [called, [now], ...(compares ? [[before]] : []), say`${symbol(mark)} ${text}`] };
  };
  const before = ({ reading: { comparison } }: CaseReport) =>
    comparison === undefined ? "-" : shareOf(comparison.stored);
  const rows = notable.map((entry) =>
    row([name(caseName(report, entry))], entry.judged === 0 ? "-" : share(entry), before(entry), entry),
  );
  if (steady.length > 0) {
    const called = count(steady.length, notable.length === 0 ? "case" : "other case");
    rows.push(row([called], common(steady.map(share)), common(steady.map(before)), steady[0]!));
  }
  return { kind: "table", caption: "Cases", columns, rows };
}

function common(values: readonly string[]): string {
  return new Set(values).size === 1 ? values[0]! : "all";
}
