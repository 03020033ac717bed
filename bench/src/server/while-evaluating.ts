/** How long senders and readers wait while what came before is evaluated beside them: the slowest of a hundred, against the same without evaluation. */
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { BenchmarkRow } from "../benchmark.ts";
import type { BenchEngine } from "./bench-engine.ts";
import { conversationOf } from "./recordings.ts";
import { CONNECTIONS, type Serving, startServing } from "./serving.ts";

const RECORDINGS = 1_000;
const ROUNDS = 2;
const MOST = 2.5;
const READ_EVERY_MS = 10;

export async function whileEvaluatingRows(engines: readonly BenchEngine[]): Promise<BenchmarkRow[]> {
  const rows: BenchmarkRow[] = [];
  for (const engine of engines) {
    let best: { readonly idle: Waits; readonly busy: Waits } | undefined;
    for (let round = 0; round < ROUNDS; round++) {
      const waits = await roundOf(engine, round);
      if (best === undefined || ratioOf(waits) < ratioOf(best)) best = waits;
    }
    const { idle, busy } = best!;
    for (const [what, of] of [
      [`a recording is acknowledged, ${CONNECTIONS} connections`, (waits: Waits) => waits.sent],
      ["the newest page is read", (waits: Waits) => waits.read],
    ] as const) {
      rows.push({
        what: `${what}, ${engine.name}, p99 while others are evaluated`,
        measured: `${(of(busy) / of(idle)).toFixed(2)} times (${of(busy).toFixed(0)} ms)`,
        against: `the same without evaluation, ${of(idle).toFixed(0)} ms`,
        kept: of(busy) <= MOST * of(idle),
      });
    }
  }
  return rows;
}

interface Waits {
  readonly sent: number;
  readonly read: number;
}

function ratioOf({ idle, busy }: { readonly idle: Waits; readonly busy: Waits }): number {
  return busy.sent / idle.sent + busy.read / idle.read;
}

async function roundOf(engine: BenchEngine, round: number): Promise<{ readonly idle: Waits; readonly busy: Waits }> {
  const serving = await startServing(await engine.empty("while"));
  try {
    await waitsOf(serving, `warm ${round}`);
    const idle = await waitsOf(serving, `idle ${round}`);
    // All that was sent so far waits, and there is enough of it for the whole time.
    await serving.tell("evaluate");
    const busy = await waitsOf(serving, `busy ${round}`);
    return { idle, busy };
  } finally {
    await serving.close();
  }
}

async function waitsOf(serving: Serving, tag: string): Promise<Waits> {
  const bodies = Array.from({ length: RECORDINGS }, (_, index) => gzipSync(conversationOf(tag, index)));
  let isOver = false;
  const reads: number[] = [];
  const reading = (async () => {
    while (!isOver) {
      reads.push(await serving.read("/api/v1/runs"));
      await setTimeout(READ_EVERY_MS);
    }
  })();
  const sent = await serving.send(bodies);
  isOver = true;
  await reading;
  return { sent: p99(sent), read: p99(reads) };
}

function p99(waits: readonly number[]): number {
  const sorted = [...waits].sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
