/**
 * A store that is cut off at its statements, before and after them. A killed process leaves of a file what the system has of it at that moment: the
 * files are copied at every statement, and every copy unlike the others is opened. Of PostgreSQL it leaves cut connections: a relay between cuts them,
 * at every commit, before and after the database has heard it, and at some of the statements between, which are all undone alike. That both are what a
 * kill does, real kills of a child process show.
 */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Watch } from "../src/store/engine/engine.ts";
import type { Migration } from "../src/store/migrations/migration.ts";
import { migrations } from "../src/store/migrations/migrations.ts";
import { migrateStore, openStore } from "../src/store/open-store.ts";
import type { Store } from "../src/store/store.ts";
import { expectWhole, live, type Witness } from "./crash-workload.ts";
import { fileEngine, openAddress, postgresEngines, temporaryFolder } from "./stores.ts";

const second: Migration = {
  name: "0002-of-a-test",
  statements: [
    "alter table runs add column later text",
    "create table later (id {id}, at bigint)",
    "create index later_at on later (at)",
  ],
};

describe("a store in a file", () => {
  it("is whole after a kill at any statement of arriving, being evaluated and deleted", async () => {
    const folder = temporaryFolder();
    const file = join(folder, "spoor.db");
    const witness: Witness = { acknowledged: [], removed: false };
    const copies = new Map<string, { readonly file: string; readonly witness: Witness }>();
    let watching = false;
    let points = 0;
    const store = await openAddress(file, {
      watch: () => {
        if (!watching) return;
        points += 1;
        const key = `${stateOf(file)} ${JSON.stringify(witness)}`;
        if (!copies.has(key))
          copies.set(key, { file: copyOf(file, folder, copies.size), witness: structuredClone(witness) });
      },
    });
    const { id } = await store.projects.ensure("one");
    watching = true;
    await live(store, id, witness);
    watching = false;
    expect(points).toBeGreaterThan(100);
    // Two arrivals, two claims with their counts of attempts, a deletion.
    expect(copies.size).toBeGreaterThanOrEqual(7);
    for (const copy of copies.values()) {
      const found = await openStore(copy.file);
      await expectWhole(found, id, copy.witness);
      await found.close();
    }
  });

  it.each([
    { name: "making the tables", from: [], to: migrations },
    { name: "bringing them up to date", from: migrations, to: [...migrations, second] },
  ])("is whole after a kill at any statement of $name", async ({ from, to }) => {
    const folder = temporaryFolder();
    const file = join(folder, "spoor.db");
    if (from.length > 0) await migrateStore(file, { migrations: from });
    const copies = new Map<string, string>();
    const watch: Watch = () => {
      const key = stateOf(file);
      if (!copies.has(key)) copies.set(key, copyOf(file, folder, copies.size));
    };
    await migrateStore(file, { migrations: to, watch });
    expect(copies.size).toBeGreaterThanOrEqual(2);
    for (const copy of copies.values()) {
      const found = await openStore(copy, { migrations: to });
      await found.projects.ensure("one");
      expect(await found.projects.list()).toHaveLength(1);
      await found.close();
    }
  });
});

