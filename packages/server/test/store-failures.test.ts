/** What a store says when it cannot be used, and that a worker which dies on an arrival does not take others with it for ever. */
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SpoorError } from "@spoor/core/internal/errors";
import { describe, expect, it, onTestFinished } from "vitest";
import { ask, startPostgres } from "../../../scripts/scratch-postgres.mjs";
import { migrations } from "../src/store/migrations/migrations.ts";
import { migrateStore, openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { arrival, drain, idOf, oneRunEach, START } from "./build-arrivals.ts";
import { fileEngine, openAddress, openTestStore, postgresEngines, temporaryFolder, testEngines } from "./stores.ts";

const later = { name: "0002-later", statements: ["create table later (id {id})"] };

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => "nothing was thrown",
    (thrown: unknown) => thrown,
  );
  return error instanceof SpoorError ? error.code : String(error);
}

describe("a store in a file that cannot be used", () => {
  it("belongs to one process at a time, and to nobody once that is gone", async () => {
    const address = await fileEngine.address();
    const store = await openStore(address);
    expect(await codeOf(openStore(address))).toBe("store.locked");
    const beside = await openStore(address, { lock: false });
    await beside.projects.ensure("one");
    await beside.close();
    expect(await store.projects.list()).toHaveLength(1);
    await store.close();
    writeFileSync(
      `${address}.lock`,
      JSON.stringify({ pid: 2 ** 30, host: (await import("node:os")).hostname(), token: "x" }),
    );
    await openAddress(address);
  });

  it.each([
    { name: "is no database", code: "damaged", make: (path: string) => writeFileSync(path, "Dear diary".repeat(999)) },
    { name: "is a folder", code: "unavailable", make: (path: string) => mkdirSync(path) },
    { name: "lies under a file", code: "unavailable", make: (path: string) => writeFileSync(join(path, ".."), "") },
  ])("says so when it $name", async ({ make, code }) => {
    const path = join(temporaryFolder(), "sub", "spoor.db");
    if (make.toString().includes("..")) make(path);
    else {
      mkdirSync(join(path, ".."));
      make(path);
    }
    expect(await codeOf(openStore(path))).toBe(`store.${code}`);
  });

  it("keeps what was acknowledged when the disk is full, and goes on when there is room", async () => {
    const address = await fileEngine.address();
    await migrateStore(address);
    const full = await openStore(address, { maxPages: 300 });
    const { id } = await full.projects.ensure("one");
    const acknowledged = await fill(full, id);
    expect(await codeOf(full.inbox.append([big(id, "more")]))).toBe("store.full");
    await full.close();
    const store = await openAddress(address);
    expect((await store.inbox.lag()).waiting).toBe(acknowledged);
    expect(await drain(store)).toBe(acknowledged);
    expect((await store.agents.list(id))[0]?.runs).toBe(acknowledged);
  });

  it("does not count a full disk against what waits", async () => {
    const address = await fileEngine.address();
    await migrateStore(address);
    const full = await openStore(address, { maxPages: 300 });
    const { id } = await full.projects.ensure("one");
    const acknowledged = await fill(full, id);
    for (let time = 0; time < 5; time += 1) {
      const claimed = await codeOf(
        full.inbox.claim(
          1,
          oneRunEach(() => ({ body: { codec: "plain", bytes: new Uint8Array(400_000) } })),
        ),
      );
      expect(claimed).toBe("store.full");
    }
    await full.close();
    const store = await openAddress(address);
    await drain(store);
    expect(await store.inbox.rejected(id, undefined, 9)).toEqual([]);
    expect(await store.runs.count(id, {}, 999)).toBe(acknowledged);
  });

  // Only root may mount a disk of three mebibytes, and not on every system.
  describe.skipIf(process.getuid?.() !== 0)("on a disk of its own", () => {
    it("says when that is full", async (context) => {
      const disk = mountDisk() ?? context.skip("this system lets nobody mount");
      const store = await openStore(join(disk, "spoor.db"));
      const { id } = await store.projects.ensure("one");
      const acknowledged = await fill(store, id);
      expect(await codeOf(store.inbox.append([big(id, "more")]))).toBe("store.full");
      expect((await store.inbox.lag()).waiting).toBe(acknowledged);
      await store.close();
    });

    it("says when that may only be read", async (context) => {
      const disk = mountDisk() ?? context.skip("this system lets nobody mount");
      const made = await fileEngine.address();
      await migrateStore(made);
      copyFileSync(made, join(disk, "spoor.db"));
      execFileSync("mount", ["-o", "remount,ro", disk]);
      expect(await codeOf(openStore(join(disk, "spoor.db")))).toBe("store.unavailable");
    });
  });
});

describe.each([fileEngine, ...postgresEngines])("the tables of a store in $name", (engine) => {
  it("are refused when a newer version made them, or another program", async () => {
    const address = await engine.address();
    await migrateStore(address, { migrations: [...migrations, later] });
    expect(await codeOf(openStore(address, { migrate: true }))).toBe("store.newer");
    const other = await engine.address();
    await migrateStore(other, {
      migrations: [{ ...(migrations[0] as (typeof migrations)[number]), statements: ["create table runs (id {id})"] }],
    });
    expect(await codeOf(openStore(other, { migrate: true }))).toBe("store.not-ours");
  });

  it("are brought up to date once by several that start at once", async () => {
    const address = await engine.address();
    if (engine === fileEngine) await migrateStore(address);
    else {
      const done = await Promise.all([1, 2, 3].map(() => migrateStore(address)));
      expect(done.flat()).toEqual(migrations.map(({ name }) => name));
    }
    expect(await migrateStore(address, { migrations: [...migrations, later] })).toEqual(["0002-later"]);
    expect(await migrateStore(address, { migrations: [...migrations, later] })).toEqual([]);
    if (engine === fileEngine) expect(existsSync(`${address}.before-0002-later`)).toBe(true);
    else expect(await codeOf(openStore(await engine.address()))).toBe("store.outdated");
  });
});

