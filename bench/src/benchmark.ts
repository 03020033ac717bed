/**
 * A benchmark measures a ratio inside one run: what we do against a floor on the same input, in CPU time. A ratio holds on
 * a noisy machine where a wall-clock figure would not.
 */
export interface Benchmark {
  readonly name: string;
  /** What is promised, in words: "at most 2 times bare JSON.parse". */
  readonly promise: string;
  /** No rows where something that it needs is not here; its table stays as it is then. */
  run(options: BenchmarkOptions): BenchmarkRow[] | Promise<BenchmarkRow[]>;
}

export interface BenchmarkOptions {
  /** A folder in which other tools are installed, to be measured on the same input in the same run. */
  readonly peers?: string;
  /** Which rows to measure, by the name of their format or part, where a benchmark has such; absent: all. */
  readonly only?: readonly string[];
  /** A file that keeps the parts that are done, so that a long benchmark can be broken off and gone on with by the same build. */
  readonly resume?: string;
  /** Takes what stands elsewhere than in bench/README.md and is made of the same figures; `--write` puts it there. */
  readonly publish?: (table: PublishedTable) => void;
}

export interface PublishedTable {
  /** From the root of the repository. */
  readonly page: string;
  /** Of the comments between which it stands. */
  readonly name: string;
  readonly text: string;
}

export interface BenchmarkRow {
  readonly what: string;
  /** The figure with its unit: "1.31 times", "0.21 s", "182 MB". */
  readonly measured: string;
  /** What it was compared with: "JSON.parse of the same lines, 1.92 s". */
  readonly against: string;
  /** Whether the promise was kept; undefined when the row only informs. */
  readonly kept?: boolean;
}

/** CPU seconds (user and system) that `work` takes; the smallest of `rounds` tries. */
export async function cpuSeconds(work: () => unknown, rounds = 3): Promise<number> {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    globalThis.gc?.();
    const before = process.cpuUsage();
    await work();
    const used = process.cpuUsage(before);
    best = Math.min(best, (used.user + used.system) / 1e6);
  }
  return best;
}

/**
 * CPU seconds of a floor and of what is compared with it, taken by turns so that a busy minute of the machine burdens both; the
 * median of `rounds` each. Before each figure the same work runs once uncounted, so that it pays for its own garbage and for no
 * other's, and code is compiled.
 */
export async function sideBySide(
  work: { floor: () => unknown; ours: () => unknown },
  rounds = 3,
): Promise<{ floor: number; ours: number }> {
  const floors: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await work.floor();
    floors.push(await cpuSeconds(work.floor, 1));
    await work.ours();
    ours.push(await cpuSeconds(work.ours, 1));
  }
  return { floor: median(floors), ours: median(ours) };
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)]!;
}
