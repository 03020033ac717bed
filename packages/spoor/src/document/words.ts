/** Numbers and counts in words people read: every number has a unit or an "of how many". */

import { integer } from "@spoor/core/internal/text/amounts";
import { sinceDifference } from "@spoor/core/internal/text/since-difference";

export { bytes, count, dollars, duration, integer, tokens } from "@spoor/core/internal/text/amounts";

/** Small numbers as words: `nine`, `ten`, and `13` beyond. */
export function inWords(amount: number): string {
  return NUMBERS[amount] ?? integer(amount);
}

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

/** `24 %`; below one percent one decimal. */
export function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? `${value.toFixed(1)} %` : `${Math.round(value)} %`;
}

/** `7 to 50 %`: the unit once. */
export function percentRange(low: number, high: number): string {
  return `${percent(low).slice(0, -2)} to ${percent(high)}`;
}

/** A share with enough digits to be true: `0.05 %`, `3.1 %`, `31 %`. */
export function exactPercent(share: number): string {
  if (share >= 0.1 || share === 0) return percent(share);
  return `${(share * 100).toFixed(share >= 0.01 ? 1 : 2).replace(/\.0$/, "")} %`;
}

/** `p = 0.74`, `p = 0.0078`, `p below 0.0001`: with as many digits as it deserves. */
export function pWords(p: number): string {
  if (p < 0.0001) return "p below 0.0001";
  return `p = ${p.toFixed(p >= 0.1 ? 2 : p >= 0.01 ? 3 : 4)}`;
}

/** How often chance does something: `fewer than 1 of 1,000`, `4 of 1,000`, `50 of 100`. */
export function chanceShare(chance: number): string {
  if (chance < 0.001) return "fewer than 1 of 1,000";
  const of = chance < 0.095 ? 1000 : 100;
  return `${integer(Math.max(1, chance * of))} of ${integer(of)}`;
}

/** `+12`, `−3`, `0`. */
export function signed(value: number): string {
  const rounded = Math.round(value);
  return rounded > 0 ? `+${integer(rounded)}` : rounded < 0 ? `−${integer(-rounded)}` : "0";
}

/** At most `length` characters, the ellipsis among them. */
export function clip(text: string, length: number): string {
  if (text.length <= length) return text;
  // A character takes two units at most: of an argument of megabytes no more is looked at.
  const characters = [...text.slice(0, 2 * (length + 1))];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}

/** The same for one of two texts that stand beside each other: what they differ in is not cut off. */
export function clipBeside(text: string, other: string, length: number): string {
  return clip(sinceDifference(text, other, length), length);
}

/** `a`, `a and b`, `a, b and c`. */
export function list(items: readonly string[], joiner = "and"): string {
  if (items.length <= 1) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${joiner} ${items[items.length - 1]}`;
}
