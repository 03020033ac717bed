/**
 * Are there more new paths than the agent's own variety explains? Counted under every labelling: runs after a point whose
 * path no run up to it took (`after`), and runs at a point whose path no earlier point took (`at`).
 *
 * Each count is measured in its own standard deviations over the labellings, so that early and late points weigh alike.
 */
export interface PathNovelty {
  /** Largest count in standard deviations above its mean, per labelling. */
  readonly after: Float64Array;
  readonly at: Float64Array;
  /** The first later point of the observed largest count; the point itself. */
  readonly afterPoint: number;
  readonly atPoint: number;
  /** Per point: runs with a new path, as observed, and over the labellings. */
  readonly fresh: readonly { readonly seen: number; readonly mean: number; readonly deviation: number }[];
}

export interface NoveltyCounter {
  count(labels: Uint16Array, labelling: number): void;
  result(): PathNovelty;
}

/** `paths`: one number per run that says which path it took. */
export function countNovelty(paths: Int32Array, points: number, labellings: number): NoveltyCounter {
  const kinds = paths.reduce((most, path) => Math.max(most, path + 1), 0);
  const firstPoint = new Int32Array(kinds);
  const total = new Float64Array(kinds);
  const atFirst = new Float64Array(kinds);
  const after = Array.from({ length: points }, () => new Float64Array(labellings));
  const at = Array.from({ length: points }, () => new Float64Array(labellings));
  for (const path of paths) total[path]! += 1;
  return {
    count(labels, labelling) {
      firstPoint.fill(points);
      for (let run = 0; run < paths.length; run++) {
        const path = paths[run]!;
        const point = labels[run]!;
        if (point < firstPoint[path]!) {
          firstPoint[path] = point;
          atFirst[path] = 1;
        } else if (point === firstPoint[path]) atFirst[path]! += 1;
      }
      for (let path = 0; path < kinds; path++) {
        const first = firstPoint[path]!;
        at[first]![labelling]! += atFirst[path]!;
        after[first]![labelling]! += total[path]!;
      }
      // A path that begins at a point is also new to all earlier splits.
      for (let point = points - 2; point >= 1; point--) after[point]![labelling]! += after[point + 1]![labelling]!;
    },
    result() {
      const moments = (counts: Float64Array) => momentsOf(counts);
      const fresh = at.map((counts) => ({ seen: counts[0]!, ...moments(counts) }));
      const [afterMost, afterPoint] = largest(after, after.map(moments));
      const [atMost, atPoint] = largest(at, fresh);
      return { after: afterMost, at: atMost, afterPoint, atPoint, fresh };
    },
  };
}

interface Moments {
  readonly mean: number;
  readonly deviation: number;
}

function momentsOf(counts: Float64Array): Moments {
  const mean = counts.reduce((sum, value) => sum + value, 0) / counts.length;
  const variance = counts.reduce((sum, value) => sum + (value - mean) ** 2, 0) / counts.length;
  return { mean, deviation: Math.sqrt(variance) };
}

/** Nothing is new at the first point, so it takes no part. */
function largest(counts: readonly Float64Array[], moments: readonly Moments[]): [Float64Array, number] {
  const most = new Float64Array(counts[0]!.length).fill(0);
  let observed = 0;
  for (let point = 1; point < counts.length; point++) {
    const { mean, deviation } = moments[point]!;
    if (deviation < 1e-9) continue;
    for (let labelling = 0; labelling < most.length; labelling++) {
      const size = (counts[point]![labelling]! - mean) / deviation;
      if (size > most[labelling]! + 1e-9) {
        most[labelling] = size;
        if (labelling === 0) observed = point;
      }
    }
  }
  return [most, observed];
}