describe.each(postgresEngines)("a store in $name", (engine) => {
  it("is whole after a cut at any statement of arriving, being evaluated and deleted", async () => {
    const address = await engine.address();
    const relay = await startRelay(address);
    await migrateStore(address);
    const direct = await openAddress(address);
    for (const [index, point] of (await pointsOf(address, direct)).entries()) {
      const { id } = await direct.projects.ensure(`cut at ${index}`);
      const witness: Witness = { acknowledged: [], removed: false };
      // Opening it does not count.
      let seen = Number.NEGATIVE_INFINITY;
      const store = await openStore(relay.address, {
        watch: (when) => void (when === "before" && seen++ === point.at && relay.cut(point.how)),
      });
      seen = 0;
      await live(store, id, witness).catch(() => undefined);
      relay.mend();
      await store.close().catch(() => undefined);
      await expectWhole(direct, id, witness);
    }
  });

  it("is whole after a cut while its tables are made or brought up to date", async () => {
    for (const { from, to, points } of [
      { from: [], to: migrations, points: [3, 30] },
      { from: migrations, to: [...migrations, second], points: [4, 7, 8, 9, 10] },
    ]) {
      const address = await engine.address();
      if (from.length > 0) await migrateStore(address, { migrations: from });
      for (const point of points) {
        const relay = await startRelay(address);
        let seen = 0;
        const watch: Watch = (when) => void (when === "before" && seen++ === point && relay.cut("now"));
        await migrateStore(relay.address, { migrations: to, watch }).catch(() => undefined);
        expect(seen, "it came to that statement").toBeGreaterThan(point);
      }
      const done = await migrateStore(address, { migrations: to });
      expect(done).toEqual(to.slice(from.length).map(({ name }) => name));
      const found = await openStore(address, { migrations: to });
      await found.projects.ensure("one");
      await found.close();
    }
  });
});

interface Cut {
  readonly at: number;
  /** Before the statement is sent, or after the database has done it and before its answer comes back. */
  readonly how: "now" | "deaf";
}

/** Every commit, both ways, and every ninth statement. */
async function pointsOf(address: string, store: Store): Promise<readonly Cut[]> {
  const { id } = await store.projects.ensure("not cut");
  const statements: string[] = [];
  const watched = await openStore(address, {
    watch: (when, statement) => void (when === "before" && statements.push(statement)),
  });
  const before = statements.length;
  await live(watched, id, { acknowledged: [], removed: false });
  await watched.close();
  const own = statements.slice(before);
  return own.flatMap((statement, at): Cut[] => {
    if (statement === "commit")
      return [
        { at, how: "now" },
        { at, how: "deaf" },
      ];
    return at % 9 === 0 ? [{ at, how: "now" }] : [];
  });
}

describe.each([fileEngine, ...postgresEngines])("a process that is killed with a store in $name", (engine) => {
  // Inside an arrival, inside a claim, in the second claim.
  it.each([3, 25, 64])("leaves it whole at its statement %i", async (point) => {
    const address = await engine.address();
    await migrateStore(address);
    const child = spawn(process.execPath, [join(import.meta.dirname, "crash-child.mjs"), address, String(point)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (data) => {
      said += data;
    });
    const signal = await new Promise((resolve) => child.once("close", (_, by) => resolve(by)));
    expect(signal).toBe("SIGKILL");
    const store = await openAddress(address);
    const { id } = await store.projects.ensure("one");
    await expectWhole(store, id, { acknowledged: said.split("\n").filter(Boolean), removed: false });
  });
});

/** What the system has of the file right now. */
function stateOf(file: string): string {
  const hash = createHash("sha256");
  for (const end of ["", "-wal"]) if (existsSync(file + end)) hash.update(readFileSync(file + end));
  return hash.digest("hex");
}

function copyOf(file: string, folder: string, number: number): string {
  const copy = join(folder, String(number), "spoor.db");
  mkdirSync(join(folder, String(number)));
  for (const end of ["", "-wal"]) if (existsSync(file + end)) copyFileSync(file + end, copy + end);
  return copy;
}

/** Passes everything on to a database until it is told to cut: then all that is connected is gone, as when a process is killed. */
async function startRelay(
  address: string,
): Promise<{ readonly address: string; cut(how: Cut["how"]): void; mend(): void }> {
  const { port: to } = new URL(address);
  const sockets = new Set<Socket>();
  let deaf = false;
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server: Server = createServer((client) => {
    const database = connect(Number(to), "127.0.0.1");
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    client.on("data", (data) => database.write(data)).on("end", () => database.end());
    database.on("data", (data) => (deaf ? cut() : client.write(data))).on("end", () => client.end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    cut();
    server.close();
  });
  const { port } = server.address() as { port: number };
  return {
    address: address.replace(`:${to}/`, `:${port}/`),
    cut(how) {
      if (how === "now") cut();
      else deaf = true;
    },
    mend() {
      deaf = false;
    },
  };
}
