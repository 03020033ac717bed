/**
 * Diff: two synthetic runs, 5 % of the turns changed, read and compared, against bare JSON.parse of the same two files. Every figure
 * comes from a process of its own, so that no side inherits another's heap. Also draws how the cost grows.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { TraceRecord } from "@spoor/core";
import { writeAgentlog } from "spoor/internal/formats/agentlog";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { growthPlot } from "./growth-plot.ts";
import { syntheticAgentlog } from "./synthetic.ts";

const dataFolder = fileURLToPath(new URL("../.data/", import.meta.url));
const plotFile = fileURLToPath(new URL("../diff-growth.svg", import.meta.url));
const childScript = fileURLToPath(new URL("./diff-child.js", import.meta.url));

/** pairs → at most `times` the floor plus `plus` seconds, below `megabytes`. */
const SIZES = [
  { pairs: 100 },
  { pairs: 1_000, times: 6, plus: 0.3 },
  { pairs: 10_000, times: 8, plus: 0.3, megabytes: 400 },
  { pairs: 100_000, times: 10, plus: 0, megabytes: 1536 },
];

export const diffBenchmark: Benchmark = {
  name: "diff",
  promise:
    "1,000 pairs in 6 times the floor plus 0.3 s, 10,000 in 8 times plus 0.3 s and 400 MB, 100,000 in 10 times and 1.5 GB; 10,000 calls in one response within 0.25 s beyond reading; 10,000 small traces a side within 2 s; two unlike 10,000-turn runs within 20 s",
  run() {
    mkdirSync(dataFolder, { recursive: true });
    const points = SIZES.map((size) => ({ ...size, ...measureSize(size.pairs) }));
    writeFileSync(plotFile, growthPlot(points));
    return [...points.flatMap(sizeRows), manyCallsRow(), smallTracesRow(), unlikeRow()];
  },
};

interface Measured {
  readonly floor: number;
  readonly diff: number;
  readonly memory: number;
}

function measureSize(pairs: number): Measured {
  const baseline = file(`diff-${pairs}-baseline.agentlog`, () => syntheticAgentlog({ turns: pairs, seed: 7 }));
  const candidate = file(`diff-${pairs}-candidate.agentlog`, () =>
    syntheticAgentlog({ turns: pairs, seed: 7, changed: 0.05 }),
  );
  const rounds = pairs >= 100_000 ? 1 : 3;
  const floor = child("floor", baseline, candidate, rounds);
  const diff = child("diff", baseline, candidate, rounds);
  return { floor: floor.seconds, diff: diff.seconds, memory: diff.megabytes };
}

function sizeRows(point: (typeof SIZES)[number] & Measured): BenchmarkRow[] {
  const { pairs, times, plus = 0, megabytes, floor, diff, memory } = point;
  const against = `JSON.parse of the two files, ${floor.toFixed(3)} s CPU`;
  const rows: BenchmarkRow[] = [
    {
      what: `${pairs.toLocaleString("en")} pairs`,
      measured: `${diff.toFixed(2)} s CPU, ${(diff / floor).toFixed(1)} times`,
      against,
      ...(times === undefined ? {} : { kept: diff <= times * floor + plus }),
    },
  ];
  if (megabytes !== undefined) {
    rows.push({
      what: `${pairs.toLocaleString("en")} pairs, largest memory`,
      measured: `${memory.toFixed(0)} MB resident`,
      against: `${megabytes} MB`,
      kept: memory < megabytes,
    });
  }
  return rows;
}

/** One response with 10,000 calls on either side, a twentieth of them changed. */
function manyCallsRow(): BenchmarkRow {
  const baseline = file("calls-baseline.agentlog", () => writeAgentlog(manyCalls(0)));
  const candidate = file("calls-candidate.agentlog", () => writeAgentlog(manyCalls(20)));
  const reading = child("read", baseline, candidate, 3).seconds;
  const beyond = child("diff", baseline, candidate, 3).seconds - reading;
  return {
    what: "two responses with 10,000 calls each, beyond reading",
    measured: `${beyond.toFixed(2)} s CPU`,
    against: `0.25 s (reading alone takes ${reading.toFixed(2)} s)`,
    kept: beyond <= 0.25,
  };
}

function manyCalls(changedEvery: number): TraceRecord[] {
  const content = Array.from({ length: 10_000 }, (_, index) => ({
    type: "tool_use",
    id: `call_${index}`,
    name: `tool_${index % 7}`,
    input: { row: index, value: changedEvery > 0 && index % changedEvery === 0 ? "changed" : "same" },
  }));
  return [
    { version: "0.1", id: "sha256:0", kind: "chat_response", ts: "2026-01-01T00:00:00.000Z", payload: { content } },
  ];
}

/** 10,000 files a side, one turn each. */
function smallTracesRow(): BenchmarkRow {
  const folders = (["baseline", "candidate"] as const).map((side) => smallTraces(side));
  const { seconds } = child("diff", folders[0]!, folders[1]!, 1);
  return {
    what: "10,000 small traces a side (one turn each), from files",
    measured: `${seconds.toFixed(2)} s CPU`,
    against: "2 s",
    kept: seconds <= 2,
  };
}

function smallTraces(side: "baseline" | "candidate"): string {
  const folder = `${dataFolder}single-${side}`;
  if (existsSync(`${folder}/done`)) return `${folder}/traces`;
  mkdirSync(`${folder}/traces`, { recursive: true });
  for (let index = 0; index < 10_000; index++) {
    const name = `${folder}/traces/trace-${String(index).padStart(5, "0")}.agentlog`;
    writeFileSync(name, syntheticAgentlog({ turns: 1, seed: index + 1, changed: side === "candidate" ? 0.05 : 0 }));
  }
  writeFileSync(`${folder}/done`, "");
  return `${folder}/traces`;
}

function unlikeRow(): BenchmarkRow {
  const baseline = file("diff-10000-baseline.agentlog", () => syntheticAgentlog({ turns: 10_000, seed: 7 }));
  const candidate = file("diff-10000-unlike.agentlog", () => syntheticAgentlog({ turns: 10_000, seed: 991 }));
  const { seconds } = child("diff", baseline, candidate, 1);
  return {
    what: "two entirely different runs of 10,000 turns",
    measured: `${seconds.toFixed(1)} s CPU`,
    against: "20 s",
    kept: seconds <= 20,
  };
}

/** Made once and kept in a folder git ignores. */
function file(name: string, content: () => string): string {
  const path = `${dataFolder}${name}`;
  if (!existsSync(path)) writeFileSync(path, content());
  return path;
}

/** The smallest CPU time of `rounds` children, and the memory of that one. */
function child(
  mode: string,
  baseline: string,
  candidate: string,
  rounds: number,
): { seconds: number; megabytes: number } {
  let best = { seconds: Number.POSITIVE_INFINITY, megabytes: 0 };
  for (let round = 0; round < rounds; round++) {
    const run = spawnSync(process.execPath, [childScript, mode, baseline, candidate], { encoding: "utf8" });
    if (run.status !== 0) throw new Error(run.stderr);
    const measured = JSON.parse(run.stdout) as { seconds: number; megabytes: number };
    if (measured.seconds < best.seconds) best = measured;
  }
  return best;
}
