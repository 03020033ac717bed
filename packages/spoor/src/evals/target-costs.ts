/** Which targets can say what a run costs, so that a budget can be kept. */
import { SpoorError } from "@spoor/core/internal/errors";
import type { Judge } from "./evaluators/run-context.ts";
import type { Target } from "./load-targets.ts";

/** Providers that count tokens and never say what they cost. */
const UNPRICED: ReadonlySet<string> = new Set([
  "openai",
  "anthropic",
  "openai-compatible",
  "codex",
  "copilot",
  "vscode",
  "vscode-insiders",
]);

/** Providers that ask nobody who wants money. */
const FREE: ReadonlySet<string> = new Set(["mock", "replay"]);

export function needsPrices({ providerName, prices }: Target): boolean {
  return UNPRICED.has(providerName) && prices === undefined;
}

export function isFree({ providerName }: Target): boolean {
  return FREE.has(providerName);
}

/** A budget that nobody could keep is refused before anything is spent. */
export function requirePrices(targets: Iterable<Target>, judges: Iterable<Judge>, budgetUsd: number): void {
  for (const target of targets)
    if (needsPrices(target)) throw unpriced(`Target ${target.name} (provider ${target.providerName})`, budgetUsd);
  for (const judge of judges) if (!judge.isPriced) throw unpriced(`The judge, ${judge.name},`, budgetUsd);
}

function unpriced(who: string, budgetUsd: number): SpoorError {
  return new SpoorError("eval.no-price", `${who} has no prices, so a budget of $${budgetUsd} could not be kept.`, {
    consequence: "Nothing was run.",
    hint: "Say what a million tokens cost: pricing: { input: 2, output: 8 }, or run without a budget.",
  });
}
