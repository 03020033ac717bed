/** The commands of the service with what people get wrong: what it is, where, and what to do; never a stack, and nothing made on the way. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import Libsql from "libsql";
import { runInMemory } from "spoor/internal/cli/run-in-memory";
import { expect, it, onTestFinished } from "vitest";
import { ask } from "../../../scripts/scratch-postgres.mjs";
import { openStore } from "../src/store/open-store.ts";
import { recording, startService } from "./service.ts";
import { fileEngine, postgresEngines, temporaryFolder, testPostgres } from "./stores.ts";

async function refused(words: readonly string[], cwd: string, code = 2) {
  const run = await runInMemory([...words], { cwd });
  // Lines are broken where the terminal ends.
  const said = `${run.out}${run.err}`.replaceAll(/\s+/g, " ");
  expect([run.code, said], words.join(" ")).toEqual([
    code,
    expect.not.stringMatching(/Spoor itself failed| at .*:\d+:\d+\)/),
  ]);
  return said;
}

/** Where nobody listens: whoever had it has let go of it. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it("a store that cannot be is refused by every command that opens one", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "folder"));
  writeFileSync(join(folder, "file"), "x");
  writeFileSync(join(folder, "diary.db"), "Dear diary".repeat(999));
  const other = new Libsql(join(folder, "other.db"));
  other.exec("create table users (name text)");
  other.close();
  const laravel = new Libsql(join(folder, "laravel.db"));
  laravel.exec("create table migrations (id integer, migration text, batch integer)");
  laravel.close();
  const newer = await fileEngine.address();
  await (await openStore(newer)).close();
  const raw = new Libsql(newer);
  raw.exec("insert into migrations values ('9999-later', 'x', 0)");
  raw.close();
  const away = `postgres://spoor@127.0.0.1:${await closedPort()}/spoor`;
  const before = readdirSync(folder, { recursive: true });

  const cases: readonly (readonly [store: string, code: string, says: string, looked: string, exit?: number])[] = [
    ["folder", "store.unavailable", "is a folder", "cannot be reached"],
    ["diary.db", "store.damaged", "is damaged, or it is no database", "The store is damaged", 1],
    ["other.db", "store.not-ours", "a database of something else: it has users", "not looked at"],
    ["laravel.db", "store.not-ours", "it has migrations of its own", "not looked at"],
    ["file/spoor.db", "store.unavailable", "a file stands where its folder should be", "cannot be reached"],
    ["mysql://db/spoor", "store.address", "mysql:// is neither", "cannot be reached"],
    ["postgres://[oops", "store.address", "its address cannot be read", "cannot be reached"],
    [away, "store.unavailable", "the database does not answer", "cannot be reached"],
    [newer, "store.newer", "written by a newer version of spoor: it has 9999-later", "of a newer version"],
  ];
  for (const [named, code, says, looked, exit] of cases) {
    const store = named.includes("://") || named === newer ? named : join(folder, named);
    // What is not there a doctor does not make, and says no more of it.
    const isThere = store.includes("://") || existsSync(store);
    const doctor = await refused(["doctor", "--store", store], folder, exit);
    expect(doctor).toContain(looked);
    expect(doctor).not.toContain("not whole");
    if (isThere) expect(doctor).toContain(code);
    const commands = [
      ["migrate", "--store", store],
      ["serve", "--port", "0", "--store", store],
      ["serve", "--new-token", "read", "--store", store],
      ...(store.startsWith("postgres:") ? [["worker", "--store", store]] : []),
    ];
    for (const words of commands) {
      const said = await refused(words, folder);
      expect(said, words.join(" ")).toContain(code);
      expect(said, words.join(" ")).toContain(says);
    }
  }
  // Looking into a database leaves the files in which it would write.
  const after = readdirSync(folder, { recursive: true }).filter((name) => !/-(shm|wal)$/.test(String(name)));
  expect(after.sort()).toEqual(before.sort());
});

it("ports, addresses and folders that cannot be are named with what to do", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "x");
  const { url } = await startService();
  const { port } = new URL(url);
  const served = (...words: string[]) => refused(["serve", ...words], folder);
  expect(await served("--port", port)).toContain(
    "something else listens there already. Name another port: spoor serve --port 4320",
  );
  expect(await served("--port", "0", `--otlp=${port}`)).toContain("spoor serve --otlp=4320");
  expect(await served("--data", "file", "--port", "0")).toContain("a file stands where its folder should be");
  expect(await served("--port", "0", "--host", "0.0.0.0", "--data", "public")).toContain("server.public");
  await runInMemory(["serve", "--new-token", "admin", "--data", "public"], { cwd: folder });
  // Of a net that is set aside for examples: no machine has it.
  expect(await served("--port", "0", "--host", "192.0.2.1", "--data", "public")).toContain(
    "this machine has no such address",
  );
});

it("services that are away, are none of ours or let nobody in are told apart", async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "run.json"), recording());
  writeFileSync(join(folder, "file"), "x");
  const service = await startService();
  await service.ask("POST", "/api/v1/traces", { body: recording() });
  await service.evaluate();
  expect(await refused(["export", "--to", join(folder, "file"), "--server", service.url], folder)).toContain(
    "output.unwritable",
  );
  expect(
    await refused(["export", "--to", join(folder, "file"), "--parquet", "--server", service.url], folder),
  ).toContain("output.unwritable");
  await service.token(["admin"]);
  const web = createServer((_, response) => response.end("<html>hello</html>"));
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void web.close());
  const commands = [
    ["push", join(folder, "run.json")],
    ["export", "--to", join(folder, "out")],
    ["export", "--to", join(folder, "out"), "--parquet"],
  ];
  for (const words of commands) {
    const at = (server: string, ...more: string[]) => refused([...words, "--server", server, ...more], folder);
    expect(await at(service.url)).toContain("The service answers 401: This needs a token.");
    expect(await at(service.url, "--token", "wrong")).toContain("The service answers 401");
    expect(await at(`http://127.0.0.1:${(web.address() as AddressInfo).port}`)).toContain("is no service of Spoor's");
    expect(await at("nonsense")).toContain("--server needs the address of a service");
    expect(await at(`http://127.0.0.1:${await closedPort()}`)).toContain("server.unreachable");
  }
  expect(existsSync(join(folder, "out"))).toBe(false);
});

it.skipIf(postgresEngines.length === 0)(
  "a PostgreSQL that does not know the user or the database, or lacks the tables",
  async () => {
    const folder = temporaryFolder();
    const address = new URL(await (await testPostgres()).address());
    const outdated = await refused(["serve", "--port", "0", "--store", address.href], folder);
    expect(outdated).toContain("spoor migrate --store URL");
    expect(await refused(["doctor", "--store", address.href], folder)).toContain("of an older version");
    address.pathname = "/there_is_none";
    for (const words of [["migrate"], ["worker"], ["serve", "--port", "0"], ["doctor"]])
      expect(await refused([...words, "--store", address.href], folder)).toContain(
        "Check user, password and database in the address",
      );
  },
);

it.skipIf(postgresEngines.length === 0)(
  "a PostgreSQL of something else, in another encoding, with a schema that is not there, or without encryption",
  async () => {
    const folder = temporaryFolder();
    const postgres = await testPostgres();
    const made = async (...statements: string[]) => {
      const address = await postgres.address();
      for (const statement of statements) await ask(address, statement);
      return address;
    };
    const anywhere = await made();
    const latin = new URL(anywhere);
    latin.pathname = "/latin";
    await ask(anywhere, "create database latin encoding 'LATIN1' template template0 locale 'C'");
    const changed = await made();
    await runInMemory(["migrate", "--store", changed]);
    await ask(changed, "drop table rollups");
    const cases: readonly (readonly [store: string, code: string, says: string, commands: readonly string[]])[] = [
      [await made("create table runs (id int)"), "store.not-ours", "it has runs", ["migrate", "worker", "serve"]],
      [
        await made("create table migrations (id int, migration text)"),
        "store.not-ours",
        "migrations of its own",
        ["migrate", "worker", "serve"],
      ],
      [
        await made("create table migrations (name text, checksum text)", "insert into migrations values ('users', '')"),
        "store.not-ours",
        "the migration users",
        ["migrate", "worker", "serve"],
      ],
      [latin.href, "store.unavailable", "LATIN1, not as UTF8", ["migrate", "worker", "serve"]],
      [`${anywhere}?options=-c%20search_path%3Dnowhere`, "store.unavailable", "create schema NAME", ["migrate"]],
      [`${anywhere}?sslmode=verify-full`, "store.unavailable", "does not support SSL", ["migrate", "worker", "serve"]],
      [`${anywhere}?options=-c%20statement_timeout%3D1`, "store.unavailable", "gave up", ["migrate"]],
    ];
    for (const [store, code, says, commands] of cases) {
      for (const command of commands) {
        const said = await refused(
          [command, ...(command === "serve" ? ["--port", "0"] : []), "--store", store],
          folder,
        );
        expect(said, `${command} ${store}`).toContain(code);
        expect(said, `${command} ${store}`).toContain(says);
      }
      if (commands.includes("serve")) expect(await refused(["doctor", "--store", store], folder)).toContain(code);
    }
    expect(await refused(["doctor", "--store", changed], folder, 1)).toContain("its tables are not as they were made");
    // Tables of others beside ours are nobody's business.
    const shared = await made("create table users (name text)");
    expect((await runInMemory(["migrate", "--store", shared])).code).toBe(0);
    expect((await runInMemory(["doctor", "--store", shared])).code).toBe(0);
  },
);
