/**
 * Two servers and four workers on one PostgreSQL, and one server on a file, while somebody kills them: what was acknowledged is there, once, and every
 * counter is exact. Counted, not timed. `SPOOR_KILLS=60` makes it a long one.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { createRandom } from "@spoor/core/internal/stats/random";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { createSealer } from "../src/hooks/seal.ts";
import { migrateStore, openStore } from "../src/store/open-store.ts";
import type { Arrival, Store } from "../src/store/store.ts";
import { fileEngine, postgresEngines } from "./stores.ts";

const PROGRAM = fileURLToPath(new URL("../../spoor/bin/spoor.js", import.meta.url));
const KILLS = Number(process.env["SPOOR_KILLS"] ?? 4);
/** Many kills take as long as they take: they are counted. */
const LONGEST_MS = 600_000 + KILLS * 35_000;
/** Recordings acknowledged between two kills. */
const BETWEEN = 20;
/** So many deaths make a suspect, which is then evaluated in a process of its own. */
const SUSPECT_FROM = 3;
const KEY = "the same key for every process here";

/** A program of ours that is started again whenever it is ended. */
interface Victim {
  child: ChildProcess;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  /** Where it answers, as soon as it does; a worker never. */
  url: string | undefined;
}

const running = new Set<ChildProcess>();
afterEach(async () => {
  await Promise.all([...running].map(kill));
});

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Victim {
  const victim: Victim = { child: spawned(args, env), args, env, url: undefined };
  listen(victim);
  return victim;
}

function again(victim: Victim): void {
  victim.url = undefined;
  victim.child = spawned(victim.args, victim.env);
  listen(victim);
}

function spawned(args: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    stdio: ["ignore", "pipe", "ignore"],
    env: { ...process.env, SPOOR_KEY: KEY, SPOOR_HOOK_HOSTS: "127.0.0.1", ...env },
  });
  running.add(child);
  return child;
}

function listen(victim: Victim): void {
  let said = "";
  victim.child.stdout!.on("data", (chunk: Buffer) => {
    said += chunk.toString("utf8");
    victim.url ??= /answers at (\S+)/.exec(said)?.[1];
  });
}

async function kill(child: ChildProcess): Promise<void> {
  running.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGKILL");
  await ended;
}

/** Every fifth behaves like another. */
function recording(number: number): string {
  const tools = number % 5 === 0 ? ["lookup"] : ["lookup", "refund"];
  const messages = [
    { role: "user", content: `request ${number}` },
    ...tools.flatMap((name, index) => [
      { role: "assistant", tool_calls: [{ id: `${index}`, type: "function", function: { name, arguments: "{}" } }] },
      { role: "tool", tool_call_id: `${index}`, content: "done" },
    ]),
    { role: "assistant", content: "done" },
  ];
  return JSON.stringify({ messages });
}

