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
    // What a failing build says must be seen.
    stdio: ["ignore", process.stderr, process.stderr],
  });
  if (npm.status !== 0) {
    console.error("npm ci failed; see above. It needs access to a package registry.");
    process.exit(2);
  }
  writeFileSync(stamp, lock);
}

/** Compiles what changed since the last build, and bundles what is carried as one file. */
export function ensureBuilt() {
  copyDemo();
  run(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "-b"]);
  const core = `${root}packages/core/`;
  bundle(core, [...filesIn(`${core}src/bundled/`), `${core}vite.config.ts`], `${core}dist/bundled/ajv-bundle.js`);
  const record = `${root}packages/record/`;
  const carried = [core, record].flatMap((folder) => sourcesIn(`${folder}src`));
  bundle(
    record,
    [...carried, `${record}vite.config.ts`, ...filesIn(`${root}scripts/bundling/`)],
    `${record}dist/bundled/index.js`,
  );
  const spoor = `${root}packages/spoor/`;
  const program = [...carried, ...sourcesIn(`${spoor}src`)];
  const own = [`${spoor}vite.config.ts`, ...filesIn(`${root}scripts/bundling/`)];
  for (const mode of ["hook", "cli"])
    bundle(spoor, [...program, ...own], `${spoor}dist/bundled/${mode}/parts.json`, mode);
  const web = `${root}packages/web/`;
  const pages = [...sourcesIn(`${core}src`), ...filesBelow(`${web}src`), `${web}vite.config.ts`];
  bundle(web, pages, `${root}packages/spoor/dist/web/report.js`);
  bundle(web, pages, `${root}packages/server/dist/web/index.html`, "dashboard");
}

function filesIn(folder) {
  return readdirSync(folder).map((name) => folder + name);
}

/** Every source below a folder; tests are bundled nowhere. */
function sourcesIn(folder) {
  return filesBelow(folder).filter((name) => name.endsWith(".ts"));
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith(".test.ts"))
    .map((entry) => `${entry.parentPath}/${entry.name}`);
}

/** The demo tells the story of examples/refund, which stands in the package as dist/demo. */
function copyDemo() {
  const demo = `${root}packages/spoor/dist/demo`;
  rmSync(demo, { recursive: true, force: true });
  for (const part of ["baseline", "candidate", "policies", "baselines", "spoor.config.yaml", "evaluators.yaml"]) {
    cpSync(`${root}examples/refund/${part}`, `${demo}/${part}`, { recursive: true });
  }
}

/** Runs a package's own Vite configuration when a source is newer than the result. */
function bundle(folder, sources, result, mode = "production") {
  const newest = Math.max(...sources.map((file) => statSync(file).mtimeMs));
  if (existsSync(result) && statSync(result).mtimeMs >= newest) return;
  run(process.execPath, [`${root}node_modules/vite/bin/vite.js`, "build", "--mode", mode, "--logLevel", "warn"], {
    cwd: folder,
  });
}

/** Runs a command with our own terminal and ends with its exit code when it fails. */
export function run(command, args, options = {}) {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: "inherit", ...options });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}
