/** Whether a tool was offered to the model: "did not call it" means little when it could not. */

import { isTool } from "../text/tool-name.ts";
import type { TurnEvent } from "./events.ts";

/** How many turns offered the tool and how many did not; a request that lists no tools says neither. */
export interface Offer {
  readonly yes: number;
  readonly no: number;
}

export const NO_OFFER: Offer = { yes: 0, no: 0 };

/** Counts one more turn; offered when at least one of the tools was. */
export function seeOffer(offer: Offer, turn: TurnEvent, tools: readonly string[]): Offer {
  const offered = turn.offered;
  if (offered === undefined) return offer;
  return tools.some((tool) => offered.has(tool) || [...offered].some((name) => isTool([tool], name)))
    ? { yes: offer.yes + 1, no: offer.no }
    : { yes: offer.yes, no: offer.no + 1 };
}

/** With `if_offered`: whether "never called" may be held against the agent. */
export function judgeOffer(offer: Offer, ifOffered: boolean): "judge" | "skip" | "unknown" {
  if (!ifOffered || offer.yes > 0) return "judge";
  return offer.no > 0 ? "skip" : "unknown";
}

/** "It was offered to the model in every turn and never called." */
export function describeOffer({ yes, no }: Offer): string | undefined {
  if (yes + no === 0) return undefined;
  if (yes === 0) return "It was never offered to the model.";
  const often = no === 0 ? "in every turn" : `in ${yes} of ${yes + no} turns`;
  return `It was offered to the model ${often} and never called.`;
}

export function offerUnknown(tools: readonly string[]): string {
  return `no request says which tools were offered, so a missing call of ${tools.join(" or ")} cannot be judged`;
}

export const IF_OFFERED_HELP = "hold a missing call against the agent only if the tool was offered to it";
