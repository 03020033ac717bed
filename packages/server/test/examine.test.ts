/** A store that is whole is said to be; one that somebody damaged is not, in words that say what: on every engine. */
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { runInMemory } from "../../spoor/src/cli/run-in-memory.ts";
import { openLibsql } from "../src/store/engine/libsql.ts";
import { openPostgres } from "../src/store/engine/postgres.ts";
import { examineStore, migrateStore, openStore } from "../src/store/open-store.ts";
import { arrival, drain, HOUR, oneRunEach, START, wholeTraces } from "./build-arrivals.ts";
import { fileEngine, postgresEngines, temporaryFolder } from "./stores.ts";

/** Twelve runs in three hours, one of them deleted, and one that came as spans and was replaced. */
async function filled(address: string): Promise<void> {
  await migrateStore(address);
  const store = await openStore(address);
  try {
    const { id } = await store.projects.ensure("one");
    await store.inbox.append(
      Array.from({ length: 12 }, (_, index) => arrival(id, `run ${index}`, { receivedAt: START + (index % 3) * HOUR })),
    );
    await drain(
      store,
      oneRunEach((text) => ({
        fingerprint: text.length > 5 ? "f1" : "f2",
        status: text === "run 1" ? "failed" : "passed",
        verdict: text === "run 2" ? "match" : "new",
        errors: 1,
        inputTokens: 7,
        costMicro: 3,
        durationMs: 11,
        tools: [
          { name: "search", calls: 2, errors: 1 },
          { name: text, calls: 1, errors: 0 },
        ],
      })),
    );
    const [newest] = await store.runs.page(id, {}, undefined, 1);
    await store.runs.remove(id, newest!.id, START);
    for (const said of ["a", "b"]) {
      const spans = [{ traceId: "t", spanId: said, resource: {}, scope: {}, span: {} }];
      await store.spans.append(id, spans, START);
      await store.spans.close(
        id,
        "t",
        wholeTraces(() => arrival(id, `spans ${said}`)),
      );
      await drain(
        store,
        oneRunEach(() => ({ externalId: "t" })),
      );
    }
  } finally {
    await store.close();
  }
}

async function damage(address: string, statement: string): Promise<void> {
  const engine = address.startsWith("postgres") ? await openPostgres(address, {}) : await openLibsql(address, {});
  try {
    await sql.raw(statement).execute(engine.db);
  } finally {
    await engine.close();
  }
}

const problems = async (address: string, options = {}) =>
  (await examineStore(address, { now: () => START, ...options })).findings
    .filter(({ status }) => status !== "ok")
    .map(({ status, what, details = [] }) => [status, what, ...details]);

describe.each([fileEngine, ...postgresEngines])("a store in $name", (engine) => {
  it("is whole after all that happens to it, and not after what should not happen to it", async () => {
    const address = await engine.address();
    await filled(address);
    const { findings } = await examineStore(address, { now: () => START });
    expect(findings.map(({ status }) => status)).toEqual(findings.map(() => "ok"));
    expect(findings.map(({ what }) => what)).toContain("13 runs, each with its agent, behaviour and arrival");
    expect(findings.map(({ what }) => what)).toContain("13 recordings can be read");

    await damage(
      address,
      "update rollups set tokens = tokens + 1, failed = 5 where hour = (select min(hour) from rollups)",
    );
    await damage(address, "delete from rollups where hour = (select max(hour) from rollups)");
    await damage(address, "insert into rollups values (1, 99, 1, 1, 0, 0, 0, 0, 0, 0, 0)");
    await damage(address, "update behaviours set seen = seen + 2 where hash = 'f2'");
    const counted = await problems(address);
    expect(counted.map(([status, what]) => [status, what])).toEqual([
      ["problem", "3 rollups of an hour are not what the runs add up to"],
      ["problem", "1 behaviour is counted wrongly"],
    ]);
    expect(counted[0]!.join()).toMatch(/tokens \d+ instead of \d+/);
    expect(await problems(address, { repair: true })).toEqual([]);
    expect(await problems(address)).toEqual([]);

    await damage(address, "update run_tools set calls = calls + 1 where run_id = (select min(run_id) from run_tools)");
    const broken = engine === fileEngine ? "x'1f8b0800'" : "'\\x1f8b0800'";
    await damage(address, `update bodies set body = ${broken} where run_id = (select min(run_id) from bodies)`);
    await damage(address, "update runs set agent_id = 77 where id = (select max(id) from runs)");
    await damage(address, "insert into inbox select 999, 1, '{}', 'plain', body, 0 from bodies limit 1");
    expect((await problems(address)).map(([status, what, first]) => [status, what, first])).toEqual([
      ["problem", "1 of 13 runs belong to nothing that is there", undefined],
      ["problem", expect.stringMatching(/rollups? of an hour/), expect.stringContaining("agent ")],
      ["problem", "the tools of 1 run do not add up to their calls", "run 1: 5 calls of tools, 3 in the run"],
      ["problem", "1 of 13 recordings cannot be used", "run 1: its recording cannot be unpacked (Z_BUF_ERROR)"],
      ["warning", expect.stringContaining("1 recording waits for evaluation"), undefined],
    ]);
    const doctor = await runInMemory(["doctor", "--store", address], {});
    expect([doctor.code, doctor.out]).toEqual([1, expect.stringContaining("The store is not whole: 4 problems.")]);
    const json = await runInMemory(["doctor", "--store", address, "--format", "json"], {});
    expect(JSON.parse(json.out).findings).toContainEqual(expect.objectContaining({ area: "store", status: "warning" }));
  });
});

it("a store that is not there, in use or of another version is said to be so, and nothing is made or changed", async () => {
  const nowhere = `${temporaryFolder()}/spoor.db`;
  const missing = await runInMemory(["doctor", "--store", nowhere], {});
  expect([missing.code, missing.out]).toEqual([2, expect.stringContaining("store.unavailable")]);
  const address = await fileEngine.address();
  const store = await openStore(address);
  const used = await runInMemory(["doctor", "--store", address], {});
  await store.close();
  expect([used.code, used.out]).toEqual([2, expect.stringContaining("The store is in use, so it was not looked at.")]);
  const whole = await runInMemory(["doctor", "--store", address], {});
  expect([whole.code, whole.out]).toEqual([0, expect.stringContaining("The store is whole.")]);
  await damage(address, "update migrations set name = '9999-later' where name = '0001-first-tables'");
  const newer = await runInMemory(["doctor", "--store", address], {});
  expect([newer.code, newer.out]).toEqual([2, expect.stringContaining("store.newer")]);
  expect((await runInMemory(["doctor", "--repair"], {})).code).toBe(2);
});
