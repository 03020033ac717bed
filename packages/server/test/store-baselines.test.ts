import { describe, expect, it } from "vitest";
import { arrival, drain, HOUR, oneRunEach, START, wholeTraces } from "./build-arrivals.ts";
import { openTestStore, testEngines } from "./stores.ts";

const DAY = 24 * HOUR;
const limits = { bodiesMs: 30 * DAY, rejectedMs: 14 * DAY, eventsMs: 7 * DAY };

describe.each(testEngines)("baselines, reports and configurations in $name", (engine) => {
  it("has one approved generation, and keeps who decided what and why", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    const other = await store.projects.ensure("two");
    const person = { by: "ada", why: "the new search", at: START };
    expect(await store.baselines.approved(id, "support")).toBeUndefined();
    expect(await store.baselines.propose(id, "support", "first\0", { runs: 30 }, START)).toMatchObject({
      generation: 1,
      state: "candidate",
      body: "first\0",
    });
    await store.baselines.propose(id, "support", "second", null, START);
    await store.baselines.decide(id, "support", 1, { state: "approved", ...person });
    await store.baselines.decide(id, "support", 2, { state: "approved", ...person });
    expect((await store.baselines.list(id, "support")).map(({ generation, state }) => [generation, state])).toEqual([
      [2, "approved"],
      [1, "archived"],
    ]);
    await store.baselines.decide(id, "support", 1, { state: "approved", ...person, why: "back again" });
    expect(await store.baselines.approved(id, "support")).toMatchObject({
      generation: 1,
      body: "first\0",
      why: "back again",
    });
    expect(await store.baselines.decide(id, "support", 9, { state: "approved", ...person })).toBeUndefined();
    expect(await store.baselines.decide(other.id, "support", 1, { state: "rejected", ...person })).toBeUndefined();
    expect(await store.baselines.approved(id, "support")).toMatchObject({ generation: 1 });
    expect((await store.baselines.reviews(id, "support")).map(({ subject, why }) => [subject, why])).toEqual([
      ["baseline/1", "back again"],
      ["baseline/2", "the new search"],
      ["baseline/1", "the new search"],
    ]);
    expect(await store.baselines.list(other.id, "support")).toEqual([]);
  });

  it("numbers generations one after the other, also of people who propose at once", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    const made = await Promise.all(
      Array.from({ length: 5 }, (_, index) => store.baselines.propose(id, "a", `${index}`, null, START)),
    );
    expect(made.map(({ generation }) => generation).sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it("answers a question once, in its own project", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    const other = await store.projects.ensure("two");
    const report = { schema: "spoor.gate/1", inputsHash: "h", body: '{"a":1}', at: START };
    const first = await store.reports.put(id, { ...report, gate: "passed" });
    expect(await store.reports.put(id, { ...report, body: "{}" })).toBe(first);
    expect(await store.reports.get(id, first)).toMatchObject({ body: '{"a":1}', gate: "passed", createdAt: START });
    expect(await store.reports.get(other.id, first)).toBeUndefined();
    expect(await store.reports.find(other.id, "spoor.gate/1", "h")).toBeUndefined();
    const second = await store.reports.put(id, { ...report, schema: "spoor.diff/1" });
    expect((await store.reports.page(id, undefined, undefined, 5)).map((row) => row.id)).toEqual([second, first]);
    expect(await store.reports.page(id, "spoor.gate/1", undefined, 5)).not.toHaveProperty("0.body");
  });

  it("keeps so many reports of a kind and so many bytes in each project, the newest always", async () => {
    const store = await openTestStore(engine, { reports: { reports: 3, bytes: 400 } });
    const { id } = await store.projects.ensure("one");
    const other = await store.projects.ensure("two");
    await store.inbox.append([arrival(id, "named", { receivedAt: START - 40 * DAY })]);
    await drain(store);
    const [run] = await store.runs.page(id, {}, undefined, 1);
    const put = (project: number, name: string, schema = "spoor.diff/1", body = "{}") =>
      store.reports.put(project, { schema, inputsHash: name, body, at: START, runs: name === "a" ? [run!.id] : [] });
    const kept = async (project: number, schema: string) =>
      (await store.reports.page(project, schema, undefined, 9)).map(({ inputsHash }) => inputsHash);
    await put(other.id, "theirs");
    await put(id, "gate", "spoor.gate/1");
    for (const name of ["a", "b", "c"]) await put(id, name);
    expect(await store.retention.apply(limits, START)).toMatchObject({ bodies: 0 });
    for (const name of ["d", "e"]) await put(id, name);
    expect(await kept(id, "spoor.diff/1")).toEqual(["e", "d", "c"]);
    expect([await kept(other.id, "spoor.diff/1"), await kept(id, "spoor.gate/1")]).toEqual([["theirs"], ["gate"]]);
    // What it alone had kept goes when it is old enough.
    expect(await store.retention.apply(limits, START)).toMatchObject({ bodies: 1 });
    // Text that cannot be packed: larger than all that may be kept.
    await put(id, "large", "spoor.diff/1", Array.from({ length: 400 }, (_, at) => (at * 7919) % 65_521).join(" "));
    expect(await kept(id, "spoor.diff/1")).toEqual(["large"]);
  });

  it("gives the newest body of a name, and every body by its digest", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    const a = await store.configs.put(id, "policy", "main", "a", START);
    const b = await store.configs.put(id, "policy", "main", "b", START + 1);
    expect(await store.configs.current(id, "policy", "main")).toEqual({ hash: b, body: "b" });
    expect(await store.configs.put(id, "policy", "main", "a", START + 2)).toBe(a);
    await store.configs.put(id, "policy", "extra", "b", START);
    expect(await store.configs.current(id, "policy", "main")).toEqual({ hash: a, body: "a" });
    expect(await store.configs.get(id, b)).toBe("b");
    expect((await store.configs.list(id, "policy")).map(({ name, hash }) => [name, hash])).toEqual([
      ["extra", b],
      ["main", a],
    ]);
    expect(await store.configs.get((await store.projects.ensure("two")).id, a)).toBeUndefined();
  });
});

