/** The gate in words: the consequence, one row per lens, what went in, what was not evaluated, what to do next. */
import { buildComparisonView } from "@spoor/core/internal/gate/comparison-view";
import type { CheckStatus, GateReport } from "@spoor/core/internal/gate/gate-report";
import type { Block, Closing, Document, Fact, Link, Text } from "../../document/document.ts";
import { capitalised, command, joined, listLink, name, say, sentences } from "../../document/text.ts";
import { count } from "../../document/words.ts";
import { comparisonWords } from "../diff/comparison-section.ts";
import { sideBySideFold, signalsFold } from "../diff/describe-diff.ts";
import { firstLinks, promptPatch } from "../diff/first-screen.ts";
import { movedAmounts } from "../diff/moved-amounts.ts";
import { newToolText } from "../diff/new-tools.ts";
import { goingInTexts } from "../diff/sentences.ts";
import { footerOf } from "../footer.ts";
import { showCommand } from "../places.ts";
import type { DescribeView } from "../view.ts";
import { cardRuns, cardTitle } from "./card-words.ts";
import { lensSummary } from "./check-words.ts";
import { gateFacts } from "./facts.ts";
import { findingsFold, notEvaluatedFold, pageSections } from "./sections.ts";
import { beginsText, leadSentence, lensTitle, markOf, markOfGate, reasonsSentence, statusWord } from "./words.ts";

export function describeGate(report: GateReport, view: DescribeView): Document {
  const comparison = buildComparisonView(report, comparisonWords);
  return {
    id: `spoor:gate:${report.agent}`,
    subject: subjectText(report),
    blocks: [
      verdictBlock(report),
      ...lensBlocks(report),
      factsBlock(report),
      { kind: "group", only: ["markdown"], blocks: commentBlocks(report) },
      { kind: "group", only: ["html"], blocks: pageSections(report) },
      { kind: "group", only: ["terminal"], blocks: [closing(report, view)] },
    ],
    footer: footerOf(report, say`seed ${report.seed}`, commitsText(report)),
    ...(comparison === undefined ? {} : { comparison }),
  };
}

/** In few lines, for whoever is at work: the consequence, the lenses that found something and where it begins. */
export function describeGateBriefly(report: GateReport): Document {
  const found = report.lenses.filter(({ status }) => status !== "passed");
  return {
    id: `spoor:watch:${report.agent}`,
    subject: [report.agent],
    blocks: [
      verdictBlock(report),
      ...(found.length === 0 ? [] : [lensTable(found)]),
      { kind: "facts", facts: inputFacts(report) },
    ],
    footer: [],
  };
}

function subjectText({ agent, sides }: GateReport): Text {
  const { baseline, candidate } = sides ?? {};
  const side = (one: { branch?: string; commit?: string } | undefined): Text =>
    one === undefined
      ? []
      : joined([[one.branch ?? ""], one.commit === undefined ? [] : [name(one.commit.slice(0, 7))]], " ");
  if (baseline === undefined && candidate === undefined) return [agent];
  return say`${agent}  ${side(baseline)} → ${side(candidate)}`;
}

function commitsText({ sides }: GateReport): Text {
  const { baseline, candidate } = sides ?? {};
  if (baseline?.commit === undefined || candidate?.commit === undefined) return [];
  return say`${name(candidate.commit.slice(0, 7))} against ${name(baseline.commit.slice(0, 7))}`;
}

function verdictBlock(report: GateReport): Block {
  const { headline, detail } = leadSentence(report);
  const word = statusWord(report);
  const diff = report.reports.diff;
  const patch = diff === undefined ? undefined : promptPatch(diff);
  return {
    kind: "verdict",
    mark: markOfGate(report),
    ...(word === undefined ? {} : { word }),
    headline,
    detail,
    ...(diff === undefined ? {} : { beside: movedAmounts(diff) }),
    facts: gateFacts(report),
    links: diff === undefined ? [] : [...firstLinks(diff), ...listLinks(report)],
    ...(patch === undefined ? {} : { patch }),
  };
}

/** The way to the runs that the first sentence counts. */
function listLinks({ lead, checks, cards: [card], noun }: GateReport): Link[] {
  const broken =
    lead === "policy" ? checks.find(({ lens, status }) => lens === "policy" && status === "failed") : undefined;
  const words = (runs: number) => `List the ${runs === 1 ? noun : count(runs, noun)}`;
  if (broken?.fact.code === "rule_broken")
    return [listLink({ facet: "rule", value: broken.name }, words(broken.fact.traces))];
  return card === undefined ? [] : [listLink({ facet: "card", value: "1" }, words(card.runs.length))];
}

