import { SpoorError } from "@spoor/core/internal/errors";
import { describe, expect, it } from "vitest";
import { arrival, drain, HOUR, idOf, oneRunEach, run, START } from "./build-arrivals.ts";
import { openTestStore, testEngines } from "./stores.ts";

describe.each(testEngines)("the inbox of a store in $name", (engine) => {
  it("knows what it has: waiting, evaluated, refused or deleted", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    expect(await store.inbox.append([arrival(id, "a"), arrival(id, "b"), arrival(id, "a")])).toEqual([
      true,
      true,
      false,
    ]);
    expect(await store.inbox.append([arrival(id, "a")])).toEqual([false]);
    expect(await store.inbox.find(id, idOf("a"))).toBe("waiting");
    await store.inbox.claim(10, async (arrivals) =>
      arrivals.map(({ body }) =>
        Buffer.from(body).toString() === "a"
          ? { kind: "runs", runs: [run("a")] }
          : { kind: "rejected", code: "input.unknown", message: "No format claims it.", at: { line: 3 } },
      ),
    );
    expect(await store.inbox.find(id, idOf("a"))).toBeUndefined();
    expect(await store.inbox.find(id, idOf("b"))).toMatchObject({ code: "input.unknown", at: { line: 3 } });
    const [stored] = await store.runs.page(id, {}, undefined, 10);
    expect(stored).toMatchObject({ agent: "support", name: "a", behaviourId: 1, findings: 0 });
    expect(await store.runs.remove(id, stored?.id ?? 0, START)).toBe(true);
    expect(await store.inbox.append([arrival(id, "a"), arrival(id, "b")])).toEqual([false, false]);
    expect(await store.inbox.lag()).toEqual({ waiting: 0 });
  });

  it("lets concurrent callers share a transaction and answers each of them", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => store.inbox.append([arrival(id, `t${index % 150}`)])),
    );
    expect(answers.flat().filter(Boolean)).toHaveLength(150);
    expect(await store.inbox.lag(id)).toEqual({ waiting: 150, oldestReceivedAt: START });
  });

  it("gives each arrival to one of two claimers", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    await store.inbox.append(Array.from({ length: 60 }, (_, index) => arrival(id, `t${index}`)));
    const seen: string[] = [];
    const evaluate = oneRunEach((text) => {
      seen.push(text);
      return {};
    });
    await Promise.all([drain(store, evaluate, 7), drain(store, evaluate, 11)]);
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
    expect((await store.agents.list(id))[0]).toMatchObject({ runs: 60 });
  });

  it("evaluates a failed batch one by one and rejects what fails three times", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    await store.inbox.append(["a", "poison", "b"].map((text) => arrival(id, text)));
    const batches: string[][] = [];
    await drain(store, async (arrivals) => {
      const texts = arrivals.map(({ body }) => Buffer.from(body).toString());
      batches.push(texts);
      if (texts.includes("poison")) throw new Error("It cannot be read.");
      return oneRunEach()(arrivals);
    });
    expect(batches).toEqual([["a", "poison", "b"], ["a"], ["poison"], ["poison"], ["b"]]);
    expect(await store.inbox.find(id, idOf("poison"))).toMatchObject({
      code: "evaluation.failed",
      message: "It cannot be read.",
    });
    expect(await store.runs.count(id, {}, 10)).toBe(2);
  });

  it("keeps nobody from what it does not take itself", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    await store.inbox.append(["a", "b", "c"].map((text) => arrival(id, text)));
    await store.inbox.claim(10, async () => {
      throw new Error("All three were begun.");
    });
    await store.inbox.append([arrival(id, "d"), arrival(id, "e")]);
    const batches: string[][] = [];
    // Each batch is taken while those before it are still being evaluated.
    const nested: ReturnType<typeof oneRunEach> = async (arrivals) => {
      batches.push(arrivals.map(({ body }) => Buffer.from(body).toString()));
      if (batches.length < 4) await store.inbox.claim(10, nested);
      return oneRunEach()(arrivals);
    };
    await store.inbox.claim(10, nested);
    expect(batches).toEqual([["a"], ["b"], ["c"], ["d", "e"]]);
    expect(await store.runs.count(id, {}, 10)).toBe(5);
  });

  it("counts a store that is away against nobody", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    await store.inbox.append([arrival(id, "a")]);
    for (let time = 0; time < 5; time += 1) {
      const away = store.inbox.claim(10, async () => {
        throw new SpoorError("store.unavailable", "The store is away.");
      });
      await expect(away).rejects.toThrow("The store is away.");
    }
    expect(await drain(store)).toBe(1);
    expect(await store.runs.count(id, {}, 10)).toBe(1);
  });
});

