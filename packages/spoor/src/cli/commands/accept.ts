import type { ChangeCard } from "@spoor/core/internal/gate/change-card";
import { printable } from "@spoor/core/internal/text/printable";
import type { DecidedCard } from "../../accept/decision.ts";
import { defineCommand } from "../command.ts";
import {
  type DecideArgs,
  decideAndReport,
  decideOptions,
  openCards,
  refuseToDecide,
  reportCards,
} from "../decisions.ts";
import { requireFormats } from "../emit-report.ts";
import type { Io } from "../io.ts";
import { option, usageError } from "../option.ts";
import { createPrompt } from "../prompt.ts";
import { acceptKind } from "../reports/accept-kind.ts";

export const acceptCommand = defineCommand({
  description:
    "Runs the gate and puts what changed on numbered cards, runs that changed alike on one. Without --all, --card or --reject " +
    "it lists them with what accepting would write. Accepting lets the baseline's recordings and fingerprints take on what the " +
    "accepted runs do; rules are touched only with --rules remove. Rejecting leaves an eval case behind that fails until the " +
    "agent does as before. Who, when and why is added to spoor.decisions.jsonl. All of it is written, or nothing. In CI nothing " +
    "is decided. To look at each change first: spoor review.",
  positionals: [],
  options: {
    all: option.flag("accept every card that is not rejected"),
    card: option.texts("accept this card; may be given several times", "N"),
    reject: option.texts("reject this card; may be given several times", "N"),
    ...decideOptions,
  },
  examples: [
    { run: "spoor accept", does: "What changed, on cards, and what accepting each would write." },
    { run: 'spoor accept --card 1 --reason "refunds up to 100 need no confirmation"', does: "One of them is meant." },
    { run: 'spoor accept --all --rules remove --reason "new refund flow, #123"', does: "All of it, and the rules go." },
    {
      run: 'spoor accept --reject 1 --reason "customers must confirm"',
      does: "It is wrong: a case is left that fails until it is mended.",
    },
  ],
  async run(args, io) {
    requireFormats(acceptKind, args);
    const opened = await openCards(args, io);
    const { report } = opened.run;
    const decided = choose(report.cards, args);
    if (decided.length === 0) return reportCards(report, [], undefined, args, io);
    refuseToDecide(report, io);
    const why = requireReason(args);
    const accepted = decided.filter(({ decision }) => decision !== "reject").map(({ card }) => card);
    const removeRules = (args.rules ?? (await askRules(accepted, io))) === "remove";
    return decideAndReport(decided, opened, { why, removeRules }, args, io);
  },
});

interface Choice {
  readonly all: boolean;
  readonly card: readonly string[];
  readonly reject: readonly string[];
}

function choose(cards: readonly ChangeCard[], { all, card, reject }: Choice): DecidedCard[] {
  if (all && card.length > 0) throw usageError("--all and --card exclude each other.");
  const rejected = new Set(reject.map((text) => numbered(cards, text)));
  const named = new Set(card.map((text) => numbered(cards, text)));
  const both = [...named].find((one) => rejected.has(one));
  if (both !== undefined) throw usageError(`Card ${cards.indexOf(both) + 1} is accepted and rejected at once.`);
  return cards.flatMap((one): DecidedCard[] => {
    if (rejected.has(one)) return [{ card: one, decision: "reject" }];
    return all || named.has(one) ? [{ card: one, decision: "accept" }] : [];
  });
}

function numbered(cards: readonly ChangeCard[], text: string): ChangeCard {
  const card = /^[1-9][0-9]*$/.test(text) ? cards[Number(text) - 1] : undefined;
  if (card !== undefined) return card;
  throw usageError(`There is no card "${text}".`, `spoor accept lists them: there are ${cards.length}.`);
}

function requireReason({ reason }: DecideArgs): string {
  if (reason !== undefined && reason.trim() !== "") return reason;
  throw usageError(
    "--reason is missing: whoever reads the decision later will want to know.",
    'For example --reason "new refund flow, #123"',
  );
}

/** Rules are a promise to others: a person is asked about each file once, a script says it. */
async function askRules(cards: readonly ChangeCard[], io: Io): Promise<"keep" | "remove"> {
  const rules = new Set(cards.flatMap((card) => card.rules.filter(({ blocks }) => blocks).map(({ id }) => id)));
  if (rules.size === 0 || !io.interactive) return "keep";
  const prompt = createPrompt(io);
  try {
    const which = `${rules.size === 1 ? "the rule" : "the rules"} ${[...rules].map(printable).join(", ")}`;
    const answer = await prompt.question(
      `Also take out ${which}, with the examples? They go on blocking otherwise. [y/N] `,
    );
    return /^y(es)?$/i.test(answer?.trim() ?? "") ? "remove" : "keep";
  } finally {
    prompt.close();
  }
}
