import type { Place } from "../../document/check.ts";
import { plainText } from "../../document/text.ts";

/** `ticket-1042, turn 2: refund.amount is 89.00` */
export function placeText({ trace, turnIndex, detail }: Place): string {
  const turn = turnIndex === undefined ? "" : `, turn ${turnIndex + 1}`;
  return `${trace}${turn}${detail === undefined ? "" : `: ${plainText(detail)}`}`;
}