describe.each(testEngines)("retention in $name", (engine) => {
  it("drops old bodies but for those that something in use names; figures stay", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    const ages = { ancient: 100, kept: 99, archived: 70, reported: 40, old: 31, young: 29 };
    for (const [text, days] of Object.entries(ages)) {
      await store.inbox.append([arrival(id, text, { receivedAt: START - days * DAY })]);
    }
    await drain(store);
    const ids = Object.fromEntries((await store.runs.page(id, {}, undefined, 9)).map((run) => [run.name, run.id]));
    await store.baselines.propose(id, "support", "1", null, START, [ids["archived"] as number]);
    await store.baselines.propose(id, "support", "2", null, START, [ids["kept"] as number, 12345]);
    for (const generation of [1, 2]) {
      await store.baselines.decide(id, "support", generation, { state: "approved", by: "ada", why: "good", at: START });
    }
    await store.reports.put(id, {
      schema: "spoor.diff/1",
      inputsHash: "h",
      body: "{}",
      at: START,
      runs: [ids["reported"] as number],
    });
    expect(await store.retention.apply(limits, START)).toMatchObject({ bodies: 3 });
    const left = [];
    for (const [name, run] of Object.entries(ids)) if (await store.runs.body(id, run as number)) left.push(name);
    expect(left.sort()).toEqual(["kept", "reported", "young"]);
    expect(await store.runs.count(id, {}, 9)).toBe(6);
    expect(await store.retention.apply(limits, START)).toEqual({ bodies: 0, rejected: 0, events: 0, spans: 0 });
    await store.inbox.append([arrival(id, "late", { receivedAt: START - 100 * DAY })]);
    await drain(store);
    expect(await store.runs.count(id, {}, 9)).toBe(7);
  });

  it("lets what was refused come again once the refusal is gone", async () => {
    let now = START;
    const store = await openTestStore(engine, { now: () => now });
    const { id } = await store.projects.ensure("one");
    await store.inbox.append([arrival(id, "a")]);
    await drain(store, async (arrivals) => arrivals.map(() => ({ kind: "rejected", code: "x", message: "y" })));
    expect(await store.inbox.rejected(id, undefined, 5)).toHaveLength(1);
    now += 15 * DAY;
    expect(await store.inbox.append([arrival(id, "a")])).toEqual([false]);
    expect(await store.retention.apply(limits, now)).toMatchObject({ rejected: 1 });
    expect(await store.inbox.rejected(id, undefined, 5)).toEqual([]);
    expect(await store.inbox.append([arrival(id, "a")])).toEqual([true]);
  });

  it("drops old events but the last, from which a reader goes on", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    for (let day = 0; day < 4; day += 1) await store.events.add(id, "verdict", { day }, START - (20 - day) * DAY);
    expect(await store.retention.apply(limits, START)).toMatchObject({ events: 3 });
    expect((await store.events.after(id, 0, 9)).map(({ body }) => body)).toEqual([{ day: 3 }]);
    expect(await store.events.last(id)).toBe(4);
  });
});

