/** `spoor review` in words: a card with all that a decision needs, one of its runs, and what the screen says besides. */
import type { CardDecision } from "@spoor/core/internal/gate/accept-report";
import type { ReviewCard, ReviewRun, WritePreview } from "@spoor/core/internal/gate/review-card";
import type { Block, Fact, Text } from "../document/document.ts";
import { shellWord } from "../document/shell-word.ts";
import { capitalised, command, joined, listed, name, say, styled, symbol } from "../document/text.ts";
import { count } from "../document/words.ts";
import { cardRuns, cardTitle } from "./gate/card-words.ts";

export function reviewTitle(card: ReviewCard): Text {
  return capitalised(cardTitle(card));
}

/** What stands below a card's title: its runs, the rules, what each decision writes, and the first run call by call. */
export function reviewCardBlocks(card: ReviewCard, run: ReviewRun): Block[] {
  return [
    {
      kind: "facts",
      facts: [
        { label: "Runs", text: cardRuns(card, LISTED) },
        ...ruleFacts(card),
        ...behaviourFacts(card),
        { label: "If accepted", text: previewText(card.writes.accept) },
        ...keptRules(card),
        ...(card.onlyRules
          ? [{ label: "", text: ["nothing but rules stands against these runs: accepting takes them out"] }]
          : []),
        { label: "If rejected", text: previewText(card.writes.reject) },
      ],
    },
    ...pathsBlock(run),
    ...turnsBlocks(run, card.runs.length === 1 ? [] : say`, the first of ${card.runs.length}`),
  ];
}

export function reviewRunBlocks(card: ReviewCard, run: ReviewRun, at: number): Block[] {
  const show = run.path === undefined ? undefined : `spoor show ${shellWord(run.path)}${turnOption(run)}`;
  return [
    { kind: "heading", text: say`${card.number}  ${reviewTitle(card)}` },
    ...pathsBlock(run),
    ...turnsBlocks(run, card.runs.length === 1 ? [] : say`, ${at + 1} of ${card.runs.length}`),
    ...(show === undefined ? [] : [{ kind: "paragraph" as const, text: say`Alone: ${command(show)}` }]),
  ];
}

const LISTED = 8;

function turnOption({ turnIndex }: ReviewRun): string {
  return turnIndex === undefined ? "" : ` --turn ${turnIndex + 1}`;
}

function ruleFacts({ rules }: ReviewCard): Fact[] {
  return rules.map(({ id, headline, blocks, at, runs }, index) => {
    const place = at === undefined ? [] : say` (${name(at.line === undefined ? at.file : `${at.file}:${at.line}`)})`;
    const broken = say`${symbol(blocks ? "failed" : "warning")} ${name(id)}${place}: ${name(headline.subject)} ${headline.predicate}`;
    return { label: index === 0 ? "Breaks" : "", text: say`${broken}, in ${count(runs, "run")}` };
  });
}

function behaviourFacts({ behaviours }: ReviewCard): Fact[] {
  return behaviours.map(({ path, closest, rejected }, index) => {
    const near = closest === undefined ? [] : say`, closest to ${name(closest.name ?? closest.hash)}`;
    const before = rejected ? say`; turned down before` : [];
    return { label: index === 0 ? "New path" : "", text: say`${name(path)}${near}${before}` };
  });
}

const CHANGE_WORDS = { changed: "changes", added: "adds", removed: "removes" } as const;

export function previewText(preview: WritePreview): Text {
  if ("refused" in preview) return say`cannot be: ${preview.refused}`;
  const parts = (["changed", "added", "removed"] as const).map((change) => {
    const files = preview.files.filter((one) => one.change === change);
    if (files.length === 0) return [];
    const more = files.length - LISTED;
    const shown = joined(
      files.slice(0, LISTED).map(({ file }) => [name(file)]),
      ", ",
    );
    return say`${CHANGE_WORDS[change]} ${shown}${more > 0 ? ` and ${more} more` : ""}`;
  });
  const stay = preview.stay === undefined ? [] : say`${count(preview.stay, "further run")} of the baseline stay`;
  return joined([...parts, stay], "; ");
}

/** Rules are asked about when it is written: whoever accepts should know what they do otherwise. */
function keptRules({ rules }: ReviewCard): Fact[] {
  const blocking = rules.filter(({ blocks }) => blocks);
  if (blocking.length === 0) return [];
  const files = [...new Set(blocking.flatMap(({ at }) => at?.file ?? []))].map((file) => [name(file)]);
  const where = files.length === 0 ? [] : say` (changes ${listed(files)})`;
  const ids = listed(blocking.map(({ id }) => [name(id)]));
  return [{ label: "", text: say`${ids} goes on blocking, unless it is taken out when you are asked${where}` }];
}

function pathsBlock({ steps = [], known = "baseline" }: ReviewRun): Block[] {
  return steps.length === 0 ? [] : [{ kind: "paths", known, now: "now", steps }];
}

