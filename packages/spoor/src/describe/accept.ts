/** `spoor accept` in words: the cards with what accepting each would write, or what was decided, what was written and what the gate says now. */

import type { AcceptReport, DecidedCards, OfferedCard } from "@spoor/core/internal/gate/accept-report";
import { changesRecordings } from "@spoor/core/internal/gate/change-card";
import type { Block, Document, Fact, Finding, Text, Verdict } from "../document/document.ts";
import { shellWord } from "../document/shell-word.ts";
import { capitalised, command, joined, listed, name, say, symbol } from "../document/text.ts";
import { count } from "../document/words.ts";
import { footerOf } from "./footer.ts";
import { cardRuns, cardTitle, changeWords } from "./gate/card-words.ts";
import type { DescribeView } from "./view.ts";

export function describeAccept(report: AcceptReport, view: DescribeView): Document {
  return {
    id: `spoor:accept:${report.agent}`,
    subject: [report.agent],
    blocks: report.decided === undefined ? offerBlocks(report, view) : decidedBlocks(report, report.decided, view),
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
      next: [acceptCommand(cards), "spoor review"],
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
  const before = card.behaviours.some(({ rejected }) => rejected) ? [say`its path was turned down before`] : [];
  return [
    ...labelled("Writes", writes),
    ...labelled("World", worldTexts([card])),
    ...labelled("Rules", rules),
    ...labelled("Before", before),
  ];
}

/** What left the recordings it was played in goes on leaving them, until there are recordings of what it does now. */
function worldTexts(cards: readonly OfferedCard[]): Text[] {
  const left = cards.flatMap(({ runs }) => runs.filter(({ offPathFrom }) => offPathFrom !== undefined)).length;
  if (left === 0) return [];
  return [say`${count(left, "run")} left the recorded world; ${command("spoor record --baseline")} records it anew`];
}

function labelled(label: string, texts: readonly Text[]): Fact[] {
  return texts.map((text, index) => ({ label: index === 0 ? label : "", text }));
}

function decidedBlocks({ cards, noun }: AcceptReport, decided: DecidedCards, view: DescribeView): Block[] {
  const taken = cards.filter(({ decision }) => decision === "accept" || decision === "accept_own");
  const refused = cards.filter(({ decision }) => decision === "reject");
  const { accepted, rejected, files } = decided;
  const said = accepted ?? rejected!;
  const reason = [`By ${said.by}: ${said.why}`];
  const verdicts = [
    ...(taken.length === 0 ? [] : [verdict("Accepted", taken, noun, reason)]),
    ...(refused.length === 0 ? [] : [verdict("Rejected", refused, noun, taken.length === 0 ? reason : undefined)]),
  ];
  return [
    ...verdicts,
    {
      kind: "facts",
      facts: [
        ...labelled("Recordings", accepted === undefined ? [] : recordingTexts(accepted)),
        { label: "Written", text: someOf(files.map((file) => [name(file)])) },
        { label: "Known now", text: listed((accepted?.behaviours ?? []).map(({ hash }) => [name(hash)])) },
        { label: "Taken out", text: listed((accepted?.rules ?? []).map(({ id }) => [name(id)])) },
        ...labelled("World", worldTexts(taken)),
        ...labelled("Case", caseTexts(decided)),
        {
          label: "Not decided",
          text: joined(
            cards
              .filter(({ decision }) => decision === undefined)
              .map(({ number, change }) => say`${number} ${changeWords(change)}`),
            "; ",
          ),
        },
        { label: "The gate", text: gateText(taken, refused, decided) },
      ],
    },
    { kind: "closing", exitCode: view.exitCode, next: [addCommand(files), ...nextGate(decided)] },
  ];
}

const LISTED_FILES = 5;

function verdict(word: string, cards: readonly OfferedCard[], noun: string, detail: Text | undefined): Verdict {
  const runs = cards.reduce((sum, card) => sum + card.runs.length, 0);
  return {
    kind: "verdict",
    mark: "passed",
    word,
    headline: say`${joined(cards.map(cardTitle), "; ")}, in ${count(runs, noun)}`,
    ...(detail === undefined ? {} : { detail }),
  };
}

/** Counts, so that nobody has to look which repeats of a scenario went with it. */
function recordingTexts({ recordings, stay }: NonNullable<DecidedCards["accepted"]>): Text[] {
  const anew = recordings.filter(({ was, is }) => was !== undefined && is !== undefined).length;
  const fresh = recordings.filter(({ was }) => was === undefined).length;
  const gone = recordings.filter(({ is }) => is === undefined).length;
  const parts = [
    ...(anew === 0 ? [] : [`${anew} anew`]),
    ...(fresh === 0 ? [] : [`${fresh} added`]),
    ...(gone === 0 ? [] : [`${gone} taken out, of the same scenarios`]),
  ];
  return [
    ...(parts.length === 0 ? [] : [[parts.join(", ")]]),
    ...(stay === 0 ? [] : [[`${count(stay, "further run")} of these scenarios stay as they are`]]),
  ];
}

function caseTexts({ rejected }: DecidedCards): Text[] {
  return [
    ...(rejected?.cases ?? []).map(
      ({ id, file }) => say`${name(id)} of ${name(file)} fails until the agent does as before`,
    ),
    ...(rejected?.without ?? []).map(({ run, why }) => say`none of ${name(run)}. ${why}`),
  ];
}

function someOf(texts: readonly Text[]): Text {
  const more = texts.length - LISTED_FILES;
  return more > 0 ? say`${joined(texts.slice(0, LISTED_FILES), ", ")} and ${more} more` : listed(texts);
}

/** Everything that was written, to be committed; whole folders where it is much. */
function addCommand(files: readonly string[]): string {
  const folderOf = (file: string) => (file.includes("/") ? file.slice(0, file.lastIndexOf("/")) : file);
  const places = files.length <= LISTED_FILES + 1 ? files : [...new Set(files.map(folderOf))];
  return `git add ${places.map(shellWord).join(" ")}`;
}

function nextGate({ gate }: DecidedCards): string[] {
  return gate === "passed" || gate === "warned" ? [] : ["spoor gate"];
}

function gateText(
  taken: readonly OfferedCard[],
  refused: readonly OfferedCard[],
  { gate, accepted }: DecidedCards,
): Text {
  const gone = new Set((accepted?.rules ?? []).map(({ id }) => id));
  const left = taken.flatMap((card) => card.rules.filter((rule) => rule.blocks && !gone.has(rule.id)));
  if (gate === "blocked" && left.length > 0)
    return say`still blocks: ${listed([...new Set(left.map(({ id }) => id))].map((id) => [name(id)]))} is broken. Change the rule, or take it out with --rules remove.`;
  if (gate === "blocked" && refused.length > 0)
    return ["still blocks, because of what was rejected: undo it in the agent."];
  return [GATE_WORDS[gate]];
}

const GATE_WORDS = {
  passed: "passes now; commit what was written.",
  warned: "no longer blocks, and warns; commit what was written.",
  blocked: "still blocks because of what was not accepted.",
  not_evaluated: "cannot be evaluated.",
} as const;
