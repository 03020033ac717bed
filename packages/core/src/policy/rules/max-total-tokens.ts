import { required } from "../../read/field.ts";
import { integer } from "../../read/scalars.ts";
import { type Json, member, numberMember } from "../../trace/json.ts";
import type { TurnEvent } from "../events.ts";
import { perField, rateWords } from "../rate.ts";
import { defineRule } from "../rule.ts";
import {
  afterBudgetTurn,
  type BudgetParams,
  type BudgetState,
  type BudgetWords,
  endBudget,
  settleBudget,
  startBudget,
} from "./budget.ts";

/** Input, output and thinking tokens of all responses stay within a budget; cache fields are not counted. */
export const maxTotalTokens = defineRule({
  kind: "max_total_tokens",
  summary: "the tokens of all responses together must stay within a budget",
  params: { limit: required(integer(), "the budget in tokens", { alias: "n" }), per: perField },
  explain: ({ limit, per }) => `At most ${limit} tokens in total (input, output and thinking)${rateWords(per)}.`,
  judgesBlind: () => true,
  headline: ({ limit, per }) => ({
    subject: "the agent",
    predicate: `uses more than ${limit} tokens${rateWords(per)}`,
  }),
  needsClock: ({ per }) => per?.seconds !== undefined,
  perUser: ({ per }) => per?.user === true,
  perSession: ({ per }) => per?.session === true,
  claims: ({ limit }) => (limit < 1 ? { alwaysBroken: "no_token_allowed" } : {}),
  start: (): BudgetState => startBudget(),
  onTurn: (state, turn, context) => afterBudgetTurn(state, turn, tokensOf(turn) ?? UNTOLD, context, words),
  atEnd: (state, end, context) => endBudget(state, end, context, words),
  settle: settleBudget,
  seen: ({ total, counted }) =>
    total > 0 ? { amount: total, noun: "token" } : { amount: counted, noun: "turn with tokens" },
});

const UNTOLD = { why: "the response does not say how many tokens it used" };

const words: BudgetWords = { told: ["how many tokens it used", "how many tokens they used"], describe };

const COUNTS = [
  ["inputTokens", "input_tokens"],
  ["outputTokens", "output_tokens"],
  ["thinkingTokens", "thinking_tokens"],
] as const;

/** The names other APIs have for the same counts; a total counts where its parts are missing. */
const OTHER_NAMES: readonly (readonly string[])[] = [
  ["prompt_tokens", "completion_tokens"],
  ["promptTokens", "completionTokens"],
  ["inputTokens", "outputTokens"],
  ["total_tokens"],
  ["totalTokens"],
];

/** Whole tokens; undefined when no count was recorded. */
function tokensOf(event: TurnEvent): number | undefined {
  const own = ownTokens(event);
  if (own !== undefined) return own;
  const written = member(event.response, "usage");
  for (const fields of OTHER_NAMES) {
    const amounts = fields.flatMap((field) => numberMember(written, field) ?? digits(member(written, field)) ?? []);
    if (amounts.length > 0) return amounts.reduce((sum, amount) => sum + Math.trunc(amount), 0);
  }
  return undefined;
}

function ownTokens({ turn, response }: TurnEvent): number | undefined {
  const written = member(response, "usage");
  let sum: number | undefined;
  for (const [count, field] of COUNTS) {
    const amount = turn.usage?.[count] ?? digits(member(written, field));
    if (amount !== undefined) sum = (sum ?? 0) + Math.trunc(amount);
  }
  return sum;
}

/** A budget also counts what a logger wrote as a text of digits: better too strict than blind. */
function digits(value: Json | undefined): number | undefined {
  return typeof value === "string" && /^\s*[+-]?[0-9]+\s*$/.test(value) ? Number(value) : undefined;
}

function describe(total: number, { limit, per }: BudgetParams) {
  return {
    code: "over_budget",
    message: `${total} tokens${rateWords(per)}, allowed are ${limit}.`,
    facts: { total, limit },
    measure: total,
  };
}
