/** One step of the path through two runs: the same turn on both sides, or a turn that only one side has. */
export type AlignedStep =
  | { readonly kind: "match"; readonly baseline: number; readonly candidate: number }
  /** Only in the candidate. */
  | { readonly kind: "insert"; readonly candidate: number }
  /** Only in the baseline. */
  | { readonly kind: "delete"; readonly baseline: number };

/**
 * How the path was found. `full`: every possibility was weighed. `anchored`: turns that occur once on each side were fixed
 * first. `banded`: in a long stretch only turns near each other were compared. `by_index`: the stretch was too large even
 * for that and was paired in order.
 */
export const alignmentMethods = ["full", "anchored", "banded", "by_index"] as const;
export type AlignmentMethod = (typeof alignmentMethods)[number];

export interface Alignment {
  readonly steps: readonly AlignedStep[];
  readonly method: AlignmentMethod;
}
