// A PostgreSQL of one's own, for tests and benchmarks: in a temporary folder, on a free port, ended by its process id.
import { execFileSync, spawn } from "node:child_process";
import { chmodSync, chownSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findPostgres } from "./ensure-postgres.mjs";

/** The driver is the service's: nothing else here has one. */
const pg = createRequire(new URL("../packages/server/package.json", import.meta.url))("pg");

/**
 * It does not wait for the disk unless told to: tests kill processes, not the machine.
 * @param {{ readonly isDurable?: boolean }} [options]
 */
export async function startPostgres({ isDurable = false } = {}) {
  const programs = findPostgres();
  if (programs === undefined) throw new Error("There is no PostgreSQL here.");
  const folder = mkdtempSync(join(tmpdir(), "spoor-postgres-"));
  const data = join(folder, "data");
  // The server refuses to run as root: then it runs as the user its package made.
  const user = process.getuid?.() === 0 ? { uid: idOf("-u"), gid: idOf("-g") } : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  const settings = { ...user, cwd: folder, stdio: "ignore" };
  execFileSync(
    `${programs}/initdb`,
    ["-D", data, "-U", "spoor", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    settings,
  );
  const port = await freePort();
  const options = ["-p", String(port), "-k", folder, "-h", "127.0.0.1", "-c", "max_connections=60"];
  if (!isDurable) options.push("-c", "fsync=off");
  const server = spawn(`${programs}/postgres`, ["-D", data, ...options], settings);
  // Whoever started it may end in the middle; it is not to outlive them.
  const atExit = () => server.kill("SIGQUIT");
  process.once("exit", atExit);
  const base = `postgres://spoor@127.0.0.1:${port}`;
  await untilReady(`${base}/postgres`, server);
  let made = 0;
  return {
    pid: server.pid,
    async address() {
      const name = `store_${++made}`;
      await ask(`${base}/postgres`, `create database ${name}`);
      return `${base}/${name}`;
    },
    async stop() {
      const ended = new Promise((resolve) => server.once("exit", resolve));
      // SIGINT is its fast stop: connections are cut off, what is committed stays.
      if (server.exitCode === null && server.kill("SIGINT")) await ended;
      process.off("exit", atExit);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function idOf(flag) {
  return Number(execFileSync("id", [flag, "postgres"], { encoding: "utf8" }));
}

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}

async function untilReady(url, server) {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with code ${server.exitCode}.`);
    try {
      return await ask(url, "select 1");
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** One statement, on a connection of its own. */
export async function ask(url, text) {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