describe("retention by size", () => {
  it("drops the oldest bodies of a file that is too large", async () => {
    const store = await openTestStore(testEngines[1] as (typeof testEngines)[number]);
    const { id } = await store.projects.ensure("one");
    await store.inbox.append(Array.from({ length: 30 }, (_, index) => arrival(id, `t${index}`)));
    await drain(
      store,
      oneRunEach(() => ({ body: { codec: "plain", bytes: new Uint8Array(100_000).fill(7) } })),
    );
    const { bodies } = await store.retention.apply({ ...limits, bytes: 2_000_000 }, START);
    expect(bodies).toBe(30);
    expect(await store.runs.count(id, {}, 50)).toBe(30);
  });
});

describe.each(testEngines)("spans in $name", (engine) => {
  const span = (spanId: string, traceId = "t1") => ({
    traceId,
    spanId,
    resource: { a: 1 },
    scope: null,
    span: { name: spanId, big: 2n ** 60n },
  });
  const assembled = (projectId: number) =>
    wholeTraces((spans) => arrival(projectId, spans.map(({ spanId }) => spanId).join("+")));

  it("closes what is quiet or too long open, once", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    await store.spans.append(id, [span("b"), span("a"), span("x", "t2")], START);
    await store.spans.append(id, [span("y", "t2")], START + 50);
    expect(await store.spans.closed(START + 10, START - 1, 9)).toEqual([{ projectId: id, traceId: "t1" }]);
    expect(await store.spans.closed(START - 1, START, 9)).toHaveLength(2);
    const both = await Promise.all([
      store.spans.close(id, "t1", assembled(id)),
      store.spans.close(id, "t1", assembled(id)),
    ]);
    expect(both.filter(Boolean)).toHaveLength(1);
    expect(await store.spans.closed(START + 10, START - 1, 9)).toEqual([]);
    await store.spans.append(id, [span("a")], START + 60);
    expect(await store.spans.closed(START + 100, START - 1, 9)).toEqual([{ projectId: id, traceId: "t2" }]);
    expect(await store.inbox.lag(id)).toMatchObject({ waiting: 1 });
  });

  it("replaces a run that is written after the one that replaces it", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    for (const late of ["a", "b"]) {
      await store.spans.append(id, [span(late)], START);
      await store.spans.close(id, "t1", assembled(id));
    }
    const evaluate = oneRunEach(() => ({ externalId: "t1" }));
    await store.inbox.claim(1, async (first) => {
      // While the first is evaluated, another worker takes the second and is done before.
      expect(await store.inbox.claim(1, evaluate)).toBe(1);
      return evaluate(first);
    });
    const runs = await store.runs.page(id, {}, undefined, 9);
    expect(runs.map(({ name }) => name)).toEqual(["a+b"]);
    expect((await store.agents.list(id))[0]).toMatchObject({ runs: 1 });
    expect(await store.agents.behaviours(id, "support")).toMatchObject([{ seen: 1, firstRunId: runs[0]?.id }]);
  });

  it("replaces the run of a trace to which a late span came, and counts it once", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    for (const late of ["a", "b", "c"]) {
      await store.spans.append(id, [span(late)], START);
      await store.spans.close(id, "t1", assembled(id));
      await drain(
        store,
        oneRunEach(() => ({ externalId: "t1" })),
      );
    }
    const runs = await store.runs.page(id, { superseded: true }, undefined, 9);
    expect(runs.map(({ name, supersededBy }) => [name, supersededBy])).toEqual([
      ["a+b+c", undefined],
      ["a+b", runs[0]?.id],
      ["a", runs[1]?.id],
    ]);
    expect(await store.runs.page(id, {}, undefined, 9)).toHaveLength(1);
    expect((await store.agents.list(id))[0]).toMatchObject({ runs: 1 });
    expect(await store.agents.behaviours(id, "support")).toMatchObject([{ seen: 1, firstRunId: runs[0]?.id }]);
    expect(await store.retention.apply(limits, START + 2 * DAY)).toMatchObject({ spans: 1 });
  });
});
