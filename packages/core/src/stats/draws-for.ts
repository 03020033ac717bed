/** How many relabellings a test may cost: all when there are few, else a seeded sample whose size depends on the work. */

/** Number of labellings up to which all are enumerated. */
export const ENUMERATION_LIMIT = 20_000;
const DEFAULT_DRAWS = 1999;
const FEWEST_DRAWS = 199;
/** Additions (runs × features × labellings) that a test may cost before it draws fewer labellings. */
const WORK_LIMIT = 2e9;

/** How many labellings are drawn for so many runs and features. */
export function drawsFor(runs: number, features: number): number {
  const size = Math.max(1, runs * features);
  return size * DEFAULT_DRAWS > WORK_LIMIT ? Math.max(FEWEST_DRAWS, Math.floor(WORK_LIMIT / size)) : DEFAULT_DRAWS;
}
