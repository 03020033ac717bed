/**
 * Whether a name is another one misspelt, and not another name: `issue_refnd`, `issueRefund` for `issue_refund`. Stricter than
 * `nearest`, which proposes: `get_user` is near `set_user`, and `search_v1` near `search_v2`, and none is a slip of the other.
 */
import { editDistance } from "./nearest.ts";

/** The known name that was certainly meant; undefined when there is none, or more than one. */
export function slipOf(name: string, known: readonly string[]): string | undefined {
  const meant = known.filter((one) => isSlip(name, one));
  return meant.length === 1 ? meant[0] : undefined;
}

function isSlip(name: string, meant: string): boolean {
  if (name === meant) return false;
  if (single(bare(name)) === single(bare(meant))) return true;
  const [left, right] = [wordsOf(name), wordsOf(meant)];
  // A word more is another name: `delete_user_v2`.
  if (left.length !== right.length) return isMistaken(bare(name), bare(meant), 8, 1);
  return left.every((word, index) => word === right[index] || isMistaken(word, right[index]!, 4, 2));
}

/** One mistake in a word of some length, `most` in a long one; never in its first letter, and never a number. */
function isMistaken(left: string, right: string, least: number, most: number): boolean {
  const shorter = Math.min(left.length, right.length);
  if (shorter < least || left[0] !== right[0] || withoutDigits(left) === withoutDigits(right)) return false;
  return editDistance(left, right) <= (shorter >= 8 ? most : 1);
}

function wordsOf(name: string): string[] {
  const apart = name.replace(/([a-z0-9])([A-Z])/g, "$1 $2");
  return apart.split(/[^A-Za-z0-9*?]+/).map((word) => word.toLowerCase());
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9*?]/g, "");
}

/** A letter struck twice. */
function single(word: string): string {
  return word.replace(/([a-z])\1+/g, "$1");
}

function withoutDigits(word: string): string {
  return word.replace(/[0-9]/g, "");
}
