/** Fingerprints, similarity, baselines and families: ratios to bare parsing of the same text, CPU time, memory. */
import { spawnSync } from "node:child_process";
import { linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { addRun, createBaseline } from "@spoor/core/internal/fingerprint/baseline";
import { buildFamilies, type FamilyMember } from "@spoor/core/internal/fingerprint/families";
import { fingerprintSegments } from "@spoor/core/internal/fingerprint/fingerprint-trace";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { similarity } from "@spoor/core/internal/fingerprint/similarity";
import { createRandom } from "@spoor/core/internal/stats/random";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { type Benchmark, type BenchmarkRow, cpuSeconds } from "./benchmark.ts";
import { syntheticAgentlog } from "./synthetic.ts";

const dataFolder = fileURLToPath(new URL("../.data/fingerprint/", import.meta.url));
const TRACES = 10_000;
const DISTINCT = 200;

export const fingerprintBenchmark: Benchmark = {
  name: "fingerprint",
  promise:
    "fingerprints of 10,000 traces or of one with 100,000 steps at most 2.5 times bare parsing (aim 1.8); similarity of two 25,000-step runs within 0.5 s CPU; a baseline from 10,000 traces within 3 times parsing and 300 MB, one more run at a cost that does not grow; families of 10,000 behaviours within 10 s",
  async run() {
    rmSync(dataFolder, { recursive: true, force: true });
    const many = manyTraces();
    const long = longTrace();
    const rows = [
      ratioRow("fingerprints of 10,000 traces", "fingerprint", many, 2.5),
      ratioRow("fingerprint of one trace with 100,000 steps", "fingerprint", long, 2.5),
      ratioRow("a baseline from 10,000 traces", "baseline", many, 3),
      memoryRow(many),
      await similarityRow(),
      await growthRow(),
      await familiesRow(),
    ];
    rmSync(dataFolder, { recursive: true, force: true });
    return rows;
  },
};

/** Ten thousand runs of twenty turns (30 kB each); the names share two hundred contents, so that the disk stays small. */
function manyTraces(): string {
  const folder = `${dataFolder}many/`;
  mkdirSync(folder, { recursive: true });
  for (let index = 0; index < TRACES; index++) {
    const file = `${folder}${String(index).padStart(5, "0")}.agentlog`;
    if (index < DISTINCT) writeFileSync(file, syntheticAgentlog({ turns: 20, seed: index }));
    else linkSync(`${folder}${String(index % DISTINCT).padStart(5, "0")}.agentlog`, file);
  }
  return folder;
}

function longTrace(): string {
  const folder = `${dataFolder}long/`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(`${folder}long.agentlog`, syntheticAgentlog({ turns: 40_000, seed: 7 }));
  return folder;
}

function ratioRow(what: string, mode: "fingerprint" | "baseline", folder: string, limit: number): BenchmarkRow {
  const floor = childFigure("floor", folder, "cpu");
  const ours = childFigure(mode, folder, "cpu");
  const ratio = ours / floor;
  return {
    what,
    measured: `${ratio.toFixed(2)} times`,
    against: `reading and bare JSON.parse of the same lines, ${floor.toFixed(2)} s CPU`,
    kept: ratio <= limit,
  };
}

function memoryRow(folder: string): BenchmarkRow {
  const megabytes = childFigure("baseline", folder, "memory");
  return {
    what: "memory of that baseline's build",
    measured: `${Math.round(megabytes)} MB`,
    against: "300 MB",
    kept: megabytes <= 300,
  };
}

/** Each side in a process of its own; the best of three for time. */
function childFigure(mode: string, folder: string, figure: "cpu" | "memory"): number {
  const script = fileURLToPath(new URL("./fingerprint-child.js", import.meta.url));
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < (figure === "cpu" ? 2 : 1); round++) {
    const child = spawnSync(process.execPath, [script, mode, folder], { encoding: "utf8" });
    if (child.status !== 0) throw new Error(child.stderr);
    const result = JSON.parse(child.stdout) as { cpu: number; memory: number };
    best = Math.min(best, result[figure]);
  }
  return best;
}

async function similarityRow(): Promise<BenchmarkRow> {
  const random = createRandom(11);
  const sequence = () => Array.from({ length: 25_000 }, () => `TOOL_CALL:tool_${random.below(12)}`);
  const [left, right] = [sequence(), sequence()];
  const seconds = await cpuSeconds(() =>
    similarity({ segments: left, errorPatterns: [] }, { segments: right, errorPatterns: [] }),
  );
  return {
    what: "similarity of two unlike runs of 25,000 steps",
    measured: `${seconds.toFixed(2)} s CPU`,
    against: "0.5 s",
    kept: seconds <= 0.5,
  };
}

/** The same thousand runs added to a small and to a large baseline must take the same time. */
async function growthRow(): Promise<BenchmarkRow> {
  const perRun = async (already: number) => {
    const baseline = createBaseline({
      agent: "a",
      mode: "sequence",
      producer: { tool: "bench", version: "0", runner: "bench" },
      now: "",
    });
    for (let index = 0; index < already; index++) addRun(baseline, facts(index));
    const added = Array.from({ length: 1000 }, (_, index) => facts(already + index));
    return cpuSeconds(() => {
      for (const run of added) addRun(baseline, run);
    }, 1);
  };
  await perRun(1000);
  const [small, large] = [await perRun(100), await perRun(50_000)];
  const ratio = large / small;
  return {
    what: "adding 1,000 runs to a baseline of 50,000 runs",
    measured: `${ratio.toFixed(2)} times (${(large * 1000).toFixed(1)} microseconds a run)`,
    against: `the same for a baseline of 100 runs, ${(small * 1000).toFixed(1)} microseconds a run`,
    kept: ratio <= 3,
  };
}

function facts(index: number) {
  const tools = ["search", "read", "write", "send"].slice(0, 1 + (index % 4));
  const calls = tools.map((name, at) => ({
    kind: "tool_call",
    payload: { tool_name: name, tool_call_id: `${index}-${at}` },
  }));
  return { ...runFacts(buildTrace(calls)), run: `run-${index}` };
}

async function familiesRow(): Promise<BenchmarkRow> {
  const random = createRandom(5);
  const members: FamilyMember[] = [];
  const seen = new Set<string>();
  while (members.length < 10_000) {
    // Agents of forty tools that use between two and ten of them, in runs of up to forty calls.
    const from = random.below(35);
    const width = 2 + random.below(9);
    const segments = Array.from(
      { length: 5 + random.below(36) },
      () => `TOOL_CALL:tool_${(from + random.below(width)) % 40}`,
    );
    const { hash } = fingerprintSegments(segments, "sequence");
    if (seen.has(hash)) continue;
    seen.add(hash);
    members.push({ hash, segments, errorPatterns: [], runs: 1 });
  }
  let count = 0;
  const seconds = await cpuSeconds(() => {
    count = buildFamilies(members).length;
  }, 1);
  return {
    what: `families of 10,000 distinct behaviours (${count} found)`,
    measured: `${seconds.toFixed(2)} s CPU`,
    against: "10 s",
    kept: seconds <= 10,
  };
}
