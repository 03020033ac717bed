/** Reading: a 200 MB agent log into the model against bare JSON.parse of its lines; memory of `verify`. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Benchmark, BenchmarkRow } from "./benchmark.ts";
import { syntheticAgentlog } from "./synthetic.ts";

const dataFolder = fileURLToPath(new URL("../.data/", import.meta.url));
const spoorBin = fileURLToPath(new URL("../../packages/spoor/bin/spoor.js", import.meta.url));
const LARGE_BYTES = 200_000_000;

export const readBenchmark: Benchmark = {
  name: "read",
  promise: "reading into the model at most 2 times bare JSON.parse of the same lines (aim 1.5); verify below 250 MB",
  run() {
    const file = largeFile();
    return [...readingRows(file), memoryRow(file)];
  },
};

/** Made once and kept in a folder git ignores. */
function largeFile(): string {
  const file = `${dataFolder}large.agentlog`;
  if (existsSync(file) && statSync(file).size >= LARGE_BYTES) return file;
  mkdirSync(dataFolder, { recursive: true });
  const block = syntheticAgentlog({ turns: 20_000, seed: 1 });
  const copies = Math.ceil(LARGE_BYTES / Buffer.byteLength(block));
  writeFileSync(file, block.repeat(copies));
  return file;
}

/** Both sides in child processes of their own, so that neither inherits the other's heap. */
function readingRows(file: string): BenchmarkRow[] {
  const floor = childSeconds("floor", file);
  const ours = childSeconds("model", file);
  const ratio = ours / floor;
  return [
    {
      what: `reading ${Math.round(statSync(file).size / 1e6)} MB of agent log into the model`,
      measured: `${ratio.toFixed(2)} times`,
      against: `bare JSON.parse of its lines, ${floor.toFixed(2)} s CPU`,
      kept: ratio <= 2,
    },
  ];
}

function childSeconds(mode: "floor" | "model", file: string): number {
  const script = fileURLToPath(new URL("./read-child.js", import.meta.url));
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 3; round++) {
    const child = spawnSync(process.execPath, ["--max-old-space-size=8192", script, mode, file], { encoding: "utf8" });
    if (child.status !== 0) throw new Error(child.stderr);
    best = Math.min(best, Number(child.stdout));
  }
  return best;
}

function memoryRow(file: string): BenchmarkRow {
  const preload = `${dataFolder}rss.cjs`;
  writeFileSync(
    preload,
    `process.on("exit", () => require("fs").writeSync(2, "RSS " + process.resourceUsage().maxRSS));\n`,
  );
  const child = spawnSync(process.execPath, ["--require", preload, spoorBin, "verify", file], { encoding: "utf8" });
  const megabytes = Number(/RSS (\d+)/.exec(child.stderr)?.[1] ?? Number.NaN) / 1024;
  return {
    what: "largest memory of spoor verify on the same file",
    measured: `${megabytes.toFixed(0)} MB resident`,
    against: "250 MB",
    kept: megabytes < 250,
  };
}
