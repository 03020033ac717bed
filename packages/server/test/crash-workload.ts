/**
 * A little life of a store, and what must be true of it after it was cut off at any point and a client and a worker went on: what was acknowledged is
 * there, everything is there once, and every sum is that of the runs.
 */
import { expect } from "vitest";
import type { Store } from "../src/store/store.ts";
import { arrival, drain, idOf, oneRunEach, START } from "./build-arrivals.ts";

export interface Witness {
  /** Texts whose arrival was acknowledged. */
  readonly acknowledged: string[];
  /** Whether deleting "gone" was. */
  removed: boolean;
}

const TEXTS = ["a", "b", "gone", "c"];

const evaluate = oneRunEach((text) => ({
  release: "v1",
  fingerprint: text === "c" ? "f2" : "f1",
  stages: [{ stage: "policy", configHash: "c1", result: { text } }],
  findings: [{ configHash: "c1", ruleId: "r", kind: "k", severity: "error", code: "x", subject: text, evidence: null }],
}));

export async function live(store: Store, projectId: number, witness: Witness): Promise<void> {
  await ensureHook(store, projectId);
  const send = async (...texts: string[]) => {
    await store.inbox.append(texts.map((text) => arrival(projectId, text)));
    witness.acknowledged.push(...texts);
  };
  await send("a", "b", "gone");
  await store.inbox.claim(10, evaluate);
  await send("c", "a");
  const [gone] = await store.runs.named(projectId, Buffer.from(idOf("gone")).toString("hex").slice(0, 32));
  if (gone !== undefined) witness.removed = await store.runs.remove(projectId, gone.id, START);
  await store.inbox.claim(10, evaluate);
}

async function ensureHook(store: Store, projectId: number): Promise<void> {
  if ((await store.hooks.list(projectId)).length > 0) return;
  const hook = { name: "chat", url: "https://chat.example", format: "plain", events: ["finding"], base: "" } as const;
  await store.hooks.add(projectId, { ...hook, secret: Buffer.from("sealed"), createdAt: START });
}

/** Goes on where it was cut off: the client sends again what was not acknowledged, a worker takes what waits. */
export async function expectWhole(store: Store, projectId: number, witness: Witness): Promise<void> {
  const known = await store.inbox.append(witness.acknowledged.map((text) => arrival(projectId, text)));
  expect(known, "what was acknowledged is known").toEqual(witness.acknowledged.map(() => false));
  await ensureHook(store, projectId);
  await store.inbox.append(TEXTS.map((text) => arrival(projectId, text)));
  await drain(store, evaluate);
  const runs = await store.runs.page(projectId, {}, undefined, 99);
  const names = runs.map(({ name }) => name).sort();
  if (witness.removed) expect(names).toEqual(["a", "b", "c"]);
  else expect(["a,b,c", "a,b,c,gone"]).toContain(names.join());
  for (const { id } of runs) {
    expect(await store.runs.body(projectId, id)).toBeDefined();
    expect(await store.runs.tools(projectId, id)).toHaveLength(1);
    expect(await store.runs.stages(projectId, id)).toHaveLength(1);
    expect(await store.runs.findings(projectId, id)).toHaveLength(1);
  }
  const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);
  const rollups = await store.agents.rollups(projectId, "support", START, START + 1);
  expect(sum(rollups.map((rollup) => rollup.runs))).toBe(runs.length);
  expect(sum(rollups.map(({ violations }) => violations))).toBe(runs.length);
  const behaviours = await store.agents.behaviours(projectId, "support");
  expect(sum(behaviours.map(({ seen }) => seen))).toBe(runs.length);
  const events = await store.events.after(projectId, 0, 99);
  const evaluated = events
    .filter(({ kind }) => kind === "run")
    .map(({ body }) => (body as { readonly runs: number }).runs);
  expect(sum(evaluated), "every run came once, the deleted one too").toBe(4);
  expect(await store.inbox.rejected(projectId, undefined, 9)).toEqual([]);
  expect(await store.inbox.lag()).toEqual({ waiting: 0 });
  const [hook] = await store.hooks.list(projectId);
  const letters = await store.hooks.deliveries(projectId, hook!.id, 99);
  expect(
    letters.map(({ event, state }) => `${event} ${state}`),
    "told once",
  ).toEqual(["finding waiting"]);
}
