/** Whether a tool was offered to the model: "did not call it" means little when it could not. */
import type { TurnEvent } from "./events.ts";

/** How many turns offered the tool, did not, or did not say. */
export interface Offer {
  readonly yes: number;
  readonly no: number;
  readonly unknown: number;
}

export const NO_OFFER: Offer = { yes: 0, no: 0, unknown: 0 };

/** Counts one more turn; offered when at least one of the tools was. */
export function seeOffer(offer: Offer, turn: TurnEvent, tools: readonly string[]): Offer {
  const offered = turn.offered;
  if (offered === undefined) return { ...offer, unknown: offer.unknown + 1 };
  return tools.some((tool) => offered.has(tool)) ? { ...offer, yes: offer.yes + 1 } : { ...offer, no: offer.no + 1 };
}

/** With `if_offered`: whether "never called" may be held against the agent. */
export function judgeOffer(offer: Offer, ifOffered: boolean): "judge" | "skip" | "unknown" {
  if (!ifOffered || offer.yes > 0) return "judge";
  return offer.no > 0 ? "skip" : "unknown";
}

/** "It was offered to the model in every turn and never called." */
export function describeOffer(offer: Offer): string | undefined {
  const turns = offer.yes + offer.no + offer.unknown;
  if (turns === 0 || offer.unknown === turns) return undefined;
  if (offer.yes === 0) return "It was never offered to the model.";
  const often = offer.yes === turns ? "in every turn" : `in ${offer.yes} of ${turns} turns`;
  return `It was offered to the model ${often} and never called.`;
}

export function offerUnknown(tools: readonly string[]): string {
  return `no request says which tools were offered, so a missing call of ${tools.join(" or ")} cannot be judged`;
}

export const IF_OFFERED_HELP = "hold a missing call against the agent only if the tool was offered to it";
