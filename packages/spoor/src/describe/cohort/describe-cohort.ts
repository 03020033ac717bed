/** A comparison of two sets of runs in words: the consequence, what supports it, what could not be seen, the next command. */
import type { CohortReport, CohortResult } from "@spoor/core/internal/cohort/cohort-report";
import type { Check } from "../../document/check.ts";
import type { Block, Document, Fact, Mark, Section, Text } from "../../document/document.ts";
import { isEmpty, say, sentences, styled } from "../../document/text.ts";
import { count, duration, pWords } from "../../document/words.ts";
import { coverageText } from "../coverage.ts";
import { footerOf } from "../footer.ts";
import { sidesOf } from "../sides.ts";
import type { DescribeView } from "../view.ts";
import { aspectBlocks, aspectSentence, aspectTitle } from "./aspects.ts";
import { cohortDetail, cohortHeadline, cohortVerdict, markOfVerdict } from "./headline.ts";
import { beyondTolerance, intervalTable } from "./intervals.ts";
import { cohortPlots } from "./plots.ts";
import { furthestRuns, nextCommand, placeOf, runsSection } from "./runs.ts";
import {
  advice,
  cautions,
  designWords,
  endingText,
  firstSeenTexts,
  methodSentence,
  movedAloneText,
  unseenText,
} from "./sentences.ts";

/** A terminal shows the first few of everything. */
const SHORT = { items: 4, runs: 3, intervals: 5, firstSeen: 5 } as const;
const LONG = { items: 20, runs: 10, firstSeen: 50 } as const;

export function describeCohort(report: CohortReport, view: DescribeView): Document {
  const next = nextCommand(report);
  return {
    id: "spoor:cohort",
    subject: sidesOf(report),
    blocks: [
      { ...cohortVerdict(report), facts: verdictFacts(report) },
      { kind: "group", blocks: basis(report) },
      ...terminalBlocks(report),
      ...pageBlocks(report),
      {
        kind: "group",
        blocks: [
          { kind: "group", only: ["terminal"], blocks: [{ kind: "facts", facts: asides(report) }] },
          {
            kind: "closing",
            ...(report.gate.tripped ? { text: blockedBy(report) } : {}),
            exitCode: view.exitCode,
            next: next === undefined ? [] : [next],
          },
        ],
      },
    ],
    footer: footerOf(report, say`seed ${report.relabellings.seed}`),
  };
}

/** The comparison as a part of another page. */
export function cohortSection(report: CohortResult): Section {
  const undecided = report.verdict === "not_enough_evidence";
  return {
    kind: "section",
    id: "cohort",
    title: ["Change or noise"],
    sub: report.cohort.scenarios === 0 ? [] : say`${designWords(report)}. ${methodSentence(report)}`,
    blocks: [
      { kind: "paragraph", text: sentences(say`${cohortHeadline(report)}.`, cohortDetail(report)) },
      ...[unseenText(report), endingText(report), movedAloneText(report)]
        .filter((text) => !isEmpty(text))
        .map(paragraph),
      ...(undecided ? advice(report).map(paragraph) : []),
      ...(report.verdict === "changed" ? aspectBlocks(report, LONG.items) : []),
      ...cohortPlots(report).map((plot): Block => ({ kind: "plot", plot })),
    ],
  };
}

export function checksOfCohort(report: CohortReport): Check[] {
  const verdict: Check = {
    suite: "cohort",
    name: "verdict",
    mark: markOfCheck(report),
    message: sentences(say`${cohortHeadline(report)}.`, cohortDetail(report)),
    places: furthestRuns(report).slice(0, SHORT.runs).map(placeOf),
  };
  // Without enough evidence no aspect has an answer of its own.
  if (report.verdict === "not_enough_evidence") return [verdict];
  const aspects = report.aspects.map(
    (aspect): Check => ({
      suite: "cohort",
      name: aspectTitle[aspect.aspect],
      mark: aspect.changed ? "failed" : "passed",
      message: aspectSentence(aspect, report.alpha),
      places: [],
    }),
  );
  return [verdict, ...aspects];
}

/** Too little evidence is no pass; it fails only where proof is required, and is a warning otherwise, as in the gate. */
function markOfCheck({ verdict, gate }: CohortReport): Mark {
  if (gate.tripped) return "failed";
  return verdict === "not_enough_evidence" ? "warning" : markOfVerdict[verdict];
}

function verdictFacts({ cohort, p, alpha }: CohortReport): Fact[] {
  return [
    { label: "Scenarios", text: say`${cohort.scenarios}` },
    { label: "Runs", text: say`${cohort.runsBaseline} and ${cohort.runsCandidate}`, note: ["baseline, candidate"] },
    { label: "Chance", text: [pWords(p)], note: say`changed from ${alpha} down` },
  ];
}

function basis(report: CohortReport): Block[] {
  const { cohort } = report;
  const facts = [unseenText(report), endingText(report), movedAloneText(report)].filter((text) => !isEmpty(text));
  if (cohort.scenarios === 0) return facts.map(paragraph);
  const runs = `${count(cohort.runsBaseline, "baseline run")} and ${count(cohort.runsCandidate, "candidate run")}`;
  const texts: Text[] = [[`${designWords(report)}: ${runs}. ${methodSentence(report)}`]];
  if (cohort.scenarios < 6 && cohort.repeats.max === 1)
    texts.push([
      "Below six scenarios with one run a side, expect nothing: there are too few ways to relabel the runs.",
    ]);
  if (report.verdict === "unchanged")
    texts.push([
      report.scope === "per_scenario"
        ? "This holds inside every scenario."
        : "This holds on average over scenarios; a change confined to single scenarios cannot be excluded without repeats.",
    ]);
  return [...texts, ...facts].map(paragraph);
}

