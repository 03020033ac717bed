/**
 * What it costs to take a recording: the CPU of a process that serves, over the least that anybody could do who takes it in earnest, which is to unpack it,
 * to parse it and to hash it. The clients are in another process, whose CPU is not counted; evaluation comes later and is not in it.
 */
import { type ChildProcess, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { Agent, request } from "node:http";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import type { BenchmarkRow } from "../benchmark.ts";
import { dataFolder } from "../child-figures.ts";
import { conversationOf } from "./recordings.ts";

const RECORDINGS = 2_000;
const CONNECTIONS = 32;
const ROUNDS = 3;
const MOST = 4;

export async function ingestRows(): Promise<BenchmarkRow[]> {
  mkdirSync(dataFolder, { recursive: true });
  const child = fork(fileURLToPath(new URL("./ingest-child.js", import.meta.url)), [`${dataFolder}ingest.db`]);
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  try {
    const [{ port }] = (await once(child, "message")) as [{ port: number }];
    // Code is compiled before anything is counted.
    await sendAll(bodiesOf("warm"), port, agent);
    let best = { ours: Number.POSITIVE_INFINITY, floor: 1 };
    for (let round = 0; round < ROUNDS; round++) {
      const bodies = bodiesOf(`round ${round}`);
      const floor = floorSeconds(bodies);
      await told(child, "begin");
      await sendAll(bodies, port, agent);
      const ours = await told(child, "end");
      if (ours / floor < best.ours / best.floor) best = { ours, floor };
    }
    const ratio = best.ours / best.floor;
    return [
      {
        what: `ingest of a recording of ${(conversationOf("x", 0).length / 1000).toFixed(0)} kB, gzip, ${CONNECTIONS} connections, acknowledged on disk`,
        measured: `${ratio.toFixed(1)} times`,
        against: `gunzip, JSON.parse and SHA-256 of the same bytes, ${((best.floor / RECORDINGS) * 1000).toFixed(2)} ms`,
        kept: ratio <= MOST,
      },
    ];
  } finally {
    agent.destroy();
    child.disconnect();
    await once(child, "exit");
  }
}

async function told(child: ChildProcess, word: "begin" | "end"): Promise<number> {
  child.send(word);
  const [{ seconds }] = (await once(child, "message")) as [{ seconds: number }];
  return seconds;
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

async function sendAll(bodies: readonly Buffer[], port: number, agent: Agent): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < bodies.length) await send(bodies[next++]!, port, agent);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
}

function send(body: Buffer, port: number, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { "content-encoding": "gzip", "content-length": body.length };
    const sending = request({ port, host: "127.0.0.1", method: "POST", path: "/api/v1/traces", agent, headers });
    sending.on("error", reject);
    sending.on("response", (response) => {
      response.resume();
      response.on("end", () =>
        response.statusCode === 201 ? resolve() : reject(new Error(`The service answered ${response.statusCode}.`)),
      );
    });
    sending.end(body);
  });
}

function bodiesOf(tag: string): Buffer[] {
  return Array.from({ length: RECORDINGS }, (_, index) => gzipSync(conversationOf(tag, index)));
}
