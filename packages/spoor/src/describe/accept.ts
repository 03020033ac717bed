/** `spoor accept` in words: the cards with what accepting each would write, or what was written and what the gate says now. */

import type { Acceptance, AcceptReport, OfferedCard } from "@spoor/core/internal/gate/accept-report";
import { changesRecordings } from "@spoor/core/internal/gate/change-card";
import type { Block, Document, Fact, Finding, Text } from "../document/document.ts";
import { capitalised, joined, listed, name, say, symbol } from "../document/text.ts";
import { count } from "../document/words.ts";
import { footerOf } from "./footer.ts";
import { cardRuns, cardTitle, changeWords } from "./gate/card-words.ts";
import type { DescribeView } from "./view.ts";

export function describeAccept(report: AcceptReport, view: DescribeView): Document {
  return {
    id: `spoor:accept:${report.agent}`,
    subject: [report.agent],
    blocks: report.accepted === undefined ? offerBlocks(report, view) : acceptedBlocks(report, report.accepted, view),
    footer: footerOf(report),
  };
}

function offerBlocks({ cards, noun }: AcceptReport, view: DescribeView): Block[] {
  if (cards.length === 0) {
    return [{ kind: "verdict", mark: "passed", headline: ["Nothing to accept: no run does anything else"] }];
  }
  return [
    { kind: "heading", text: [`${count(cards.length, "change")} to accept or to undo. Nothing was written.`] },
    cardsBlock(cards, noun),
    {
      kind: "closing",
      exitCode: view.exitCode,
      next: [acceptCommand(cards)],
    },
  ];
}

/** Accepts the first card, or the only one, whole. */
function acceptCommand(cards: readonly OfferedCard[]): string {
  const which = cards.length === 1 ? "--all" : "--card 1";
  return `spoor accept ${which}${cards[0]!.rules.some(({ blocks }) => blocks) ? " --rules remove" : ""} --reason "…"`;
}

function cardsBlock(cards: readonly OfferedCard[], noun: string): Block {
  return {
    kind: "findings",
    titles: ["card", "what changed", "runs"],
    items: cards.map(
      (card): Finding => ({
        mark: card.blocks ? "failed" : "warning",
        cells: [[String(card.number)], capitalised(cardTitle(card))],
        named: 1,
        right: [count(card.runs.length, noun)],
        body: [
          { kind: "lines", lines: [cardRuns(card)] },
          { kind: "facts", facts: consequences(card) },
        ],
      }),
    ),
  };
}

/** What accepting a card writes, and which rules that leaves as they are. */
function consequences(card: OfferedCard): Fact[] {
  const recorded = changesRecordings(card.change) ? card.runs : [];
  const paired = recorded.filter(({ baseline }) => baseline !== undefined).length;
  const fresh = recorded.length - paired;
  const writes = [
    ...(paired === 0 ? [] : [say`${count(paired, "recording")} of the baseline anew`]),
    ...(fresh === 0 ? [] : [say`${count(fresh, "recording")} into the baseline`]),
    ...card.behaviours.map(({ path, closest }) =>
      closest === undefined
        ? say`the path ${name(path)} as a behaviour of its own`
        : say`the path ${name(path)} as a variant of ${name(closest.name ?? closest.hash)}`,
    ),
  ];
  const rules = card.rules.map(({ id, blocks, at }) => {
    const rule = say`${symbol(blocks ? "failed" : "warning")} ${name(id)}`;
    const file = at === undefined ? [] : say` of ${name(at.file)}`;
    return blocks
      ? say`${rule}${file} goes on blocking, unless --rules remove takes it out with its examples`
      : say`${rule}${file} goes on warning`;
  });
  return [...labelled("Writes", writes), ...labelled("Rules", rules)];
}

function labelled(label: string, texts: readonly Text[]): Fact[] {
  return texts.map((text, index) => ({ label: index === 0 ? label : "", text }));
}

function acceptedBlocks({ cards, noun }: AcceptReport, accepted: Acceptance, view: DescribeView): Block[] {
  const taken = cards.filter((card) => card.accepted);
  const runs = taken.reduce((sum, card) => sum + card.runs.length, 0);
  const files = [...accepted.recordings.map(({ file }) => file), ...new Set(accepted.rules.map(({ file }) => file))];
  return [
    {
      kind: "verdict",
      mark: "passed",
      headline: say`Accepted: ${joined(taken.map(cardTitle), "; ")}, in ${count(runs, noun)}`,
      detail: [`By ${accepted.by}: ${accepted.why}`],
    },
    {
      kind: "facts",
      facts: [
        {
          label: "Written",
          text: files.length === 0 ? [] : listed(files.slice(0, 5).map((file) => [name(file)])),
          ...more(files.length),
        },
        { label: "Known now", text: listed(accepted.behaviours.map(({ hash }) => [name(hash)])) },
        { label: "Taken out", text: listed(accepted.rules.map(({ id }) => [name(id)])) },
        {
          label: "Not accepted",
          text: joined(
            cards.filter((card) => !card.accepted).map(({ number, change }) => say`${number} ${changeWords(change)}`),
            "; ",
          ),
        },
        { label: "The gate", text: gateText(taken, accepted) },
      ],
    },
    {
      kind: "closing",
      exitCode: view.exitCode,
      next: accepted.gate === "passed" || accepted.gate === "warned" ? [] : ["spoor gate"],
    },
  ];
}

function more(files: number): { readonly note?: Text } {
  return files > 5 ? { note: [`and ${files - 5} more`] } : {};
}

function gateText(taken: readonly OfferedCard[], { gate, rules }: Acceptance): Text {
  const gone = new Set(rules.map(({ id }) => id));
  const left = taken.flatMap((card) => card.rules.filter((rule) => rule.blocks && !gone.has(rule.id)));
  if (gate !== "blocked" || left.length === 0) return [GATE_WORDS[gate]];
  return say`still blocks: ${listed([...new Set(left.map(({ id }) => id))].map((id) => [name(id)]))} is broken. Change the rule, or take it out with --rules remove.`;
}

const GATE_WORDS = {
  passed: "passes now; commit what was written.",
  warned: "no longer blocks, and warns; commit what was written.",
  blocked: "still blocks because of what was not accepted.",
  not_evaluated: "cannot be evaluated.",
} as const;
