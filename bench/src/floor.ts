/**
 * The floor: what a lens costs beside bare JSON.parse of the lines it reads, for one run. Start-up is not in it: of a command the
 * same command on a run of one turn is subtracted, which has loaded and compiled all the code it needs. Small turns, as an agent
 * writes them that sends no history; and long histories, where each request repeats the conversation so far.
 */
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { commandFigures, type Figures, scriptFigures } from "./child-figures.ts";
import { longHistoryLines, syntheticAgentlog } from "./synthetic.ts";
import { TWELVE_RULES } from "./twelve-rules.ts";

const dataFolder = fileURLToPath(new URL("../.data/floor/", import.meta.url));
const child = fileURLToPath(new URL("./floor-child.js", import.meta.url));
const MEGABYTES = 300;

interface Run {
  readonly what: string;
  readonly baseline: string;
  readonly candidate: string;
  readonly rounds: number;
  /** Whether the memory of streams is promised. */
  readonly isLarge: boolean;
}

interface Lens {
  readonly name: string;
  /** At most so many times the floor. */
  readonly times: number;
  readonly streams: boolean;
  args(run: Run): string[];
}

const LENSES: readonly Lens[] = [
  {
    name: "check, 12 rules",
    times: 1.5,
    streams: false,
    args: ({ baseline }) => ["check", baseline, "--policy", `${dataFolder}policy.yaml`, "--quiet"],
  },
  { name: "fingerprint", times: 1.5, streams: false, args: ({ baseline }) => ["fingerprint", baseline, "--quiet"] },
  { name: "verify", times: 2.5, streams: true, args: ({ baseline }) => ["verify", baseline, "--quiet"] },
  {
    name: "diff",
    times: 2.5,
    streams: false,
    args: ({ baseline, candidate }) => ["diff", baseline, candidate, "--quiet"],
  },
];

export const floorBenchmark: Benchmark = {
  name: "floor",
  promise:
    "reading at most 1.3 times bare JSON.parse of the same lines, values kept; check with 12 rules and fingerprint 1.5, verify and diff 2.5; 100,000 turns within 300 MB where a stream suffices (verify); start-up subtracted",
  run() {
    mkdirSync(dataFolder, { recursive: true });
    writeFileSync(`${dataFolder}policy.yaml`, TWELVE_RULES);
    const tiny = smallTurns(1);
    const startUp = new Map(LENSES.map((lens) => [lens, commandFigures(lens.args(tiny), 9).seconds]));
    const runs = [smallTurns(1_000), smallTurns(10_000), smallTurns(100_000), longHistory(2_000)];
    return runs.flatMap((run) => rowsOf(run, tiny.baseline, startUp));
  },
};

function rowsOf(run: Run, tiny: string, startUp: ReadonlyMap<Lens, number>): BenchmarkRow[] {
  const one = scriptFigures(child, ["keep", tiny, run.baseline], run.rounds).seconds;
  const two = scriptFigures(child, ["keep", tiny, run.baseline, run.candidate], run.rounds).seconds;
  const reading = scriptFigures(child, ["read", tiny, run.baseline], run.rounds);
  const rows = [ratioRow(`read: ${run.what}`, reading, reading.seconds, 1.3, one)];
  for (const lens of LENSES) {
    const figures = commandFigures(lens.args(run), run.rounds);
    const seconds = figures.seconds - startUp.get(lens)!;
    rows.push(ratioRow(`${lens.name}: ${run.what}`, figures, seconds, lens.times, lens.name === "diff" ? two : one));
    if (run.isLarge && lens.streams) {
      rows.push({
        what: `${lens.name}: ${run.what}, memory`,
        measured: `${figures.megabytes.toFixed(0)} MB resident`,
        against: `${MEGABYTES} MB`,
        kept: figures.megabytes <= MEGABYTES,
      });
    }
  }
  return rows;
}

function ratioRow(what: string, figures: Figures, seconds: number, times: number, floor: number): BenchmarkRow {
  const ratio = seconds / floor;
  return {
    what,
    measured: `${ratio.toFixed(2)} times (${seconds.toFixed(2)} s, ${figures.megabytes.toFixed(0)} MB)`,
    against: `${times} times JSON.parse, ${floor.toFixed(3)} s with its values kept`,
    kept: ratio <= times,
  };
}

function smallTurns(turns: number): Run {
  const make = (changed: number) => () => syntheticAgentlog({ turns, seed: 1, changed });
  return {
    what: `${turns.toLocaleString("en")} small turns`,
    baseline: file(`small-${turns}-baseline`, make(0)),
    candidate: file(`small-${turns}-candidate`, make(0.05)),
    rounds: turns >= 100_000 ? 2 : 5,
    isLarge: turns >= 100_000,
  };
}

function longHistory(turns: number): Run {
  const make = (changed: number) => () => [...longHistoryLines({ turns, seed: 1, changed })].join("");
  return {
    what: `${turns.toLocaleString("en")} turns with their history`,
    baseline: file(`history-${turns}-baseline`, make(0)),
    candidate: file(`history-${turns}-candidate`, make(0.05)),
    rounds: 2,
    isLarge: false,
  };
}

/** Made once and kept in a folder git ignores. */
function file(name: string, content: () => string): string {
  const path = `${dataFolder}${name}.agentlog`;
  if (!existsSync(path)) writeFileSync(path, content());
  return path;
}
