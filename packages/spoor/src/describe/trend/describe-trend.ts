/** A trend in words: the consequence, a line per measure, each point, what changed between them. */
import { isUnanswered } from "@spoor/core/internal/fingerprint/judge-trend";
import type { SeriesAnswer } from "@spoor/core/internal/fingerprint/series/answer";
import type { Trend, TrendPoint, TrendReport } from "@spoor/core/internal/fingerprint/trend";
import type { Check } from "../../document/check.ts";
import type { Block, Document, Mark, Table, Text } from "../../document/document.ts";
import { isEmpty, listed, name, say, styled } from "../../document/text.ts";
import { count, integer, percent } from "../../document/words.ts";
import { takenOutTexts } from "../coverage.ts";
import { footerOf } from "../footer.ts";
import type { DescribeView } from "../view.ts";
import { trendPlots } from "./plot.ts";
import { assumptionSentence, changeText, furtherFindings, measureValue, readingText, trendHeadline } from "./words.ts";

const TERMINAL_POINTS = 20;
const PAGE_POINTS = 200;
const LONGEST_SPARK = 24;
const MOST_FINDINGS = 8;

export function describeTrend(report: TrendReport, view: DescribeView): Document {
  const { points } = report.trend;
  return {
    id: "spoor:trend",
    subject: say`${name(points[0]!.name)} → ${name(points.at(-1)!.name)}`,
    blocks: [
      { kind: "verdict", mark: markOfTrend(report), headline: trendHeadline(report) },
      ...furtherBlock(report),
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
          paragraph([styled("dim", assumptionSentence(report))]),
          ...takenOutTexts(report.coverage).map((text) => paragraph(say`${text}.`)),
          {
            kind: "closing",
            ...closingText(report),
            exitCode: view.exitCode,
          },
        ],
      },
    ],
    footer: footerOf(report),
  };
}

/** What was found beside the lead; a long list is cut and says so. */
function furtherBlock(report: TrendReport): Block[] {
  const found = furtherFindings(report);
  if (found.length === 0) return [];
  const items = found.slice(0, MOST_FINDINGS).map((text) => ({ cells: [text] }));
  const left = found.length - items.length;
  return [
    { kind: "findings", titles: [], items, ...(left > 0 ? { more: [`… ${count(left, "further finding")}`] } : {}) },
  ];
}

/** A line per question that was asked; what nobody asked to fail on is a warning, and no answer is no pass. */
export function checksOfTrend(report: TrendReport): Check[] {
  const { trend, gate } = report;
  const { findings } = trend.judgement;
  const check = (name: string, answer: SeriesAnswer, codes: readonly string[], failing: readonly string[]): Check => {
    const found = findings.filter(
      ({ code, subject }) => codes.includes(code) || (code === "measure" && subject === name),
    );
    const drift = found.some(({ weight }) => weight === "drift");
    const facts = found.length > 0 && failing.includes("tools") && gate.failOn === "tools";
    const answered = answer.state === "steady" || answer.state === "drift";
    const mark =
      drift || facts
        ? foundMark(report, failing)
        : found.length > 0 || !answered
          ? unansweredMark(report, answer)
          : "passed";
    return {
      suite: "trend",
      name: labelOf(trend, name),
      mark,
      message: say`${labelOf(trend, name)}: ${readingText(answer, trend.points)}.`,
      places: [],
    };
  };
  return [
    check("tools", trend.tools, ["new_tool", "lost_tool", "tool_use"], ["tools", "drift"]),
    check("paths", trend.paths, ["new_paths"], ["drift"]),
    check("responses", trend.responses, ["responses"], ["drift"]),
    ...trend.measures.map(({ name, test }) => check(name, test, [], ["drift"])),
  ];
}

function labelOf({ measures }: Trend, name: string): string {
  return measures.find((measure) => measure.name === name)?.label ?? name;
}

function unansweredMark({ gate }: TrendReport, { state, why }: SeriesAnswer): Mark {
  if (why === "one_point") return "unknown";
  return gate.failOn === "drift" && state !== "steady" && state !== "drift" ? "unknown" : "warning";
}

function foundMark({ gate }: TrendReport, failing: readonly string[]): Mark {
  return failing.includes(gate.failOn) ? "failed" : "warning";
}

function markOfTrend({ trend: { judgement }, gate }: TrendReport): Mark {
  if (gate.tripped) return "failed";
  return ({ drift: "warning", within_chance: "warning", not_enough_evidence: "unknown", steady: "passed" } as const)[
    judgement.verdict
  ];
}

function closingText({ trend, gate }: TrendReport): { text?: Text } {
  if (gate.tripped) return { text: [`Blocked by --fail-on ${gate.failOn}.`] };
  if (isUnanswered(trend.judgement, gate.failOn)) {
    return {
      text: ["No pass: --fail-on drift asks a question that these runs cannot answer. Record more runs per point."],
    };
  }
  return {};
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

function measureTable({ trend }: TrendReport): Table {
  const { points, measures, paths, tools, responses } = trend;
  const t2 = responses.t2 === null ? "" : `T2 ${responses.t2.toFixed(1)}`;
  return {
    kind: "table",
    caption: "Each question at the first and the last point, and what the test says",
    columns: [
      { title: "measure", min: 18 },
      { title: "first", align: "right", min: 9 },
      { title: "last", align: "right", min: 9 },
      { title: "trend", max: LONGEST_SPARK, dropBelow: 72 },
      { title: "reading", fit: "wrap" },
    ],
    rows: [
      {
        cells: [
          ["tools used"],
          [integer(points[0]!.tools.length)],
          [integer(points.at(-1)!.tools.length)],
          [],
          readingText(tools, points),
        ],
        ...toneOf(tools),
      },
      {
        cells: [
          ["known paths"],
          [],
          [points.at(-1)!.knownPaths === null ? "" : percent(points.at(-1)!.knownPaths!)],
          { kind: "spark", values: points.map((point) => point.knownPaths) },
          readingText(paths, points),
        ],
        ...toneOf(paths),
      },
      ...measures.map((measure) => ({
        cells: [
          [measure.label],
          [measureValue(measure, measure.values[0])],
          [measureValue(measure, measure.values.at(-1))],
          { kind: "spark" as const, values: measure.values },
          readingText(measure.test, points),
        ],
        ...toneOf(measure.test),
      })),
      {
        cells: [
          ["responses"],
          [integer(responses.first)],
          [integer(responses.last)],
          [t2],
          readingText(responses, points),
        ],
        ...toneOf(responses),
      },
    ],
  };
}

function toneOf({ state }: SeriesAnswer): { tone?: "warn" } {
  return state === "drift" || state === "undecided" ? { tone: "warn" } : {};
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
