/** A diff in words: the verdict, what supports it, where it begins, what went in, what was not seen, what to type next. */
import { hasNoData } from "@spoor/core/internal/diff/axis-row";
import type { DiffReport, TracePairResult } from "@spoor/core/internal/diff/diff-report";
import type { PlacedDivergence } from "@spoor/core/internal/diff/divergence";
import { buildComparisonView } from "@spoor/core/internal/gate/comparison-view";
import { SMALL_SAMPLE } from "@spoor/core/internal/stats/power";
import type { Block, Document, Fact } from "../../document/document.ts";
import { name, say, styled } from "../../document/text.ts";
import { count, integer, percent, percentRange } from "../../document/words.ts";
import { footerOf } from "../footer.ts";
import { sidesOf } from "../sides.ts";
import type { DescribeView } from "../view.ts";
import { closing, closingFacts, otherTraces, seenFacts } from "./closing.ts";
import { cohortLead } from "./cohort-lead.ts";
import { comparisonSection, comparisonWords } from "./comparison-section.ts";
import { diffFacts, firstLinks, promptPatch } from "./first-screen.ts";
import { levelBlocks } from "./levels.ts";
import { markOfDiff } from "./mark.ts";
import { movedAmounts } from "./moved-amounts.ts";
import { overviewSections } from "./overview.ts";
import { policyFindings } from "./policy-findings.ts";
import { calmSentence, matchingSentence, offPathOf, powerSentence, rowSentence } from "./sentences.ts";
import { blindnessSentence, isWideCount, signalsSection, signalTable } from "./signals.ts";
import { diffDetail, diffHeadline } from "./verdict.ts";

export function describeDiff(report: DiffReport, view: DescribeView): Document {
  const comparison = buildComparisonView({ noun: report.noun, reports: { diff: report } }, comparisonWords);
  const patch = promptPatch(report);
  const lead = cohortLead(report);
  const rules = policyFindings(report);
  return {
    id: "spoor:diff",
    subject: sidesOf(report),
    blocks: [
      ...(lead === undefined ? [] : [lead]),
      {
        kind: "verdict",
        mark: markOfDiff(report),
        headline: diffHeadline(report.verdict, report.noun),
        detail: diffDetail(report.verdict),
        beside: movedAmounts(report),
        facts: diffFacts(report),
        links: firstLinks(report),
        ...(patch === undefined ? {} : { patch }),
      },
      ...supportingBlocks(report, view.verbose),
      ...levelBlocks(report),
      ...pageBlocks(report),
      {
        kind: "group",
        blocks: [
          ...factBlocks(closingFacts(report, view.verbose), rules, seenFacts(report, view.verbose)),
          closing(report, view.exitCode),
        ],
      },
    ],
    footer: footerOf(report, say`seed ${report.seed}`),
    ...(comparison === undefined ? {} : { comparison }),
  };
}

/** Labels line up: one block of facts, unless rules stand between them. */
function factBlocks(changed: readonly Fact[], rules: Block | undefined, seen: readonly Fact[]): Block[] {
  if (rules === undefined) return [{ kind: "facts", facts: [...changed, ...seen] }];
  return [{ kind: "facts", facts: changed }, rules, { kind: "facts", facts: seen }];
}

/** What stands on a terminal between the verdict and the last lines. */
function supportingBlocks(report: DiffReport, verbose: boolean): Block[] {
  const matching: Block = { kind: "paragraph", text: [matchingSentence(report)] };
  if (report.verdict.code === "not_enough") return [matching];
  if (isQuiet(report) && !verbose) return [{ kind: "paragraph", text: [calmSentence(report)] }];
  const small = report.pairCount < SMALL_SAMPLE;
  const power: Block = { kind: "paragraph", text: [powerSentence(report)] };
  const blocks: Block[] = [
    { kind: "group", blocks: small ? [power] : [matching, power] },
    ...(isWideCount(report.structure)
      ? [
          {
            kind: "group" as const,
            only: ["terminal" as const],
            blocks: [{ kind: "paragraph" as const, text: [structureSentence(report)] }],
          },
        ]
      : []),
    { kind: "group", only: ["terminal"], blocks: [signalTable(report)] },
  ];
  if (verbose) blocks.push({ kind: "group", only: ["terminal"], blocks: rowParagraphs(report) });
  blocks.push({
    kind: "group",
    only: ["terminal"],
    blocks: [{ kind: "paragraph", text: [blindnessSentence(report)] }],
  });
  const first = firstDivergence(report);
  if (first.length > 0) blocks.push({ kind: "group", only: ["terminal"], blocks: first });
  return blocks;
}

