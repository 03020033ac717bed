/** What a second worker brings: recordings evaluated in a second by one and by two processes on one PostgreSQL, which has the same cores here. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { openStore } from "@spoor/server/internal/store/open-store";
import type { BenchmarkRow } from "../benchmark.ts";
import { TWELVE_RULES } from "../twelve-rules.ts";
import type { BenchEngine } from "./bench-engine.ts";
import { agentlogOf, arrivalOf } from "./recordings.ts";

const RUNS = 2_000;
const ROUNDS = 2;
const LEAST = 1.7;

export async function workerRows(engines: readonly BenchEngine[]): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const engine of engines) {
    if (engine.kind !== "postgres") continue;
    const best = [0, 0];
    let cpuMs = Number.POSITIVE_INFINITY;
    for (let round = 0; round < ROUNDS; round++) {
      for (const workers of [1, 2]) {
        const { rate, seconds } = await rateOf(engine, workers);
        best[workers - 1] = Math.max(best[workers - 1]!, rate);
        cpuMs = Math.min(cpuMs, (seconds / RUNS) * 1000);
      }
    }
    const [one, two] = best as [number, number];
    rows.push({
      what: `recordings of 5 to 25 turns evaluated by two workers, ${engine.name} on the same cores`,
      measured: `${(two / one).toFixed(2)} times (${two.toFixed(0)} a second)`,
      against: `by one, ${one.toFixed(0)} a second, ${cpuMs.toFixed(2)} ms of CPU each`,
      kept: two >= LEAST * one,
    });
  }
  return rows;
}

async function rateOf(engine: BenchEngine, workers: number): Promise<{ rate: number; seconds: number }> {
  const address = await engine.empty("workers");
  const store = await openStore(address);
  const { id } = await store.projects.ensure("bench");
  await store.configs.put(id, "policy", "bench.yaml", TWELVE_RULES, Date.now());
  // So many that compiling the code is a small part of it.
  for (let at = 0; at < RUNS; at += 200)
    await store.inbox.append(Array.from({ length: 200 }, (_, index) => arrivalOf(id, agentlogOf(at + index), "v1")));
  const program = fileURLToPath(new URL("./worker-child.js", import.meta.url));
  const children = Array.from({ length: workers }, () => fork(program, [address]));
  try {
    await Promise.all(children.map((child) => once(child, "message")));
    const start = performance.now();
    const seconds = await Promise.all(children.map(worked));
    const rate = (RUNS / (performance.now() - start)) * 1000;
    if ((await store.runs.count(id, {}, RUNS + 1)) !== RUNS) throw new Error("Not every recording was evaluated.");
    return { rate, seconds: seconds.reduce((sum, one) => sum + one, 0) };
  } finally {
    for (const child of children) child.disconnect();
    await Promise.all(children.map((child) => once(child, "exit")));
    await store.close();
  }
}

async function worked(child: ChildProcess): Promise<number> {
  child.send("go");
  const [{ seconds }] = (await once(child, "message")) as [{ seconds: number }];
  return seconds;
}
