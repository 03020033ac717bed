/**
 * The recording proxy against the same calls without it, alternating in one run. Everything is recorded while it is measured; each
 * client is an agent with a session of its own.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BenchmarkRow } from "../benchmark.ts";

const spoorBin = fileURLToPath(new URL("../../../packages/spoor/bin/spoor.js", import.meta.url));
const modelChild = fileURLToPath(new URL("proxy-model-child.js", import.meta.url));
const BLOCKS = 9;

export async function proxyRows(): Promise<BenchmarkRow[]> {
  return [...(await withDoors(timeRows)), ...(await withDoors(memoryRows))];
}

interface Doors {
  readonly direct: string;
  readonly proxied: string;
  readonly proxy: ChildProcess;
}

async function withDoors(measure: (doors: Doors) => Promise<BenchmarkRow[]>): Promise<BenchmarkRow[]> {
  const folder = mkdtempSync(join(tmpdir(), "spoor-bench-"));
  const model = spawn(process.execPath, [modelChild], { stdio: ["ignore", "pipe", "inherit"] });
  const direct = `http://127.0.0.1:${(await firstText(model)).trim()}/v1/chat/completions`;
  const env = { ...process.env, OPENAI_BASE_URL: direct.replace("/chat/completions", "") };
  const serve = [spoorBin, "record", "--serve", "--to", join(folder, "out")];
  const proxy = spawn(process.execPath, serve, { env, stdio: ["ignore", "pipe", "ignore"] });
  const base = /^export OPENAI_BASE_URL=(\S+)$/m.exec(await firstText(proxy))![1]!;
  try {
    return await measure({ direct, proxied: `${base}/chat/completions`, proxy });
  } finally {
    proxy.kill("SIGTERM");
    await once(proxy, "exit");
    model.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function timeRows({ direct, proxied }: Doors): Promise<BenchmarkRow[]> {
  await block(direct, proxied, 50);
  const blocks = [];
  for (let round = 0; round < BLOCKS; round++) blocks.push(await block(direct, proxied, 60));
  const added = median(blocks.map((one) => one.proxied - one.direct));
  const plain = median(blocks.map((one) => one.direct));
  const gaps = await gapsP99(direct, proxied);
  const rates = [];
  for (const [what, user] of [
    ["whole answers", "wait 0"],
    ["streams of 20 events", "events 20 0"],
  ] as const) {
    const [alone, through] = [await rate(direct, user), await rate(proxied, user)];
    rates.push({ what, alone, share: through / alone });
  }
  return [
    {
      what: `proxy, a model of 1.5 ms, time of half of the calls (median of ${BLOCKS} blocks)`,
      measured: `+${added.toFixed(2)} ms`,
      against: `${plain.toFixed(2)} ms without it; at most 1.3 ms more`,
      kept: added <= 1.3,
    },
    {
      what: "proxy, gap between events that are 20 ms apart, 99 of 100",
      measured: `${(gaps.proxied / gaps.direct).toFixed(3)} times`,
      against: `${gaps.direct.toFixed(1)} ms without it; at most 1.05 times`,
      kept: gaps.proxied / gaps.direct <= 1.05,
    },
    ...rates.map(({ what, alone, share }) => ({
      what: `proxy, 32 clients, ${what}`,
      measured: `${share.toFixed(2)} of the calls per second`,
      against: `${alone.toFixed(0)} per second without it; at least 0.40`,
      kept: share >= 0.4,
    })),
  ];
}

const CALLS = 50;
const BODY_MB = 2;

/** Every request is under way at once: the model answers late. */
async function memoryRows({ proxied, proxy }: Doors): Promise<BenchmarkRow[]> {
  const idle = peakMegabytes(proxy);
  if (idle === undefined) return [];
  const text = "word ".repeat((BODY_MB * 1024 * 1024) / 5);
  const bodies = Array.from({ length: CALLS }, (_, index) => bodyOf("wait 3000", `${index} ${text}`));
  await Promise.all(bodies.map((body, index) => call(proxied, body, `client-${index}`)));
  const peak = peakMegabytes(proxy)!;
  const bar = 3 * CALLS * BODY_MB + 64;
  return [
    {
      what: `proxy, largest memory with ${CALLS} requests of ${BODY_MB} MB under way`,
      measured: `${peak.toFixed(0)} MB`,
      against: `${idle.toFixed(0)} MB idle; at most 3 times what is under way and 64 MB, ${bar} MB`,
      kept: peak <= bar,
    },
  ];
}

/** Undefined where the system does not say. */
function peakMegabytes({ pid }: ChildProcess): number | undefined {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
  } catch {
    return undefined;
  }
}

/** The median time of a call each way, one after the other in turns. */
async function block(direct: string, proxied: string, calls: number): Promise<{ direct: number; proxied: number }> {
  const times = { direct: [] as number[], proxied: [] as number[] };
  const body = bodyOf("wait 1.5", "What is the weather?");
  for (let index = 0; index < calls; index++) {
    times.direct.push((await call(direct, body)).ms);
    times.proxied.push((await call(proxied, body)).ms);
  }
  return { direct: median(times.direct), proxied: median(times.proxied) };
}

/** Both ways at the same time: what else the machine does falls on both. */
async function gapsP99(direct: string, proxied: string): Promise<{ direct: number; proxied: number }> {
  const body = bodyOf("events 100 20", "Tell me more.");
  const streams = await Promise.all([1, 2, 3].flatMap(() => [call(direct, body), call(proxied, body)]));
  const p99 = (of: readonly { at: number[] }[]) => {
    const gaps = of.flatMap(({ at }) => at.slice(1).map((time, index) => time - at[index]!));
    return gaps.sort((a, b) => a - b)[Math.floor(gaps.length * 0.99)]!;
  };
  return {
    direct: p99(streams.filter((_, index) => index % 2 === 0)),
    proxied: p99(streams.filter((_, index) => index % 2 === 1)),
  };
}

const CALLS_OF_RUN = 20;

async function rate(url: string, user: string): Promise<number> {
  const until = performance.now() + 2_000;
  const body = bodyOf(user, "What is the weather?");
  let calls = 0;
  const client = async (_: unknown, index: number) => {
    for (let turn = 0; performance.now() < until; turn++) {
      await call(url, body, `client-${index}-${Math.floor(turn / CALLS_OF_RUN)}`);
      calls++;
    }
  };
  await Promise.all(Array.from({ length: 32 }, client));
  return calls / 2;
}

const agent = new Agent({ keepAlive: true, maxSockets: 64 });

function call(url: string, body: string, session = "one"): Promise<{ ms: number; at: number[] }> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const asked = request(url, {
      method: "POST",
      agent,
      headers: { "content-length": Buffer.byteLength(body), "x-spoor-session": session },
    });
    asked.on("error", reject);
    asked.on("response", (answer) => {
      const at: number[] = [];
      answer.on("data", () => at.push(performance.now()));
      answer.on("end", () => resolve({ ms: performance.now() - started, at }));
    });
    asked.end(body);
  });
}

function bodyOf(user: string, content: string): string {
  return JSON.stringify({ user, model: "m", stream: user.startsWith("events"), messages: [{ role: "user", content }] });
}

async function firstText(child: ChildProcess): Promise<string> {
  const [text] = (await once(child.stdout!, "data")) as [Buffer];
  return text.toString("utf8");
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
