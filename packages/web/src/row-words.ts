import type { TimelineKind } from "@spoor/core/internal/diff/timeline";

/** Symbol and words of a row; the symbol never stands alone. */
export const rowWords: Readonly<Record<TimelineKind, { symbol: string; says: string }>> = {
  same: { symbol: "=", says: "same in both" },
  reworded: { symbol: "~", says: "same calls, other words" },
  changed: { symbol: "*", says: "changed: other calls, arguments or end" },
  only_baseline: { symbol: "-", says: "gone: only in the baseline" },
  only_candidate: { symbol: "+", says: "new: only in the candidate" },
};
