/** What the watched `fetch` adds to a call: against the same call without it, alternating. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createRecorder } from "@spoor/record/recorder";
import type { BenchmarkRow } from "../benchmark.ts";

const folder = fileURLToPath(new URL("../../.data/record-fetch/", import.meta.url));
const model = fileURLToPath(new URL("./model-child.js", import.meta.url));
const ROUNDS = 9;
const CALLS = 100;
const WARM_UP = 100;

const cases = [
  { messages: 2, stream: false, most: 1.25 },
  { messages: 2, stream: true, most: 1.25 },
  { messages: 100, stream: false, most: 1.4 },
  { messages: 100, stream: true, most: 1.4 },
];
const MOST_P99 = 1.5;

export async function fetchRows(): Promise<BenchmarkRow[]> {
  const { child, url } = await startModel();
  rmSync(folder, { recursive: true, force: true });
  const recorder = createRecorder({ dir: `${folder}fetch` });
  const watched = recorder.wrapFetch();
  const rows: BenchmarkRow[] = [];
  try {
    for (const { messages, stream, most } of cases) {
      const what = `${messages} messages, ${stream ? "streamed" : "whole"}`;
      const session = { id: what };
      const { p50, p99, plainMs } = await recorder.session(session, () => compare(url, watched, messages, stream));
      const against = `plain fetch, ${plainMs.toFixed(2)} ms; median of ${ROUNDS} alternating rounds`;
      rows.push({ what: `a recorded call, ${what}, p50`, measured: times(p50), against, kept: p50 <= most });
      rows.push({ what: `a recorded call, ${what}, p99`, measured: times(p99), against, kept: p99 <= MOST_P99 });
    }
  } finally {
    child.kill();
    recorder.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return rows;
}

async function startModel(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [model], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = (await once(child.stdout!, "data")) as [Buffer];
  return { child, url: `http://127.0.0.1:${String(line).trim()}/v1/chat/completions` };
}

type Fetch = typeof globalThis.fetch;

async function compare(url: string, watched: Fetch, messages: number, stream: boolean) {
  let turn = 0;
  const ask = (fetch: Fetch) => timeOf(fetch, url, bodyOf(messages, stream, turn++));
  for (let call = 0; call < WARM_UP; call++) await ask(call % 2 === 0 ? watched : globalThis.fetch);
  const rounds: { p50: number; p99: number; plainMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const plain: number[] = [];
    const recorded: number[] = [];
    for (let call = 0; call < CALLS; call++) {
      plain.push(await ask(globalThis.fetch));
      recorded.push(await ask(watched));
    }
    rounds.push({
      p50: percentile(recorded, 0.5) / percentile(plain, 0.5),
      p99: percentile(recorded, 0.99) / percentile(plain, 0.99),
      plainMs: percentile(plain, 0.5),
    });
  }
  const middle = (of: (round: (typeof rounds)[number]) => number) => percentile(rounds.map(of), 0.5);
  return { p50: middle(({ p50 }) => p50), p99: middle(({ p99 }) => p99), plainMs: middle(({ plainMs }) => plainMs) };
}

/** About 400 characters a message; as in an agent's turns, most of a request is what the one before it said. */
function bodyOf(messages: number, stream: boolean, turn: number): string {
  const text = "The customer writes that the lamp arrived broken and asks for the money back. ".repeat(5);
  const list = Array.from({ length: messages }, (_, index) => ({
    role: index % 2 === 0 ? "user" : "assistant",
    content: index === messages - 1 ? `${text}${turn}` : `${index}: ${text}`,
  }));
  return JSON.stringify({ model: "m", stream, messages: list });
}

async function timeOf(fetch: Fetch, url: string, body: string): Promise<number> {
  const before = performance.now();
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
  await response.text();
  return performance.now() - before;
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
}

function times(ratio: number): string {
  return `${ratio.toFixed(2)} times`;
}
