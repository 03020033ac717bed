// Installs the dependencies when they are missing or older than the lock file. Used by `npm test`, `npm run demo` and CI.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));

export function ensureInstalled() {
  const stamp = `${root}node_modules/.spoor-lock`;
  const lock = createHash("sha256")
    .update(readFileSync(`${root}package-lock.json`))
    .digest("hex");
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === lock) return;
  console.error("Installing dependencies (npm ci) …");
  const npm = spawnSync("npm", ["ci", "--no-audit", "--no-fund"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (npm.status !== 0) {
    console.error("npm ci failed. It needs access to a package registry.");
    process.exit(2);
  }
  writeFileSync(stamp, lock);
}

/** Compiles what changed since the last build, and the report's page when its sources are newer than it. */
export function ensureBuilt() {
  // The demo tells the story of examples/refund, which stands in the package as dist/demo.
  const demo = `${root}packages/spoor/dist/demo`;
  rmSync(demo, { recursive: true, force: true });
  for (const part of ["baseline", "candidate", "policies", "baselines", "spoor.config.yaml", "evaluators.yaml"]) {
    cpSync(`${root}examples/refund/${part}`, `${demo}/${part}`, { recursive: true });
  }
  run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-b"]);
  const page = `${root}packages/spoor/dist/web/report.js`;
  const sources = readdirSync(`${root}packages/web/src`).map((name) => `${root}packages/web/src/${name}`);
  const newest = Math.max(...[...sources, `${root}packages/web/vite.config.ts`].map((file) => statSync(file).mtimeMs));
  if (existsSync(page) && statSync(page).mtimeMs >= newest) return;
  run(process.execPath, [`${root}node_modules/vite/bin/vite.js`, "build", "--logLevel", "warn"], {
    cwd: `${root}packages/web`,
  });
}

/** Runs a command with our own terminal and ends with its exit code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