describe.each(testEngines)("the runs of a store in $name", (engine) => {
  it("come newest first by key, and no project sees another's", async () => {
    const store = await openTestStore(engine);
    const one = await store.projects.ensure("one");
    const two = await store.projects.ensure("two");
    await store.inbox.append([
      ...Array.from({ length: 25 }, (_, index) => arrival(one.id, `t${index}`)),
      ...Array.from({ length: 5 }, (_, index) => arrival(two.id, `t${index}`)),
    ]);
    await drain(store);
    const names: string[] = [];
    for (let before: number | undefined; ; ) {
      const page = await store.runs.page(one.id, {}, before, 10);
      if (page.length === 0) break;
      names.push(...page.map(({ name }) => name));
      before = page.at(-1)?.id;
    }
    expect(names).toEqual(Array.from({ length: 25 }, (_, index) => `t${24 - index}`));
    const [foreign] = await store.runs.page(two.id, {}, undefined, 1);
    const id = foreign?.id ?? 0;
    expect(await store.runs.get(one.id, id)).toBeUndefined();
    expect(await store.runs.body(one.id, id)).toBeUndefined();
    expect(await store.runs.tools(one.id, id)).toEqual([]);
    expect(await store.runs.stages(one.id, id)).toEqual([]);
    expect(await store.runs.remove(one.id, id, START)).toBe(false);
    expect(await store.runs.count(two.id, {}, 10)).toBe(5);
  });

  it("keeps sums that are those of the runs, also when runs go", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    await store.inbox.append([
      arrival(id, "a"),
      arrival(id, "b", { receivedAt: START + HOUR }),
      arrival(id, "c", { receivedAt: START + HOUR }),
    ]);
    const finding = {
      configHash: "c",
      ruleId: "r",
      kind: "k",
      severity: "error",
      code: "x",
      subject: "s",
      evidence: null,
    };
    await drain(
      store,
      oneRunEach((text) => ({
        release: text === "a" ? "v1" : "v2",
        fingerprint: text === "c" ? "f2" : "f1",
        verdict: text === "a" ? "match" : "new",
        status: text === "b" ? "failed" : "passed",
        inputTokens: 10,
        outputTokens: 1,
        costMicro: 5,
        durationMs: 1.4,
        errors: 2,
        findings: text === "c" ? [finding, { ...finding }, { ...finding, turnIndex: 1 }] : [],
      })),
    );
    const hour = START / HOUR;
    const sums = { errors: 2, tokens: 11, costMicro: 5, durationMs: 1 };
    expect(await store.agents.rollups(id, "support", START, START + 2 * HOUR)).toEqual([
      { release: "v1", hour, runs: 1, known: 1, failed: 0, violations: 0, ...sums },
      {
        release: "v2",
        hour: hour + 1,
        runs: 2,
        known: 0,
        failed: 1,
        violations: 2,
        errors: 4,
        tokens: 22,
        costMicro: 10,
        durationMs: 2,
      },
    ]);
    const behaviours = await store.agents.behaviours(id, "support");
    const days = await store.agents.behaviourDays(id, "support", 0, 1_000);
    expect(days).toEqual(
      behaviours.map(({ id: path, seen }) => ({ id: path, day: Math.floor(START / (24 * HOUR)), runs: seen })),
    );
    expect((await store.agents.behaviourDays(id, "support", 0, 1)).map(({ runs }) => runs)).toEqual([1]);
    expect(await store.agents.behaviourDays(id, "support", START + 100 * HOUR, 1_000)).toEqual([]);
    expect(await store.agents.behaviourDays(id, "nobody", 0, 1_000)).toEqual([]);
    expect(behaviours.map(({ hash, seen, status }) => [hash, seen, status])).toEqual([
      ["f1", 2, "new"],
      ["f2", 1, "new"],
    ]);
    expect((await store.agents.releases(id, "support")).map(({ name, runs }) => [name, runs])).toEqual([
      ["v2", 2],
      ["v1", 1],
    ]);
    const [newest] = await store.runs.page(id, { rule: "r" }, undefined, 5);
    expect(newest).toMatchObject({ name: "c", findings: 2 });
    await store.runs.remove(id, newest?.id ?? 0, START);
    expect((await store.agents.behaviours(id, "support")).map(({ hash }) => hash)).toEqual(["f1"]);
    expect((await store.agents.list(id))[0]).toMatchObject({ runs: 2, lastReceivedAt: START + HOUR });
    expect((await store.events.after(id, 0, 10)).map(({ kind, body }) => [kind, body])).toEqual([
      ["run", { agent: "support", runs: 3, first: 1, last: 3 }],
      ["finding", { agent: "support", rule: "r", findings: 3, last: 3 }],
    ]);
  });
});

it.each(testEngines)("what a clock that went wrong put off for years is not waited for, in $name", async (engine) => {
  const { leases, guardSessions, hooks, projects } = await openTestStore(engine);
  const { id } = await projects.ensure("one");
  const ahead = START + 1_000 * 24 * HOUR;
  const hook = { name: "h", url: "http://h/", format: "plain", events: [], base: "", createdAt: START } as const;
  const { id: hookId } = await hooks.add(id, { ...hook, secret: new Uint8Array(1) });
  // For as long as the clock is wrong, everybody is as wrong.
  expect(await leases.take("job", ahead + HOUR, ahead)).toBe(true);
  expect(await leases.take("job", ahead + HOUR, ahead)).toBe(false);
  expect(await guardSessions.take(id, "s", "a", ahead, 10)).toEqual({});
  expect(await guardSessions.take(id, "s", "b", ahead, 10)).toBe("held");
  await hooks.send(id, hookId, { key: "k", event: "test", body: {} }, ahead);
  expect(await hooks.claim(9, ahead, ahead + 60_000)).toHaveLength(1);
  expect(await hooks.claim(9, ahead, ahead + 60_000)).toHaveLength(0);
  // And then it is put right.
  expect(await leases.take("job", START + HOUR, START)).toBe(true);
  expect(await leases.take("job", START + HOUR, START)).toBe(false);
  expect(await guardSessions.take(id, "s", "b", START, 10)).toEqual({});
  expect(await guardSessions.take(id, "s", "c", START, 10)).toBe("held");
  expect(await hooks.claim(9, START, START + 60_000)).toHaveLength(1);
  // What has its own is for good.
  expect(await leases.take("once", Number.MAX_SAFE_INTEGER, 0)).toBe(true);
  expect(await leases.take("once", Number.MAX_SAFE_INTEGER, 0)).toBe(false);
});
