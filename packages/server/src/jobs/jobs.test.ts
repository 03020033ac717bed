import { createHash } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { evaluateWaiting } from "../stages/evaluator.ts";
import { openStore } from "../store/open-store.ts";
import type { Store } from "../store/store.ts";
import type { Job } from "./job.ts";
import { runJob } from "./start-jobs.ts";
import { verdictJob } from "./verdict-job.ts";

const START = Date.UTC(2026, 10, 16);
let store: Store;
let projectId: number;

beforeEach(async () => {
  store = await openStore(":memory:", { now: () => START });
  projectId = (await store.projects.ensure("shop")).id;
});
afterEach(() => store.close());

const at = (ms: number) => new Date(START + ms);

describe("runJob", () => {
  const counted = (everyMs: number): Job & { turns: number } => ({
    name: "counted",
    everyMs,
    turns: 0,
    async run() {
      this.turns++;
    },
  });

  it("gives each turn to one of those who ask", async () => {
    const job = counted(1000);
    const asked = await Promise.all([1, 2, 3, 4].map(() => runJob(store, job, at(0))));
    expect(asked.filter(Boolean)).toHaveLength(1);
    expect(job.turns).toBe(1);
  });

  it("comes again when its time has come, although the last one died with its turn", async () => {
    const job = counted(1000);
    expect(await runJob(store, job, at(0))).toBe(true);
    expect(await runJob(store, job, at(500))).toBe(false);
    expect(await runJob(store, job, at(1000))).toBe(true);
    expect(job.turns).toBe(2);
  });
});

describe("verdictJob", () => {
  async function arrive(release: string, tools: readonly string[], receivedAt: number): Promise<void> {
    const messages = [
      { role: "user", content: "a refund, please" },
      ...tools.flatMap((name, index) => [
        {
          role: "assistant",
          tool_calls: [{ id: `${index}`, type: "function", function: { name, arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: `${index}`, content: "done" },
      ]),
      { role: "assistant", content: `that was ${release} at ${receivedAt}` },
    ];
    const body = Buffer.from(JSON.stringify({ messages }));
    const contentId = createHash("sha256").update(body).digest();
    const source = { agent: "shop", release, scenario: "refund" };
    await store.inbox.append([{ projectId, contentId, source, codec: "plain", body, receivedAt }]);
    await evaluateWaiting(store);
  }

  async function verdicts(): Promise<unknown[]> {
    const events = await store.events.after(projectId, 0, 100);
    return events.filter(({ kind }) => kind === "verdict").map(({ body }) => body);
  }

  it("judges the newest release against the one before, once for the same runs, again when more came", async () => {
    await arrive("v1", ["lookup", "refund"], START);
    await arrive("v2", ["refund"], START + 1000);
    const job = verdictJob();
    await job.run(store, at(5000));
    expect(await verdicts(), "its runs still come").toEqual([]);
    await job.run(store, at(20_000));
    await job.run(store, at(30_000));
    expect(await verdicts()).toMatchObject([{ agent: "shop", release: "v2", against: "v1", status: "blocked" }]);
    await arrive("v2", ["lookup", "refund"], START + 40_000);
    await job.run(store, at(60_000));
    expect(await verdicts()).toHaveLength(2);
  });

  it("says nothing of the only release there is", async () => {
    await arrive("v1", ["refund"], START);
    await verdictJob().run(store, at(60_000));
    expect(await verdicts()).toEqual([]);
  });
});