/** Sent until somebody acknowledges it; whoever was asked may die meanwhile. */
async function push(body: string, servers: readonly Victim[], first: number): Promise<void> {
  for (let tries = first; ; tries++) {
    const { url } = servers[tries % servers.length]!;
    const address = `${url}/api/v1/traces?agent=shop&release=v1&scenario=refund`;
    const response =
      url === undefined ? undefined : await fetch(address, { method: "POST", body }).catch(() => undefined);
    await response?.arrayBuffer().catch(() => undefined);
    if (response?.status === 200 || response?.status === 201) return;
    if (response !== undefined && ![429, 503].includes(response.status)) throw new Error(`answered ${response.status}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The ids of what was acknowledged. */
async function pushThrough(servers: readonly Victim[], victims: readonly Victim[]): Promise<ReadonlySet<string>> {
  const random = createRandom(7);
  const acknowledged = new Set<string>();
  for (let round = 0; round <= KILLS; round++) {
    const bodies = Array.from({ length: BETWEEN }, (_, index) => recording(round * BETWEEN + index));
    const sent = bodies.map(async (body, index) => {
      await push(body, servers, index);
      acknowledged.add(createHash("sha256").update(body).digest("hex"));
      // In the middle of the others.
      if (index !== BETWEEN >> 1 || round === KILLS) return;
      const victim = victims[random.below(victims.length)]!;
      await kill(victim.child);
      again(victim);
    });
    await Promise.all(sent);
    // Again, by somebody who did not hear the answer: nothing may come of it twice.
    await push(bodies[0]!, servers, round);
  }
  return acknowledged;
}

/** Started again whenever it ends, as whoever runs it would; how often that was. */
async function diesUntil(victim: Victim, isOver: () => Promise<boolean>): Promise<number> {
  let deaths = 0;
  while (!(await isOver())) {
    const { exitCode, signalCode } = victim.child;
    if (exitCode !== null || signalCode !== null) {
      deaths += 1;
      again(victim);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return deaths;
}

function arrivalOf(projectId: number, text: string): Arrival {
  const contentId = createHash("sha256").update(text).digest();
  return { projectId, contentId, source: {}, codec: "gzip", body: gzipSync(text), receivedAt: 1 };
}

/** What a killed process had at hand is evaluated one by one: after many kills that is much, on a machine that has other things to do. */
async function untilEvaluated(store: Store): Promise<void> {
  await expect.poll(async () => (await store.inbox.lag()).waiting, { timeout: 240_000 + KILLS * 5_000 }).toBe(0);
}

async function requireExact(store: Store, acknowledged: ReadonlySet<string>): Promise<void> {
  const { id } = await store.projects.ensure("default");
  const runs = await store.runs.page(id, {}, undefined, acknowledged.size + 100);
  const ids = runs.map(({ contentId }) => Buffer.from(contentId).toString("hex"));
  expect(await store.inbox.rejected(id, undefined, 10)).toEqual([]);
  expect(new Set(ids)).toEqual(acknowledged);
  expect(ids).toHaveLength(acknowledged.size);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  const behaviours = await store.agents.behaviours(id, "shop");
  expect(behaviours).toHaveLength(2);
  expect(sum(behaviours.map(({ seen }) => seen))).toBe(acknowledged.size);
  const rollups = await store.agents.rollups(id, "shop", 0, Number.MAX_SAFE_INTEGER);
  expect(sum(rollups.map((rollup) => rollup.runs))).toBe(acknowledged.size);
  const [agent] = await store.agents.list(id);
  expect(agent!.runs).toBe(acknowledged.size);
  const events = await store.events.after(id, 0, 10 * acknowledged.size);
  const told = events.filter(({ kind }) => kind === "run").map(({ body }) => (body as { runs: number }).runs);
  expect(sum(told)).toBe(acknowledged.size);
  if (process.env["SPOOR_KILLS"] !== undefined)
    console.info(
      `${KILLS} kills: ${acknowledged.size} acknowledged, ${ids.length} stored, 0 rejected, counters and events of ${sum(told)}`,
    );
}

/** Somebody who is told of a rule that most runs break; the keys under which it was. */
async function listening(address: string): Promise<readonly string[]> {
  const keys: string[] = [];
  const server = createServer((request, response) => {
    keys.push(String(request.headers["x-spoor-key"]));
    request.resume();
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const store = await openStore(address);
  const { id } = await store.projects.ensure("default");
  const rule = "rules:\n  - { id: no-refund, kind: no_call, params: { tool: refund } }\n";
  await store.configs.put(id, "policy", "main.yaml", rule, 1);
  await store.hooks.add(id, {
    name: "chat",
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    format: "plain",
    events: ["finding"],
    base: "http://127.0.0.1",
    secret: createSealer(KEY).seal("a secret of the two"),
    createdAt: 1,
  });
  await store.close();
  return keys;
}

/** At least once, under one key: a process that was killed with a letter in its hand holds it for a minute. */
async function requireTold(keys: readonly string[]): Promise<void> {
  await expect.poll(() => keys.length, { timeout: 240_000 }).toBeGreaterThan(0);
  expect(new Set(keys).size).toBe(1);
}

describe("processes that are killed lose nothing and do nothing twice", () => {
  it.skipIf(postgresEngines.length === 0)(
    "two servers and four workers on one PostgreSQL",
    async () => {
      const address = await postgresEngines[0]!.address();
      await migrateStore(address);
      const told = await listening(address);
      const servers = [1, 2].map(() => start(["serve", "--port", "0", "--store", address]));
      const workers = [1, 2, 3, 4].map(() => start(["worker", "--store", address]));
      const acknowledged = await pushThrough(servers, [...servers, ...workers]);
      const store = await openStore(address);
      try {
        await untilEvaluated(store);
        await requireExact(store, acknowledged);
        await requireTold(told);
      } finally {
        await store.close();
      }
    },
    LONGEST_MS,
  );

  it(
    "one server on a file",
    async () => {
      const address = await fileEngine.address();
      const told = await listening(address);
      const server = start(["serve", "--port", "0", "--store", address]);
      const acknowledged = await pushThrough([server], [server]);
      await expect
        .poll(async () => (await (await fetch(`${server.url}/readyz`)).json()) as unknown, {
          timeout: 240_000 + KILLS * 5_000,
        })
        .toMatchObject({ waiting: 0 });
      await requireTold(told);
      await kill(server.child);
      const store = await openStore(address);
      try {
        await requireExact(store, acknowledged);
      } finally {
        await store.close();
      }
    },
    LONGEST_MS,
  );

  it.skipIf(postgresEngines.length === 0)(
    "a recording at which every worker dies is put aside in the end, and nothing else is",
    async () => {
      const address = await postgresEngines[0]!.address();
      const store = await openStore(address, { migrate: true });
      try {
        const { id } = await store.projects.ensure("default");
        // Short as text, and many times that as values.
        const lists = `[${"[],".repeat(5_000_000)}[]]`;
        const deadly = recording(3).replace("{", `{"lists":${lists},`);
        await store.inbox.append([recording(1), deadly, recording(2)].map((text) => arrivalOf(id, text)));
        // Too little for the one in the middle.
        const worker = start(["worker", "--store", address], { NODE_OPTIONS: "--max-old-space-size=120" });
        const deaths = await diesUntil(worker, async () => (await store.inbox.lag()).waiting === 0);
        expect(deaths).toBe(SUSPECT_FROM);
        expect(await store.inbox.rejected(id, undefined, 9)).toMatchObject([
          { code: "evaluation.failed", message: expect.stringMatching(/^The process that evaluated it/) },
        ]);
        expect(await store.runs.count(id, {}, 9)).toBe(2);
      } finally {
        await store.close();
      }
    },
    LONGEST_MS,
  );
});
