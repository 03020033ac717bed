/**
 * Whether few labellings already put a comparison far from α, for those who make very many of them and only ask "p ≤ α?". Fewer than 1 in 100
 * of such decisions would have come out otherwise with all labellings. Never used for a verdict that somebody reads.
 */
import type { TestOptions } from "./test-cohort.ts";

/** Numbers of labellings after which a comparison may be decided. */
const LOOKS = [48, 96, 144, 240, 368];

export function isDecided(alpha: number): NonNullable<TestOptions["isEnough"]> {
  return (done, globalP, signals) => {
    if (!LOOKS.includes(done)) return false;
    // As extreme as the observed labelling are, beside it, `others` of those so far.
    const others = globalP() * done - 1;
    const spread = Math.sqrt(done * alpha * (1 - alpha));
    // Each signal has a labelling in which it is the largest, and with few labellings those weigh much.
    if (others > alpha * done + 4 * spread + signals) return true;
    return others < Math.max(0.5, alpha * done - 3.3 * spread) && (1 - alpha) ** done < 0.01;
  };
}
