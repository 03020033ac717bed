/** The runtime guard: a million judged calls with 100 rules of every kind that a guard can judge. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { guardKinds } from "./guard-rules.ts";

const child = fileURLToPath(new URL("./guard-child.js", import.meta.url));
const MOST_MICROSECONDS = 50;
/** What a heap may differ by between two measurements without anything being kept. */
const MOST_MEGABYTES = 4;
/** Of every kind together, and of each on its own. */
const CALLS = 1_000_000;

interface Measured {
  readonly rounds: readonly {
    readonly long: Percentiles;
    readonly many: Percentiles;
    /** What the machine alone adds to one of a hundred pieces of work as long as a call. */
    readonly machine: number;
  }[];
  /** After garbage collection, before the first round and after each. */
  readonly heaps: readonly number[];
  readonly refused: number;
  readonly calls: number;
}

interface Percentiles {
  readonly p50: number;
  readonly p99: number;
}

export const guardBenchmark: Benchmark = {
  name: "guard",
  promise: `of a million guarded calls with 100 rules of every kind, 99 of 100 take at most ${MOST_MICROSECONDS} µs, in memory that does not grow`,
  run() {
    const measured = measure(CALLS);
    const ofKinds = guardKinds.map((kind) => ({ kind, measured: measure(CALLS, kind) }));
    return [
      ...rowsOf("one long session", measured, ({ long }) => long),
      ...rowsOf("many sessions", measured, ({ many }) => many),
      memoryRow(measured),
      ...worstRows(ofKinds),
    ];
  },
};

function measure(calls: number, kind?: string): Measured {
  const args = ["--expose-gc", child, String(calls), ...(kind === undefined ? [] : [kind])];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`The guarded calls could not be made: ${stderr}`);
  const measured = JSON.parse(stdout) as Measured;
  if (measured.refused > 0) throw new Error(`${measured.refused} calls were refused; the benchmark breaks no rule.`);
  return measured;
}

interface OfKind {
  readonly kind: string;
  readonly measured: Measured;
}

/** A hundred rules of one kind: the kind that costs a call most, and the one that keeps most. */
function worstRows(ofKinds: readonly OfKind[]): readonly BenchmarkRow[] {
  const worst = (of: (measured: Measured) => number) =>
    ofKinds.reduce((left, right) => (of(right.measured) > of(left.measured) ? right : left));
  const slowest = worst(({ rounds }) => ownOf(rounds, ({ many }) => many));
  const own = ownOf(slowest.measured.rounds, ({ many }) => many);
  const largest = worst(({ heaps }) => heaps.at(-1)! - heaps[1]!);
  const grown = largest.measured.heaps.at(-1)! - largest.measured.heaps[1]!;
  return [
    {
      what: `a guarded call with 100 rules of one kind, many sessions, 99th percentile without what the machine adds: ${slowest.kind}, the slowest of ${ofKinds.length}`,
      measured: microseconds(own),
      against: `${MOST_MICROSECONDS} µs`,
      kept: own <= MOST_MICROSECONDS,
    },
    {
      what: `the heap after ${largest.measured.calls.toLocaleString("en")} calls with 100 rules of one kind: ${largest.kind}, the largest of ${ofKinds.length}`,
      measured: `${grown.toFixed(1)} MB more`,
      against: "after the first round",
      kept: grown <= MOST_MEGABYTES,
    },
  ];
}

type Round = Measured["rounds"][number];

/** What a call takes without what the machine adds. */
function ownOf(rounds: readonly Round[], of: (round: Round) => Percentiles): number {
  return median(rounds.map((round) => of(round).p99 - round.machine));
}

function rowsOf(where: string, { rounds }: Measured, of: (round: Round) => Percentiles): BenchmarkRow[] {
  const p99 = median(rounds.map((round) => of(round).p99));
  const own = ownOf(rounds, of);
  const machine = median(rounds.map((round) => round.machine));
  return [
    {
      what: `a guarded call in ${where}, 99th percentile without what the machine adds`,
      measured: microseconds(own),
      against: `${MOST_MICROSECONDS} µs (with it ${microseconds(p99)}; it alone adds ${microseconds(machine)} to as much counting)`,
      kept: own <= MOST_MICROSECONDS,
    },
    {
      what: `a guarded call in ${where}, median`,
      measured: microseconds(median(rounds.map((round) => of(round).p50))),
      against: "the same run",
    },
  ];
}

/** From the first round on everything is compiled and filled: what comes on top was kept. */
function memoryRow({ heaps, calls }: Measured): BenchmarkRow {
  const grown = heaps.at(-1)! - heaps[1]!;
  return {
    what: `the heap after ${calls.toLocaleString("en")} calls`,
    measured: `${grown.toFixed(1)} MB more`,
    against: `after the first round, ${heaps[1]!.toFixed(0)} MB`,
    kept: grown <= MOST_MEGABYTES,
  };
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)]!;
}

function microseconds(value: number): string {
  return `${value.toFixed(0)} µs`;
}
