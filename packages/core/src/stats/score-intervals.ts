/**
 * Which differences of two shares are plausible, by intervals that stay honest where events are few or nearly sure: there a
 * standard error is too bold (4 of 40 against 0 of 40 would be pinned down within 20 points).
 *
 * `tangoInterval` for pairs: Tango (1998), "Equivalence test and confidence interval for the difference in proportions for the
 * paired-sample design", Statistics in Medicine 17. `newcombeInterval` for two samples: Newcombe (1998), "Interval estimation for
 * the difference between independent proportions", Statistics in Medicine 17, method 10. Both O(1).
 */
export interface DifferenceInterval {
  readonly low: number;
  readonly high: number;
}

/**
 * Of `pairs` pairs, `gained` have the event on the second side only and `lost` on the first side only. Holds every difference
 * (second minus first) whose score lies within ± z.
 */
export function tangoInterval(gained: number, lost: number, pairs: number, z: number): DifferenceInterval {
  const seen = (gained - lost) / pairs;
  return {
    low: limit((difference) => score(gained, lost, pairs, difference) <= z, seen, -1),
    high: limit((difference) => score(gained, lost, pairs, difference) >= -z, seen, 1),
  };
}

/** Second share minus first, from Wilson's intervals of each. Samples may be effective sizes, so they need not be whole numbers. */
export function newcombeInterval(
  first: { readonly share: number; readonly of: number },
  second: { readonly share: number; readonly of: number },
  z: number,
): DifferenceInterval {
  const [before, now] = [wilsonInterval(first, z), wilsonInterval(second, z)];
  const difference = second.share - first.share;
  return {
    low: difference - Math.hypot(second.share - now.low, before.high - first.share),
    high: difference + Math.hypot(now.high - second.share, first.share - before.low),
  };
}

function wilsonInterval({ share, of }: { readonly share: number; readonly of: number }, z: number): DifferenceInterval {
  const centre = share + (z * z) / (2 * of);
  const spread = z * Math.sqrt((share * (1 - share)) / of + (z * z) / (4 * of * of));
  const scale = 1 + (z * z) / of;
  return { low: Math.max(0, (centre - spread) / scale), high: Math.min(1, (centre + spread) / scale) };
}

/** How many standard deviations the observed difference lies from a supposed one, at the likeliest shares that have it. */
function score(gained: number, lost: number, pairs: number, difference: number): number {
  const away = gained - lost - pairs * difference;
  const a = 2 * pairs;
  const b = (2 * pairs - gained + lost) * difference - gained - lost;
  const c = -lost * difference * (1 - difference);
  const lostShare = (Math.sqrt(Math.max(0, b * b - 4 * a * c)) - b) / (2 * a);
  const variance = pairs * (2 * lostShare + difference * (1 - difference));
  return variance <= 1e-12 ? Math.sign(away) * Number.POSITIVE_INFINITY || 0 : away / Math.sqrt(variance);
}

/** The furthest value towards `end` that is still plausible: the score falls steadily, so halving finds it. */
function limit(isPlausible: (difference: number) => boolean, from: number, end: number): number {
  if (isPlausible(end)) return end;
  let inside = from;
  let outside = end;
  for (let step = 0; step < 60; step++) {
    const middle = (inside + outside) / 2;
    if (isPlausible(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}