function terminalBlocks(report: CohortReport): Block[] {
  const blocks: Block[] = [];
  const wide = beyondTolerance(report.intervals?.items ?? []);
  if (report.verdict === "changed") blocks.push({ kind: "group", blocks: aspectBlocks(report, SHORT.items) });
  if (report.verdict === "not_enough_evidence") {
    if (wide.length > 0) {
      const rest = wide.length - SHORT.intervals;
      const more: Text = [`… and ${rest} more of ${report.intervals!.items.length} rates and sizes`];
      const table = intervalTable(wide.slice(0, SHORT.intervals));
      blocks.push({
        kind: "section",
        title: ["What could have changed unseen, widest first"],
        blocks: [inset([rest > 0 ? { ...table, more } : table])],
      });
    }
    blocks.push({ kind: "group", blocks: advice(report).map(paragraph) }, notAPass());
  }
  const seen = firstSeenTexts(report);
  if (seen.length > 0) blocks.push(firstSeenSection(seen, SHORT.firstSeen));
  const runs = furthestRuns(report).slice(0, SHORT.runs);
  if (runs.length > 0) {
    const section = runsSection(runs);
    blocks.push({ ...section, blocks: [inset(section.blocks)] });
  }
  return blocks.map((block) => ({ kind: "group", only: ["terminal"], blocks: [block] }));
}

/** Pages and comments have room for everything: comments fold it, pages draw it. */
function pageBlocks(report: CohortReport): Block[] {
  const intervals = report.intervals?.items ?? [];
  const runs = furthestRuns(report).slice(0, LONG.runs);
  const seen = firstSeenTexts(report);
  const plots = cohortPlots(report);
  const shared: Block[] = [];
  if (report.verdict === "not_enough_evidence") {
    const items = advice(report).map((text) => ({ cells: [text] }));
    shared.push(notAPass(), ...(items.length === 0 ? [] : [{ kind: "findings" as const, titles: [], items }]));
  }
  if (report.verdict === "changed")
    shared.push({ kind: "section", id: "aspects", title: ["What moved"], blocks: aspectBlocks(report, LONG.items) });
  if (seen.length > 0) shared.push(firstSeenSection(seen, LONG.firstSeen));
  const section = runsSection(runs);
  const notes: Block = { kind: "facts", facts: asides(report) };
  const folds: Block[] = [
    ...(intervals.length === 0 ? [] : [fold("Every rate and size with its interval", [intervalTable(intervals)])]),
    ...(runs.length === 0 ? [] : [fold("Candidate runs furthest from the baseline", section.blocks)]),
    fold("Notes", [notes]),
  ];
  const page: Block[] = [
    ...(plots.length === 0
      ? []
      : [
          {
            kind: "section" as const,
            id: "noise",
            title: ["Change or noise"],
            blocks: plots.map((plot): Block => ({ kind: "plot", plot })),
          },
        ]),
    ...(intervals.length === 0
      ? []
      : [
          {
            kind: "section" as const,
            id: "intervals",
            title: ["Every rate and size"],
            blocks: [intervalTable(intervals)],
          },
        ]),
    ...(runs.length === 0 ? [] : [section]),
    { kind: "section", id: "notes", title: ["Notes"], blocks: [notes] },
  ];
  return [
    { kind: "group", only: ["markdown", "html"], blocks: shared },
    { kind: "group", only: ["markdown"], blocks: folds },
    { kind: "group", only: ["html"], blocks: page },
  ];
}

function firstSeenSection(texts: readonly Text[], most: number): Section {
  const items = texts.slice(0, most).map((text) => ({ cells: [text] }));
  const more = texts.length > most ? { more: [`… and ${texts.length - most} more tools`] } : {};
  return {
    kind: "section",
    id: "first-seen",
    title: ["First seen: facts, whatever the verdict. To forbid a tool: policy rule no_call"],
    blocks: [inset([{ kind: "findings", titles: [], items, ...more }])],
  };
}

function notAPass(): Block {
  return paragraph([styled("strong", "This is not a pass"), ": a change may have happened and been missed."]);
}

function asides({ latency, coverage, ...report }: CohortReport): Fact[] {
  const facts: Fact[] = [];
  if (latency !== null) {
    const text = `model time per run ${duration(latency.candidate.medianMs)} instead of ${duration(latency.baseline.medianMs)} (median). Shown, never tested: it differs between batches of an unchanged agent, too.`;
    facts.push({ label: "Latency", text: [text] });
  }
  for (const [index, text] of cautions({ latency, ...report }).entries())
    facts.push({ label: index === 0 ? "Note" : "", text });
  return [...facts, { label: "Coverage", text: say`${count(coverage.traces, "trace")}, ${coverageText(coverage)}` }];
}

function blockedBy({ gate }: CohortReport): Text {
  return [`Blocked by ${gate.failOn === "changed" ? "the verdict" : "--require unchanged"}.`];
}

function fold(title: string, blocks: readonly Block[]): Block {
  return { kind: "fold", title: [title], name: title.toLowerCase(), blocks };
}

function inset(blocks: readonly Block[]): Block {
  return { kind: "group", inset: true, blocks };
}

function paragraph(text: Text): Block {
  return { kind: "paragraph", text };
}