function turnsBlocks({ name: run, timeline }: ReviewRun, which: Text): Block[] {
  if (timeline === undefined)
    return [{ kind: "paragraph", text: say`${name(run)} cannot be laid beside another run.` }];
  return [
    { kind: "paragraph", text: [styled("strong", name(run), ...which)] },
    { kind: "side_by_side", timeline, whole: true },
  ];
}

export const DECISION_WORDS = {
  accept: "accepted",
  accept_own: "accepted as its own",
  reject: "rejected",
  skip: "skipped",
} as const;

/** `support_agent: 3 changes, 1 accepted, 1 rejected; nothing is written yet`. */
export function reviewHeadline(agent: string, decisions: readonly (keyof typeof DECISION_WORDS | undefined)[]): Text {
  const times = (...kinds: string[]) => decisions.filter((one) => one !== undefined && kinds.includes(one)).length;
  const parts = [
    [times("accept", "accept_own"), "accepted"],
    [times("reject"), "rejected"],
    [times("skip"), "skipped"],
  ].flatMap(([amount, word]) => (amount === 0 ? [] : [`, ${amount} ${word}`]));
  return say`${styled("strong", name(agent))}: ${count(decisions.length, "change")}${parts.join("")}; nothing is written yet`;
}

export const REVIEW_KEYS: readonly (readonly [key: string, does: string])[] = [
  ["j k", "card"],
  ["Enter", "runs"],
  ["a", "accept"],
  ["r", "reject"],
  ["s", "skip"],
  ["u", "undo"],
  ["w", "write"],
  ["q", "quit"],
  ["?", "help"],
  ["/", "filter"],
  ["Tab", "fold"],
];

export const RUN_KEYS: readonly (readonly [key: string, does: string])[] = [
  ["j k", "scroll"],
  ["h l", "run"],
  ["Esc", "back"],
  ["a", "accept"],
  ["r", "reject"],
  ["s", "skip"],
  ["w", "write"],
];

export function reviewHelp(): Block[] {
  const keys: readonly (readonly [string, string])[] = [
    ["j k", "the next card, the one before (also the arrows)"],
    ["PgDn PgUp", "scroll"],
    ["Tab", "fold or unfold the card (also space)"],
    ["Enter", "open a run of the card; h and l show the others, Esc goes back"],
    ["a", "accept: the baseline takes on what these runs do"],
    ["n", "accept, with its path as a behaviour of its own, not as a variant"],
    ["r", "reject: a case is left that fails until the agent does as before"],
    ["s", "skip: decide nothing about it"],
    ["u", "undo the last decision"],
    ["/", "show only cards that hold a word; Esc shows all again"],
    ["w", "write everything that was decided, in one act"],
    ["q", "quit; asks when something is decided and not written"],
  ];
  return [
    { kind: "heading", text: ["Nothing is written before w, and then all of it or nothing."] },
    { kind: "facts", facts: keys.map(([label, does]) => ({ label, text: [does] })) },
    { kind: "paragraph", text: ["* changed, + only now, - only before, = the same, ~ the same calls in other words."] },
    { kind: "paragraph", text: ["Any key goes back."] },
  ];
}

export type ReviewQuestion = "quit" | "rules" | "reason" | "filter";

/** What is asked in the last line but one; what is typed follows it. */
export function reviewQuestion(question: ReviewQuestion, pending: number, rules: readonly string[]): Text {
  switch (question) {
    case "quit":
      return [`${count(pending, "decision")} not written. w write, d discard, Esc go back`];
    case "rules":
      return say`y/N  Also take out ${rules.length === 1 ? "the rule" : "the rules"} ${listed(rules.map((id) => [name(id)]))}, with the examples?`;
    case "reason":
      return ["Why? "];
    case "filter":
      return ["Show cards with: "];
  }
}

export type NoticeFacts =
  | { readonly code: "nothing_to_undo" | "nothing_decided" | "no_own_path" | "needs_reason" }
  | { readonly code: "no_match"; readonly filter: string }
  | { readonly code: "refused"; readonly decision: CardDecision }
  | { readonly code: "only_rules"; readonly card: number };

export function reviewNotice(notice: NoticeFacts): Text {
  switch (notice.code) {
    case "nothing_to_undo":
      return ["Nothing was decided that could be undone."];
    case "nothing_decided":
      return ["Nothing is decided: a accepts, r rejects."];
    case "no_own_path":
      return ["This card has no new path, or none that is like a known one: a accepts it."];
    case "needs_reason":
      return ["Whoever reads the decision later will want to know why."];
    case "no_match":
      return say`No card holds ${name(notice.filter)}.`;
    case "refused":
      return [`This card cannot be ${DECISION_WORDS[notice.decision]}: the reason stands below it.`];
    case "only_rules":
      return [
        `Nothing but rules stands against card ${notice.card}: take them out (w, then y), or undo the decision (u).`,
      ];
  }
}
