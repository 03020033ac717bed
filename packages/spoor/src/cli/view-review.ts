/** The review of `spoor view`: what the gate says now, and the one act that writes what a person decided about it. */
import { createHash } from "node:crypto";
import { SpoorError } from "@spoor/core/internal/errors";
import type { CardDecision } from "@spoor/core/internal/gate/accept-report";
import { buildComparisonView } from "@spoor/core/internal/gate/comparison-view";
import type { ReviewView } from "@spoor/core/internal/gate/review-view";
import { isObject } from "@spoor/core/internal/trace/json";
import { decideCards } from "../accept/decide-cards.ts";
import type { DecidedCard } from "../accept/decision.ts";
import { comparisonWords } from "../describe/diff/comparison-section.ts";
import { leadSentence } from "../describe/gate/words.ts";
import { previewText, reviewTitle } from "../describe/review.ts";
import { plainText } from "../document/text.ts";
import { openReview } from "../review/review-cards.ts";
import type { ViewReview, WrittenDecisions } from "../view/view-pages.ts";
import { userName } from "./baseline/settings.ts";
import type { CommonValues } from "./command.ts";
import { type OpenedCards, openCards, refuseToDecide } from "./decisions.ts";
import type { Io } from "./io.ts";

export function createViewReview(args: CommonValues, io: Io): ViewReview {
  let busy: Promise<unknown> = Promise.resolve();
  /** One at a time: two pages may be open. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const done = busy.then(act, act);
    busy = done.catch(() => undefined);
    return done;
  };
  return {
    look: () => inTurn(async () => lookedAt(await openCards(args, io), io)),
    decide: (asked) => inTurn(() => decide(asked, args, io)),
  };
}

function lookedAt(opened: OpenedCards, io: Io): ReviewView {
  const { report } = opened.run;
  const material = openReview(opened.run, opened.loaded, io.cwd);
  const view = buildComparisonView(report, comparisonWords);
  return {
    stamp: stampOf(opened),
    headline: plainText(leadSentence(report).headline),
    status: report.status,
    cards: material.cards.map((card) => ({
      number: card.number,
      title: plainText(reviewTitle(card)),
      runs: card.runs.length,
      blocks: card.blocks,
      own: card.behaviours.some(({ closest }) => closest !== undefined),
      rules: card.rules.filter(({ blocks }) => blocks).map(({ id }) => id),
      onlyRules: card.onlyRules,
      accept: plainText(previewText(card.writes.accept)),
      reject: plainText(previewText(card.writes.reject)),
      refused: "refused" in card.writes.accept,
    })),
    ...refusalOf(opened, io),
    ...(view === undefined ? {} : { view }),
  };
}

/** Why nobody may decide here, if so. */
function refusalOf({ run: { report } }: OpenedCards, io: Io): { readonly closed?: string } {
  try {
    refuseToDecide(report, io);
    return {};
  } catch (error) {
    if (error instanceof SpoorError) return { closed: error.message };
    throw error;
  }
}

/** What was looked at: the cards, and every file that went in. */
function stampOf({ run: { report } }: OpenedCards): string {
  return createHash("sha256")
    .update(JSON.stringify([report.cards, report.inputs]))
    .digest("hex");
}

async function decide(asked: unknown, args: CommonValues, io: Io): Promise<WrittenDecisions> {
  const { stamp, decisions, reason, removeRules } = readAsked(asked);
  const opened = await openCards(args, io);
  const { loaded, run } = opened;
  refuseToDecide(run.report, io);
  if (stampOf(opened) !== stamp)
    throw new SpoorError("accept.changed", "The runs or the baseline have changed since you looked at them.", {
      consequence: "Nothing was written.",
      hint: "Look at the cards again.",
    });
  const decided = decisions.map(({ card: number, decision }): DecidedCard => {
    const card = run.report.cards[number - 1];
    if (card === undefined) throw malformed(`There is no card ${number}.`);
    return { card, decision };
  });
  const act = await decideCards(decided, run, loaded, {
    cwd: io.cwd,
    env: io.env,
    decision: { by: userName(io), why: reason, at: io.now().toISOString() },
    removeRules,
  });
  return { files: act.files, status: (await opened.again()).status };
}

interface AskedDecisions {
  readonly stamp: string;
  readonly decisions: readonly { readonly card: number; readonly decision: CardDecision }[];
  readonly reason: string;
  readonly removeRules: boolean;
}

const DECISIONS: readonly string[] = ["accept", "accept_own", "reject"] satisfies CardDecision[];

function readAsked(asked: unknown): AskedDecisions {
  if (!isObject(asked)) throw malformed("This is no decision.");
  const { stamp, decisions, reason, removeRules } = asked;
  if (typeof stamp !== "string" || !Array.isArray(decisions) || decisions.length === 0)
    throw malformed("Nothing is decided.");
  if (typeof reason !== "string" || reason.trim() === "")
    throw malformed("Whoever reads the decision later will want to know why.");
  const read = decisions.map((one: unknown) => {
    const { card, decision } = isObject(one) ? one : {};
    if (!Number.isSafeInteger(card) || !(DECISIONS as readonly unknown[]).includes(decision))
      throw malformed("This is no decision.");
    return { card: card as number, decision: decision as CardDecision };
  });
  if (new Set(read.map(({ card }) => card)).size !== read.length) throw malformed("A card is decided about twice.");
  return { stamp, decisions: read, reason, removeRules: removeRules === true };
}

function malformed(message: string): SpoorError {
  return new SpoorError("accept.malformed", message, { consequence: "Nothing was written." });
}
