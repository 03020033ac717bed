/**
 * How far the share of known paths moved, in units of the agent's own noise: what chance gives for so many runs at the agent's usual share. The band is two
 * of them wide, so that rows of agents with many and with few runs can be compared.
 */
export interface HourSum {
  /** Hours since 1970. */
  readonly hour: number;
  readonly runs: number;
  readonly known: number;
}

export interface NoisePoint {
  /** Place in the window, from 0 to 1. */
  readonly at: number;
  /** Above 0: more known paths than usual. */
  readonly units: number;
  readonly share: number;
  readonly runs: number;
}

/** Hours that become one point. */
const BUCKET_HOURS = 4;

export function noisePoints(
  hours: readonly HourSum[],
  from: number,
  to: number,
  newest: number | undefined,
): NoisePoint[] {
  const buckets = new Map<number, { runs: number; known: number }>();
  for (const { hour, runs, known } of hours) {
    const bucket = Math.floor(hour / BUCKET_HOURS);
    const sum = buckets.get(bucket) ?? { runs: 0, known: 0 };
    buckets.set(bucket, { runs: sum.runs + runs, known: sum.known + known });
  }
  const all = [...buckets].map(([bucket, sum]) => ({ ...sum, hour: bucket * BUCKET_HOURS }));
  // What is usual was so before the newest release; without anything before it, all there is.
  const before = newest === undefined ? all : all.filter(({ hour }) => hour + BUCKET_HOURS <= newest);
  const usual = sumOf(before.length === 0 ? all : before);
  if (usual.runs === 0) return [];
  // Never 0 or 1: where every run was known so far, one that is not would be infinitely far away.
  const share = (usual.known + 0.5) / (usual.runs + 1);
  return all
    .filter(({ hour, runs }) => runs > 0 && hour + BUCKET_HOURS > from && hour <= to)
    .map(({ hour, runs, known }) => ({
      at: Math.max(0, Math.min(1, (hour - from) / (to - from))),
      units: (known / runs - share) / Math.sqrt((share * (1 - share)) / runs),
      share: known / runs,
      runs,
    }))
    .sort((left, right) => left.at - right.at);
}

function sumOf(sums: readonly { readonly runs: number; readonly known: number }[]) {
  return {
    runs: sums.reduce((sum, { runs }) => sum + runs, 0),
    known: sums.reduce((sum, { known }) => sum + known, 0),
  };
}
