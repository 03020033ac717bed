/**
 * A PostgreSQL of the test's own: in a temporary folder, on a free port, ended by its process id. It does not wait for the disk: tests kill processes,
 * not the machine.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { findPostgres } from "../../../scripts/ensure-postgres.mjs";

export interface TestPostgres {
  readonly pid: number;
  /** The address of a new, empty database. */
  address(): Promise<string>;
  stop(): Promise<void>;
}

export const postgresFolder: string | undefined = findPostgres();

export async function startPostgres(): Promise<TestPostgres> {
  if (postgresFolder === undefined) throw new Error("There is no PostgreSQL here.");
  const folder = mkdtempSync(join(tmpdir(), "spoor-postgres-"));
  const data = join(folder, "data");
  // The server refuses to run as root: then it runs as the user its package made.
  const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const settings = { ...user, cwd: folder, stdio: "ignore" } as const;
  execFileSync(
    `${postgresFolder}/initdb`,
    ["-D", data, "-U", "spoor", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    settings,
  );
  const port = await freePort();
  const options = ["-p", String(port), "-k", folder, "-h", "127.0.0.1", "-c", "fsync=off", "-c", "max_connections=60"];
  const server = spawn(`${postgresFolder}/postgres`, ["-D", data, ...options], settings);
  const base = `postgres://spoor@127.0.0.1:${port}`;
  await untilReady(`${base}/postgres`, server);
  let made = 0;
  return {
    pid: server.pid as number,
    async address() {
      const name = `store_${++made}`;
      await ask(`${base}/postgres`, `create database ${name}`);
      return `${base}/${name}`;
    },
    async stop() {
      const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
      // SIGINT is its fast stop: connections are cut off, what is committed stays.
      if (server.exitCode === null && server.kill("SIGINT")) await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idOf(flag: "-u" | "-g"): number {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as { port: number };
      probe.close(() => resolve(port));
    });
  });
}

async function untilReady(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with code ${server.exitCode}.`);
    try {
      return await ask(url, "select 1");
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

export async function ask(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
