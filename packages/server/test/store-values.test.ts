/** Values go in and come out the same on every engine, text that none of them can hold included. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { arrival, drain, idOf, oneRunEach, run, START } from "./build-arrivals.ts";
import { openTestStore, testEngines } from "./stores.ts";

describe.each(testEngines)("values in $name", (engine) => {
  it("keeps bytes, whatever they are", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    await store.inbox.append([
      arrival(id, "all bytes", { body: bytes }),
      arrival(id, "none", { body: new Uint8Array() }),
    ]);
    const seen: Uint8Array[] = [];
    await drain(store, async (arrivals) =>
      arrivals.map(({ contentId, body }) => {
        seen.push(body);
        return { kind: "runs", runs: [run("x", { contentId, body: { codec: "plain", bytes: body } })] };
      }),
    );
    expect(seen).toEqual([bytes, new Uint8Array()]);
    const [last, first] = await store.runs.page(id, {}, undefined, 2);
    expect(await store.runs.body(id, first?.id ?? 0)).toEqual({ codec: "plain", bytes });
    expect(await store.runs.body(id, last?.id ?? 0)).toEqual({ codec: "plain", bytes: new Uint8Array() });
    expect(first?.contentId).toEqual(idOf("all bytes"));
    expect(first?.arrivalId).toEqual(idOf("all bytes"));
  });

  it("finds a name by the name it was given, also one that text cannot hold", async () => {
    const store = await openTestStore(engine);
    const names = ["plain", "a\0b", "half \ud800 pair", "\0", "emoji 🐾", "' or 1=1 --", "Ω".normalize("NFD"), "%_\\"];
    for (const [index, name] of names.entries()) {
      const { id } = await store.projects.ensure(`project ${index} ${name}`);
      expect((await store.projects.ensure(`project ${index} ${name}`)).id).toBe(id);
      await store.inbox.append([arrival(id, "a", { source: { agent: name, scenario: name } })]);
      await drain(store, async (arrivals) =>
        arrivals.map(({ source }) => ({
          kind: "runs",
          runs: [
            run(`a${index}`, {
              agent: source.agent ?? "",
              release: name,
              scenario: source.scenario ?? "",
              model: name,
              fingerprint: name,
              tools: [{ name, calls: 1, errors: 0 }],
            }),
          ],
        })),
      );
      for (const filter of [{ agent: name }, { tool: name }, { release: name }, { scenario: name }, { model: name }]) {
        expect(await store.runs.count(id, filter, 9), JSON.stringify(filter)).toBe(1);
      }
      const shown = name.toWellFormed().replaceAll("\0", "\uFFFD");
      expect((await store.agents.list(id)).map((agent) => agent.name)).toEqual([shown]);
    }
  });

  it("keeps JSON exactly: NUL, integers beyond doubles, keys of prototypes, booleans and null", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    const settings = JSON.parse(
      '{"__proto__": {"a": true}, "b": [null, false, 0.1, "\\u0000", "\\\\ud800"], "": -0.5}',
    );
    await store.projects.configure(id, { ...settings, big: 2n ** 60n + 1n });
    expect((await store.projects.list())[0]?.settings).toEqual({ ...settings, big: 2n ** 60n + 1n });
    await store.projects.configure(id, { half: "\ud800\\ud800", "\udc00": 1 });
    expect((await store.projects.list())[0]?.settings).toEqual({ half: "\ufffd\\ud800", "\ufffd": 1 });
    const body = 'rules:\n  - "\0 é"\n';
    const hash = await store.configs.put(id, "policy", "main", body, START);
    expect(await store.configs.get(id, hash)).toBe(body);
  });

  it("keeps figures absent when they are, whole, and within what can be added up", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    await store.inbox.append([arrival(id, "none"), arrival(id, "wild")]);
    await drain(
      store,
      oneRunEach((text) =>
        text === "none"
          ? {}
          : {
              durationMs: 12.6,
              startedAt: START + 0.4,
              inputTokens: 1e300,
              outputTokens: Number.NaN,
              costMicro: 2 ** 39,
              similarity: 0.1 + 0.2,
              calls: Number.POSITIVE_INFINITY,
            },
      ),
    );
    const [wild, none] = await store.runs.page(id, {}, undefined, 2);
    expect(none).not.toHaveProperty("durationMs");
    expect(none).not.toHaveProperty("release");
    expect(none).not.toHaveProperty("similarity");
    expect(wild).toMatchObject({
      durationMs: 13,
      startedAt: START,
      inputTokens: 1e12,
      costMicro: 2 ** 39,
      similarity: 0.1 + 0.2,
      calls: 1e12,
    });
    expect(wild).not.toHaveProperty("outputTokens");
    expect(await store.agents.rollups(id, "support", START, START + 1)).toMatchObject([
      { runs: 2, tokens: 1e12, durationMs: 13 },
    ]);
  });

  it("answers for any arrivals in any grouping: the first of a content id is new, later ones are not", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    const other = await store.projects.ensure("two");
    const known = new Set<string>();
    const batches = fc.array(fc.tuple(fc.constantFrom(id, other.id), fc.string({ unit: "binary", maxLength: 2 })), {
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(batches, async (batch) => {
        const expected = batch.map(([project, text]) => {
          const key = `${project} ${text.toWellFormed()}`;
          return !known.has(key) && known.add(key) !== undefined;
        });
        expect(await store.inbox.append(batch.map(([project, text]) => arrival(project, text.toWellFormed())))).toEqual(
          expected,
        );
      }),
      { numRuns: 40 },
    );
    expect((await store.inbox.lag()).waiting).toBe(known.size);
  });
});
