/** A cohort report as Markdown: for pull requests and job summaries. Names from traces stand in code spans. */
import type { AspectResult, CohortReport } from "@spoor/core/cohort/cohort-report";
import type { Interval } from "@spoor/core/cohort/intervals";
import { count, duration, integer, percent } from "../../document/words.ts";
import { codeSpan } from "../text/markdown.ts";
import { itemSentence } from "./item-sentences.ts";
import {
  advice,
  aspectTitle,
  cautions,
  designWords,
  firstSeenSentences,
  headline,
  intervalSubject,
  loudest,
  methodSentence,
  signalSize,
  significantItems,
  spreadSentence,
} from "./sentences.ts";
import { nextCommand, originName } from "./terminal.ts";

const MARKS = { changed: "✗", unchanged: "✓", not_enough_evidence: "?" } as const;
const ITEMS_SHOWN = 8;

export function renderCohortMarkdown(report: CohortReport): string {
  const parts = [
    `### ${MARKS[report.verdict]} ${headline(report, codeSpan)}`,
    report.cohort.scenarios === 0 ? "" : `${designWords(report)}. ${methodSentence(report)}`,
    ...(report.verdict === "not_enough_evidence" ? undecided(report) : []),
    aspectTable(report),
    listOf("First seen, a fact whatever the verdict", firstSeenSentences(report, codeSpan)),
    details("Every rate and size with its interval", intervalTable(report)),
    details("Candidate runs furthest from the baseline", runTable(report)),
    details("Notes", notes(report)),
    closing(report),
  ];
  return `${parts.filter((part) => part !== "").join("\n\n")}\n`;
}

function undecided(report: CohortReport): string[] {
  return ["**This is not a pass**: a change may have happened and been missed.", listOf("", advice(report))];
}

function aspectTable(report: CohortReport): string {
  if (report.verdict !== "changed") return "";
  const rows = report.aspects.map((aspect) => {
    const signal = loudest(aspect);
    const size = signal === undefined ? "does not vary" : signalSize(signal);
    return `| ${aspectTitle[aspect.aspect]} | ${aspect.changed ? "✗ changed" : "no change found"} | ${size} | ${movedCell(aspect, report.alpha)} |`;
  });
  return ["| aspect | result | size | what moved |", "|---|---|---|---|", ...rows].join("\n");
}

function movedCell(aspect: AspectResult, alpha: number): string {
  if (!aspect.changed) return "";
  const items = significantItems(aspect, alpha);
  const shown = items.slice(0, ITEMS_SHOWN).map((item) => itemSentence(item, codeSpan));
  if (shown.length === 0) shown.push(spreadSentence(aspect, alpha));
  if (items.length > ITEMS_SHOWN) shown.push(`${items.length - ITEMS_SHOWN} more`);
  for (const { word, baseline, candidate } of (aspect.words ?? []).slice(0, 4)) {
    shown.push(`illustration: ${codeSpan(word)} in ${percent(candidate)} of runs instead of ${percent(baseline)}`);
  }
  return shown.join("<br>");
}

function intervalTable({ intervals }: CohortReport): string {
  if (intervals === null) return "";
  const rows = intervals.items.map(
    (item) => `| ${intervalSubject(item, codeSpan)} | ${range(item)} | ${item.inside ? "within" : "**beyond**"} |`,
  );
  return ["| rate or size | candidate minus baseline | tolerance |", "|---|---|---|", ...rows].join("\n");
}

function range({ kind, low, high, tolerance }: Interval): string {
  if (kind === "rate") return `${signed(100 * low)} to ${signed(100 * high)} points (±${integer(100 * tolerance)})`;
  const change = (value: number) => 100 * (2 ** value - 1);
  return `${signed(change(low))} to ${signed(change(high))} % (±${integer(change(tolerance))} %)`;
}

function signed(value: number): string {
  const rounded = Math.round(value);
  return rounded > 0 ? `+${integer(rounded)}` : rounded < 0 ? `−${integer(-rounded)}` : "0";
}

function runTable({ runs, verdict }: CohortReport): string {
  const shown = verdict === "unchanged" ? [] : runs.filter(({ distance }) => distance > 0).slice(0, 10);
  if (shown.length === 0) return "";
  const rows = shown.map(({ scenario, run, distance, nearest, nearestDistance }) => {
    return `| ${codeSpan(scenario)} | ${codeSpan(originName(run))} | ${distance.toFixed(2)} | ${codeSpan(originName(nearest))} (${nearestDistance.toFixed(2)}) |`;
  });
  return ["| scenario | run | mean distance | nearest baseline run |", "|---|---|---|---|", ...rows].join("\n");
}

function notes(report: CohortReport): string {
  const { latency } = report;
  const lines = cautions(report, codeSpan).map((note) => `- ${note}`);
  if (latency !== null) {
    lines.push(
      `- model time per run ${duration(latency.candidate.medianMs)} instead of ${duration(latency.baseline.medianMs)} (median); shown, never tested`,
    );
  }
  return lines.join("\n");
}

function closing(report: CohortReport): string {
  const next = nextCommand(report);
  const { coverage, relabellings, tool } = report;
  const small = `<sub>${count(coverage.traces, "trace")}, ${count(coverage.turns, "turn")}, seed ${relabellings.seed} · spoor ${tool.version}</sub>`;
  return next === undefined ? small : `Next: ${codeSpan(next)}\n\n${small}`;
}

function listOf(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  return [...(title === "" ? [] : [`${title}:`, ""]), ...lines.map((line) => `- ${line}`)].join("\n");
}

function details(title: string, body: string): string {
  return body === "" ? "" : `<details><summary>${title}</summary>\n\n${body}\n\n</details>`;
}
