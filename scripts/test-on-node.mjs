// `node scripts/test-on-node.mjs 22 24`: the other versions of Node that are promised. With each a part of the suite that touches what differs
// between versions (files, streams, threads, numbers, dates, text, the loader); and every command must write the same bytes as with this one.
// The programs come from the registry and are kept; where it cannot be reached in time the version is left out, and that is said.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { ensureBuilt, ensureInstalled, root } from "./ensure-installed.mjs";

const PART = [
  "packages/core/src/canonical",
  "packages/core/src/read",
  "packages/core/src/trace",
  "packages/spoor/src/formats/recognition.test.ts",
  "packages/spoor/test/e2e/streams.test.ts",
];
const FETCH_MS = 120_000;

ensureInstalled();
ensureBuilt();
const versions = process.argv.slice(2);
const programs = versions
  .map((version) => [version, fetchNode(version)])
  .filter(([, program]) => program !== undefined);
for (const [version, program] of programs) {
  console.log(`Node ${version}: ${spawnSync(program, ["--version"], { encoding: "utf8" }).stdout.trim()}`);
  vitest(program, PART, {});
}
if (programs.length > 0)
  vitest(process.execPath, ["packages/spoor/test/e2e/determinism.test.ts"], {
    SPOOR_OTHER_NODES: programs.map(([, program]) => program).join(delimiter),
  });
console.log(`other versions of Node: ${programs.length} of ${versions.length} tried, all fine`);

/** Undefined where the registry does not give it in time. */
function fetchNode(version) {
  const name = `node-${process.platform === "win32" ? "win" : process.platform}-${process.arch}`;
  const folder = join(process.env.SPOOR_NODE_CACHE ?? join(tmpdir(), "spoor-nodes"), version);
  const program = join(folder, "node_modules", name, "bin", process.platform === "win32" ? "node.exe" : "node");
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    const words = [
      "install",
      "--prefix",
      folder,
      "--no-save",
      "--ignore-scripts",
      "--no-audit",
      "--no-fund",
      "--fetch-retries=1",
      `${name}@${version}`,
    ];
    spawnSync("npm", words, { cwd: folder, stdio: "ignore", timeout: FETCH_MS });
  }
  if (existsSync(program) && spawnSync(program, ["--version"]).status === 0) return program;
  console.log(`Notice: Node ${version} is left out: the package ${name} could not be fetched.`);
  return undefined;
}

function vitest(program, files, env) {
  const run = spawnSync(
    program,
    [`${root}node_modules/vitest/vitest.mjs`, "run", "--reporter=dot", "--maxWorkers=2", ...files],
    {
      cwd: root,
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, NO_COLOR: "1", ...env },
    },
  );
  if (run.status !== 0) process.exit(run.status ?? 1);
}
