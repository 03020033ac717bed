/** A trend in words: the consequence, a line per measure, each point, what changed between them. */
import type { TrendMeasure, TrendPoint, TrendReport } from "@spoor/core/internal/fingerprint/trend";
import type { Check } from "../../document/check.ts";
import type { Block, Document, Mark, Table, Text } from "../../document/document.ts";
import { isEmpty, joined, listed, name, say, styled } from "../../document/text.ts";
import { count, integer, percent } from "../../document/words.ts";
import { footerOf } from "../footer.ts";
import type { DescribeView } from "../view.ts";
import { trendPlots } from "./plot.ts";
import {
  assumptionSentence,
  changeText,
  hasDrifted,
  hasOtherTools,
  measureValue,
  readingText,
  responsesSentence,
  trendHeadline,
} from "./words.ts";

const TERMINAL_POINTS = 20;
const PAGE_POINTS = 200;
const LONGEST_SPARK = 24;

export function describeTrend(report: TrendReport, view: DescribeView): Document {
  const { points } = report.trend;
  return {
    id: "spoor:trend",
    subject: say`${name(points[0]!.name)} → ${name(points.at(-1)!.name)}`,
    blocks: [
      { kind: "verdict", mark: markOfTrend(report), headline: trendHeadline(report) },
      { kind: "group", only: ["terminal"], blocks: [measureTable(report)] },
      {
        kind: "group",
        only: ["terminal"],
        blocks: [pointTable(points, TERMINAL_POINTS), ...changeTexts(report, TERMINAL_POINTS).map(paragraph)],
      },
      { kind: "group", only: ["markdown", "html"], blocks: pageSections(report) },
      {
        kind: "group",
        blocks: [
          paragraph([responsesSentence(report)]),
          paragraph([styled("dim", assumptionSentence(report))]),
          {
            kind: "closing",
            ...(report.gate.tripped ? { text: [`Blocked by --fail-on ${report.gate.failOn}.`] } : {}),
            exitCode: view.exitCode,
          },
        ],
      },
    ],
    footer: footerOf(report),
  };
}

export function checksOfTrend(report: TrendReport): Check[] {
  const { points, measures, changes } = report.trend;
  const toolChanges = changes.filter(hasOtherTools);
  const tools: Check = {
    suite: "trend",
    name: "tools",
    mark: points.length < 2 ? "unknown" : toolChanges.length === 0 ? "passed" : foundMark(report, ["tools", "drift"]),
    message:
      toolChanges.length === 0 ? say`${trendHeadline(report)}.` : say`${joined(toolChanges.map(changeText), ". ")}.`,
    places: [],
  };
  return [tools, ...measures.map((measure) => measureCheck(measure, report))];
}

/** What nobody asked to fail on is a warning; a question that was asked and has no answer is no pass. */
function measureCheck(measure: TrendMeasure, report: TrendReport): Check {
  const { state } = measure.detector;
  const [first, last] = [measure.values[0], measure.values.at(-1)];
  const moved = `${measureValue(measure, first)} at first, ${measureValue(measure, last)} at last`;
  const unanswered = report.gate.failOn === "drift" ? "unknown" : "warning";
  return {
    suite: "trend",
    name: measure.label,
    mark: state === "steady" ? "passed" : state === "drift" ? foundMark(report, ["drift"]) : unanswered,
    message: say`${measure.label}: ${readingText(measure)} (${moved}).`,
    places: [],
  };
}

function foundMark({ gate }: TrendReport, failing: readonly string[]): Mark {
  return failing.includes(gate.failOn) ? "failed" : "warning";
}

function markOfTrend({ trend: { points, measures, changes }, gate }: TrendReport): Mark {
  if (gate.tripped) return "failed";
  if (changes.some(hasOtherTools) || measures.some(hasDrifted)) return "warning";
  return points.length < 2 ? "unknown" : "passed";
}

function pageSections(report: TrendReport): Block[] {
  const { points } = report.trend;
  const changes = changeTexts(report, PAGE_POINTS).map((text) => ({ cells: [text] }));
  return [
    {
      kind: "section",
      id: "measures",
      title: ["Measures"],
      blocks: [measureTable(report), ...trendPlots(report).map((plot): Block => ({ kind: "plot", plot }))],
    },
    { kind: "section", id: "points", title: ["Points"], blocks: [pointTable(points, PAGE_POINTS)] },
    ...(changes.length === 0
      ? []
      : [
          {
            kind: "section" as const,
            id: "changes",
            title: ["What changed between them"],
            blocks: [{ kind: "findings" as const, titles: [], items: changes }],
          },
        ]),
  ];
}

function measureTable({ trend: { measures } }: TrendReport): Table {
  return {
    kind: "table",
    caption: "Each measure at the first and the last point, and what its detector says",
    columns: [
      { title: "measure", min: 18 },
      { title: "first", align: "right", min: 9 },
      { title: "last", align: "right", min: 9 },
      { title: "trend", max: LONGEST_SPARK, dropBelow: 72 },
      { title: "reading", fit: "wrap" },
    ],
    rows: measures.map((measure) => ({
      cells: [
        [measure.label],
        [measureValue(measure, measure.values[0])],
        [measureValue(measure, measure.values.at(-1))],
        { kind: "spark", values: measure.values },
        readingText(measure),
      ],
      ...(hasDrifted(measure) ? { tone: "warn" as const } : {}),
    })),
  };
}

/** The last points of a long series. */
function pointTable(points: readonly TrendPoint[], most: number): Table {
  const left = points.length - most;
  return {
    kind: "table",
    caption: "Each point of the series",
    columns: [
      { title: "point", max: 32, fit: "middle" },
      { title: "runs", align: "right" },
      { title: "behaviours", align: "right" },
      { title: "families", align: "right", dropBelow: 72 },
      { title: "known paths", align: "right" },
      { title: "models" },
    ],
    rows: points.slice(-most).map((point) => ({
      cells: [
        [name(point.name)],
        [integer(point.runs)],
        [integer(point.intents)],
        [integer(point.families)],
        [point.knownPaths === null ? "" : percent(point.knownPaths)],
        listed(point.models.map((model) => [name(model)])),
      ],
    })),
    ...(left > 0 ? { more: [`… ${count(left, "earlier point")}`] } : {}),
  };
}

function changeTexts({ trend: { changes } }: TrendReport, most: number): Text[] {
  return changes
    .slice(-most)
    .map(changeText)
    .filter((text) => !isEmpty(text));
}

function paragraph(text: Text): Block {
  return { kind: "paragraph", text };
}