/** Nothing moved, nothing blocks: one paragraph says it all. */
function isQuiet(report: DiffReport): boolean {
  const { verdict, gate, rows } = report;
  const hasMoved = rows.some((row) => row.severity !== "none" && !hasNoData(row));
  return verdict.code === "unchanged" && verdict.reworded === undefined && !gate.tripped && !hasMoved;
}

function rowParagraphs(report: DiffReport): Block[] {
  const measured = report.rows.filter((row) => !hasNoData(row));
  return measured.map((row) => ({ kind: "paragraph", text: [rowSentence(row, measured.length)] }));
}

function firstDivergence(report: DiffReport): Block[] {
  const first = report.firstDivergence;
  const trace = first === null ? undefined : report.traces[first.traceIndex];
  if (first === null || trace?.timeline === undefined) return [];
  const where = report.traces.length > 1 ? say`${name(trace.name)}, ` : [];
  const title = say`First divergence: ${where}${firstTurn(first)} (${first.kind})${offPathOf(trace, first)}`;
  const blocks: Block[] = [{ kind: "paragraph", text: [styled("strong", title)] }];
  const words = wordsBefore(trace);
  if (words !== undefined) blocks.push({ kind: "paragraph", text: [words] });
  return [...blocks, { kind: "side_by_side", timeline: trace.timeline }];
}

/** Up to the first divergence the turns of both sides have one number; what only one side has is said to be its own. */
function firstTurn({ reason, baselineTurn, candidateTurn }: PlacedDivergence): string {
  if (reason.code === "turn_inserted") return `turn ${candidateTurn + 1} of the candidate`;
  return `turn ${baselineTurn + 1} of the baseline`;
}

/** What was said otherwise before anything was done otherwise, or in that very turn when only words differ. */
function wordsBefore({ firstDivergence, rewordedBefore }: TracePairResult): string | undefined {
  if (rewordedBefore?.reason.code === "text_changed")
    return `Other words already in turn ${rewordedBefore.baselineTurn + 1} (${percent(rewordedBefore.reason.similarity)} alike).`;
  if (firstDivergence?.reason.code === "text_changed")
    return `Its words differ (${percent(firstDivergence.reason.similarity)} alike).`;
  return undefined;
}

/** What pages and comments show instead, where there is room to fold and to scroll. */
function pageBlocks(report: DiffReport): Block[] {
  if (report.verdict.code === "not_enough") return [];
  const folds: Block[] = [sideBySideFold(report), otherTraces(report), signalsFold(report)].filter(
    (block) => block !== undefined,
  );
  const page: Block[] = [signalsSection(report), ...overviewSections(report)];
  if (report.traces.some((trace) => trace.timeline !== undefined)) page.push(comparisonSection());
  return [
    { kind: "group", only: ["markdown"], blocks: [{ kind: "paragraph", text: [structureSentence(report)] }, ...folds] },
    { kind: "group", only: ["html"], blocks: page },
  ];
}

/** "4 of 17 turns differ (24 %; 7 to 50 % is plausible)." */
function structureSentence({ structure: { changed, turns, share, interval } }: DiffReport): string {
  const plausible =
    changed > 0 ? ` (${percent(share)}; ${percentRange(interval.low, interval.high)} is plausible)` : "";
  return `${integer(changed)} of ${count(turns, "turn")} ${changed === 1 ? "differs" : "differ"}${plausible}.`;
}

/** Where the two runs part, for a comment. */
export function sideBySideFold(report: DiffReport): Block | undefined {
  const first = report.firstDivergence === null ? undefined : report.traces[report.firstDivergence.traceIndex];
  if (first?.timeline === undefined) return undefined;
  return {
    kind: "fold",
    name: "the side-by-side",
    title: say`First divergence, side by side: ${name(first.name)}, ${firstTurn(report.firstDivergence!)} (${report.firstDivergence!.kind})${offPathOf(first, report.firstDivergence!)}`,
    blocks: [{ kind: "side_by_side", timeline: first.timeline }],
  };
}

export function signalsFold(report: DiffReport): Block {
  return {
    kind: "fold",
    name: "the signals",
    title: [`All ${report.rows.length + 2} signals with their intervals`],
    blocks: [signalTable(report)],
  };
}
