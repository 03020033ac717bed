import type { DecidedCard } from "../../accept/decision.ts";
import { reviewTitle } from "../../describe/review.ts";
import { plainText } from "../../document/text.ts";
import { openReview, type ReviewMaterial } from "../../review/review-cards.ts";
import { pendingItems, type ReviewItem, type ReviewState, startReview } from "../../review/review-state.ts";
import { runScreen } from "../../review/screen.ts";
import { viewReview } from "../../review/view-review.ts";
import { defineCommand } from "../command.ts";
import {
  type DecideArgs,
  decideAndReport,
  decideOptions,
  type OpenedCards,
  openCards,
  refuseToDecide,
  reportCards,
} from "../decisions.ts";
import { type ExitCode, exitCode } from "../exit-code.ts";
import { type Io, styleOf } from "../io.ts";

export const reviewCommand = defineCommand({
  description:
    "Runs the gate and shows what changed on a full screen, runs that changed alike on one card: both paths, arguments and results " +
    "side by side, the rules that are broken, and what accepting or rejecting would write. Nothing is written before the end, and " +
    "then all of it or nothing: the baseline takes on what is accepted, what is rejected leaves a failing eval case behind. Without a " +
    "terminal the cards are listed; spoor accept decides then. In CI nothing is decided.",
  positionals: ["[traces...]"],
  options: decideOptions,
  examples: [
    { run: "spoor review", does: "Look at what changed, and decide." },
    { run: 'spoor review traces/today --reason "new refund flow, #123"', does: "Other runs than the configuration's." },
  ],
  run: async (args, io) => review(await openCards(args, io, args.traces), args, io),
});

/** What `spoor review` and `spoor baseline review` do with cards, wherever these come from. */
export async function review(opened: OpenedCards, args: DecideArgs, io: Io): Promise<ExitCode> {
  const { report } = opened.run;
  refuseToDecide(report, io);
  const { terminal } = io;
  const isScreen = io.interactive && terminal !== undefined && io.env["TERM"] !== "dumb" && args.format === undefined;
  if (report.cards.length === 0 || !isScreen) {
    if (report.cards.length > 0 && args.format === undefined)
      io.err("There is no terminal to review on. Decide with spoor accept --card N or --reject N.\n");
    return reportCards(report, [], undefined, args, io);
  }
  const material = openReview(opened.run, opened.loaded, io.cwd, args.evals);
  const state = await runScreen(
    startReview(
      material.cards.map((_, at) => itemOf(material, at)),
      { reason: args.reason, rules: args.rules },
    ),
    (now, { columns, rows }) => {
      const style = styleOf(
        { ...io, columns },
        { ascii: args.ascii || undefined, color: args.noColor ? false : undefined },
      );
      return viewReview(now, material, style, rows);
    },
    terminal,
  );
  if (state.done !== "write") {
    io.out("Nothing was written.\n");
    return state.done === "interrupted" ? INTERRUPTED : exitCode.ok;
  }
  const said = { why: state.reason, removeRules: state.rules === "remove" };
  return decideAndReport(decidedOf(state, report.cards), opened, said, args, io);
}

/** What a shell expects after Ctrl-C. */
const INTERRUPTED = 130 as ExitCode;

function decidedOf(state: ReviewState, cards: OpenedCards["run"]["report"]["cards"]): DecidedCard[] {
  return pendingItems(state).flatMap((at) => {
    const decision = state.decisions[at];
    return decision === undefined || decision === "skip" ? [] : [{ card: cards[at]!, decision }];
  });
}

function itemOf({ cards }: ReviewMaterial, at: number): ReviewItem {
  const card = cards[at]!;
  const rules = card.rules.filter(({ blocks }) => blocks).map(({ id }) => id);
  const words = [plainText(reviewTitle(card)), ...card.runs.map(({ name }) => name), ...card.rules.map(({ id }) => id)];
  return {
    runs: card.runs.length,
    words: words.join("\n"),
    rules,
    onlyRules: card.onlyRules,
    own: card.behaviours.some(({ closest }) => closest !== undefined),
    refused: [],
  };
}