describe.each(testEngines)("an arrival in $name on which workers die", (engine) => {
  it("is begun alone after the first time, and rejected after the third", async () => {
    const store = await openTestStore(engine);
    const { id } = await store.projects.ensure("one");
    await store.inbox.append(["a", "deadly", "b"].map((text) => arrival(id, text)));
    const sizes: number[] = [];
    // A worker that dies never answers: as far as the store can see, so does one that is cut off in the middle.
    for (let deaths = 0; deaths < 3; ) {
      await store.inbox.claim(10, async (arrivals) => {
        sizes.push(arrivals.length);
        if (!arrivals.some(({ contentId }) => Buffer.from(contentId).equals(idOf("deadly"))))
          return oneRunEach()(arrivals);
        deaths += 1;
        throw new Error("out of memory");
      });
    }
    expect(sizes).toEqual([3, 1, 1, 1]);
    await drain(store);
    expect(await store.inbox.rejected(id, undefined, 9)).toMatchObject([
      { code: "evaluation.failed", head: new Uint8Array(Buffer.from("deadly")) },
    ]);
    expect(await store.runs.count(id, {}, 9)).toBe(2);
    expect(await store.inbox.append([arrival(id, "deadly")])).toEqual([false]);
  });
});

it("an arrival whose worker is killed again and again is never put aside for that; it becomes a suspect, whose own end counts", async () => {
  const address = await fileEngine.address();
  const first = await openStore(address);
  const { id } = await first.projects.ensure("one");
  await first.inbox.append([arrival(id, "unlucky")]);
  await first.close();
  const suspected: boolean[] = [];
  for (let death = 0; death < 25; death += 1) {
    const store = await openStore(address);
    await new Promise<void>((begun) => {
      // What is killed never comes to an end: neither an answer nor an error.
      void store.inbox.claim(10, (_, isSuspect) => {
        suspected.push(isSuspect);
        begun();
        return new Promise(() => undefined);
      });
    });
    await store.close();
  }
  expect(suspected).toEqual([false, false, false, ...Array.from({ length: 22 }, () => true)]);

  const store = await openAddress(address);
  const failing = () =>
    store.inbox.claim(10, async () => {
      throw new Error("its own process ended");
    });
  for (let failure = 0; failure < 2; failure += 1) await failing();
  // Two failures of its own, and twenty-five deaths of others: it is still there.
  expect(await store.inbox.rejected(id, undefined, 9)).toEqual([]);
  await drain(store);
  expect(await store.runs.count(id, {}, 9)).toBe(1);

  await store.inbox.append([arrival(id, "deadly")]);
  for (let failure = 0; failure < 3; failure += 1) await failing();
  expect(await store.inbox.rejected(id, undefined, 9)).toMatchObject([
    { code: "evaluation.failed", message: "its own process ended" },
  ]);
});

describe.skipIf(postgresEngines.length === 0)("a PostgreSQL that goes away", () => {
  it("ends neither the process nor what was acknowledged", async () => {
    const server = await startPostgres();
    onTestFinished(() => server.stop());
    const address = await server.address();
    const store = await openAddress(address);
    const { id } = await store.projects.ensure("one");
    await store.inbox.append([arrival(id, "a"), arrival(id, "b")]);
    const others = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'spoor'";
    const cut = store.inbox.claim(10, async (arrivals) => {
      await ask(address, others);
      return oneRunEach()(arrivals);
    });
    expect(await codeOf(cut)).toBe("store.unavailable");
    expect(await drain(store)).toBe(2);
    expect(await store.agents.behaviours(id, "support")).toMatchObject([{ seen: 2 }]);
    await ask(address, `alter database ${new URL(address).pathname.slice(1)} set default_transaction_read_only = on`);
    await ask(address, others);
    await expect.poll(() => codeOf(store.ping())).toBe("store.unavailable");
    await expect(store.ping()).rejects.toThrow(/it may not be written to/);
    await server.stop();
    expect(await codeOf(store.inbox.append([arrival(id, "c")]))).toBe("store.unavailable");
    expect(await codeOf(openStore(address))).toBe("store.unavailable");
  });

  it("rings in other processes", async () => {
    const engine = postgresEngines[0] as (typeof postgresEngines)[number];
    const address = await engine.address();
    const [one, two] = [await openAddress(address), await openAddress(address)];
    const { id } = await one.projects.ensure("one");
    let rung = 0;
    two.bell.onRing("inbox", () => {
      rung += 1;
    });
    // It also sounds once when it begins to listen.
    await expect.poll(() => rung).toBe(1);
    await one.inbox.append([arrival(id, "a")]);
    await expect.poll(() => rung).toBe(2);
  });
});

function mountDisk(): string | undefined {
  const disk = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", disk], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => void execFileSync("umount", ["-l", disk]));
  return disk;
}

function big(projectId: number, text: string) {
  return arrival(projectId, text, { body: new Uint8Array(Buffer.from(text.padEnd(100_000))), receivedAt: START });
}

/** Until it is full; how many were acknowledged. */
async function fill(store: Store, projectId: number): Promise<number> {
  for (let count = 0; count < 1_000; count += 1) {
    const code = await codeOf(store.inbox.append([big(projectId, `big ${count}`)]));
    if (code === "store.full") return count;
    expect(code).toBe("nothing was thrown");
  }
  throw new Error("It was never full.");
}