function lensBlocks(report: GateReport): Block[] {
  const table = lensTable(report.lenses);
  // A comment that says "passed" says enough; a page and a terminal show what was asked.
  return [
    { kind: "group", only: report.status === "passed" ? ["terminal"] : ["terminal", "markdown"], blocks: [table] },
    {
      kind: "group",
      only: ["html"],
      blocks: [{ kind: "section", id: "lenses", title: ["Verdict by lens"], blocks: [table] }],
    },
  ];
}

function lensTable(results: GateReport["lenses"]): Block {
  return {
    kind: "findings",
    titles: ["lens", "result", "begins at"],
    items: results.map((result) => ({
      mark: markOf(result.status),
      cells: [[lensTitle[result.lens]], [lensSummary(result)]],
      right: beginsText(result),
    })),
  };
}

function factsBlock(report: GateReport): Block {
  const facts = inputFacts(report);
  const missing = report.coverage.notEvaluated;
  if (missing.length > 0)
    facts.push({
      label: "Not evaluated",
      text: joined(
        missing.map(({ what, why }) => say`${name(what)} (${why})`),
        ", ",
      ),
    });
  const reasons = reasonsSentence(report);
  return {
    kind: "group",
    blocks: [
      { kind: "facts", facts },
      {
        kind: "group",
        only: ["html"],
        blocks: reasons === "" ? [] : [{ kind: "paragraph", text: blockedText(report, reasons) }],
      },
    ],
  };
}

/** What differs going in, and tools that nobody called before. */
function inputFacts({ reports: { diff } }: GateReport): Fact[] {
  const facts: Fact[] = [];
  if (diff !== undefined && diff.goingIn.compared > 0)
    goingInTexts(diff).forEach((text, index) => {
      facts.push({ label: index === 0 ? "Going in" : "", text });
    });
  for (const [index, tool] of (diff?.newTools ?? []).entries())
    facts.push({ label: index === 0 ? "New tools" : "", text: newToolText(tool) });
  return facts;
}

function blockedText({ mode }: GateReport, reasons: string): Text {
  return [`${mode === "warn" ? "Would be blocked" : "Blocked"}: ${reasons}.`];
}

/** What a comment adds: what to do, then details in the order in which they are worth their length. */
function commentBlocks(report: GateReport): Block[] {
  const diff = report.reports.diff;
  const folds = [
    ...(diff === undefined ? [] : [sideBySideFold(diff)]),
    findingsFold(report),
    notEvaluatedFold(report),
    ...(diff === undefined || diff.verdict.code === "not_enough" ? [] : [signalsFold(diff)]),
  ].filter((block) => block !== undefined);
  return [...advice(report), ...folds];
}

function advice(report: GateReport): Block[] {
  if (report.gate.reasons.length === 0) return [];
  if (report.cards.length === 0) {
    return [
      {
        kind: "paragraph",
        text: ["Not intended: undo the change and push. Intended: change the rule in the same pull request."],
      },
    ];
  }
  const rules = report.cards.some((card) => card.rules.some(({ blocks }) => blocks)) ? " --rules remove" : "";
  const accept = command(`spoor accept --all${rules} --reason "…"`);
  const text = say`Not intended: undo the change and push. Intended: ${accept}, commit what it writes and push.`;
  return [...cardsTable(report), { kind: "paragraph", text }];
}

/** What can be accepted, runs that changed alike in one row; a single one is the headline already. */
function cardsTable({ cards, noun }: GateReport): Block[] {
  if (cards.length < 2) return [];
  return [
    {
      kind: "table",
      caption: "What changed",
      columns: [{ title: "card", align: "right" }, { title: "what changed" }, { title: `${noun}s` }],
      rows: cards.map((card, index) => ({
        cells: [[String(index + 1)], capitalised(cardTitle(card)), say`${card.runs.length}: ${cardRuns(card)}`],
      })),
    },
  ];
}

function closing(report: GateReport, view: DescribeView): Closing {
  const reasons = reasonsSentence(report);
  const said = sentences(
    reasons === "" ? undefined : blockedText(report, reasons),
    report.mode === "warn" && report.gate.reasons.length > 0
      ? "The configuration says mode: warn, so this does not block."
      : undefined,
  );
  const next = nextCommand(report);
  return {
    kind: "closing",
    text: said,
    exitCode: view.exitCode,
    ...(view.htmlPath === undefined ? {} : { page: view.htmlPath }),
    next: next === undefined ? [] : [next],
  };
}

/** Shows the first finding with its turn. */
function nextCommand(report: GateReport): string | undefined {
  const first = (status: CheckStatus) =>
    report.lenses.find((result) => result.status === status && result.begins?.path !== undefined)?.begins;
  const begins = first("failed") ?? first("warned");
  if (begins === undefined) return undefined;
  // A path as a whole begins nowhere; where another lens found the turn in the same run, that is what to look at.
  const turn = report.lenses.find((one) => one.begins?.path === begins.path && one.begins?.turnIndex !== undefined);
  return showCommand(begins.turnIndex === undefined ? (turn?.begins ?? begins) : begins);
}
