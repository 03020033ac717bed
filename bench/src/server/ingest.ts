/**
 * What it costs to take a recording: the CPU of a process that serves, over the least that anybody could do who takes it in earnest, which is to unpack it,
 * to parse it and to hash it. The clients are in another process, whose CPU is not counted; evaluation comes later and is not in it.
 */
import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import type { BenchmarkRow } from "../benchmark.ts";
import type { BenchEngine } from "./bench-engine.ts";
import { conversationOf } from "./recordings.ts";
import type { ServerFigures } from "./server-figures.ts";
import { CONNECTIONS, startServing } from "./serving.ts";

const RECORDINGS = 2_000;
const ROUNDS = 5;
const MOST = 4;
const LEAST_RATE = 0.7;

export async function ingestRows(engines: readonly BenchEngine[], figures: ServerFigures): Promise<BenchmarkRow[]> {
  const measured = [];
  for (const engine of engines) {
    const cost = await costOf(engine);
    figures.ingestMs[engine.kind] = (cost.ours / RECORDINGS) * 1000;
    measured.push({ engine, ...cost });
  }
  const rows: BenchmarkRow[] = measured.map(({ engine, ours, floor }) => ({
    what: `ingest of a recording of ${(conversationOf("x", 0).length / 1000).toFixed(0)} kB, gzip, ${CONNECTIONS} connections, acknowledged by the ${engine.name}`,
    measured: `${(ours / floor).toFixed(1)} times (${((ours / RECORDINGS) * 1000).toFixed(2)} ms)`,
    against: `gunzip, JSON.parse and SHA-256 of the same bytes, ${((floor / RECORDINGS) * 1000).toFixed(2)} ms`,
    kept: ours <= MOST * floor,
  }));
  const [file, database] = measured;
  if (file !== undefined && database !== undefined)
    rows.push({
      what: "recordings acknowledged in a second, PostgreSQL",
      measured: `${(database.rate / file.rate).toFixed(2)} of the file's`,
      against: `${file.rate.toFixed(0)} a second`,
      kept: database.rate >= LEAST_RATE * file.rate,
    });
  return rows;
}

async function costOf(engine: BenchEngine): Promise<{ ours: number; floor: number; rate: number }> {
  const serving = await startServing(await engine.empty("ingest"));
  try {
    // Code is compiled before anything is counted.
    await serving.send(bodiesOf("warm"));
    let best = { ours: Number.POSITIVE_INFINITY, floor: 1, rate: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const bodies = bodiesOf(`round ${round}`);
      const floor = floorSeconds(bodies);
      await serving.tell("begin");
      const start = performance.now();
      await serving.send(bodies);
      const rate = (RECORDINGS / (performance.now() - start)) * 1000;
      const ours = await serving.tell("end");
      const fastest = Math.max(rate, best.rate);
      best = ours / floor < best.ours / best.floor ? { ours, floor, rate: fastest } : { ...best, rate: fastest };
    }
    return best;
  } finally {
    await serving.close();
  }
}

function floorSeconds(bodies: readonly Buffer[]): number {
  const before = process.cpuUsage();
  for (const body of bodies) {
    const bytes = gunzipSync(body);
    JSON.parse(bytes.toString("utf8"));
    createHash("sha256").update(bytes).digest();
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

function bodiesOf(tag: string): Buffer[] {
  return Array.from({ length: RECORDINGS }, (_, index) => gzipSync(conversationOf(tag, index)));
}
