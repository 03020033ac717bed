// `npm test`: installs and builds what is missing, then runs the whole suite and prints one plain line of counts.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureChromium } from "./ensure-chromium.mjs";
import { ensureBuilt, ensureInstalled, root } from "./ensure-installed.mjs";
import { ensurePostgres } from "./ensure-postgres.mjs";

ensureInstalled();
ensureBuilt();
ensureChromium();
ensurePostgres();

// A job of this repository may be one of a pull request; the runs that tests make are none, unless they say so.
const {
  GITHUB_EVENT_NAME: _event,
  CI_MERGE_REQUEST_IID: _request,
  CI_PIPELINE_SOURCE: _source,
  ...environment
} = process.env;

const folder = mkdtempSync(join(tmpdir(), "spoor-test-"));
const report = join(folder, "report.json");
const vitest = spawnSync(
  process.execPath,
  [
    `${root}node_modules/vitest/vitest.mjs`,
    "run",
    "--reporter=default",
    "--reporter=json",
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  {
    cwd: root,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...environment, NO_COLOR: process.env.NO_COLOR ?? (process.stdout.isTTY ? "" : "1") },
  },
);
const {
  numPassedTests = 0,
  numFailedTests = 0,
  numPendingTests = 0,
  numTodoTests = 0,
  testResults = [],
} = readReport();
rmSync(folder, { recursive: true, force: true });

const skipped = testResults
  .flatMap((file) => file.assertionResults)
  .filter((test) => test.status === "pending" || test.status === "skipped");
for (const name of new Set(skipped.map((test) => test.ancestorTitles[0] ?? test.title)))
  console.log(`skipped: ${name}`);
const failed = numFailedTests === 0 && vitest.status !== 0 ? 1 : numFailedTests;
console.log(`${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped`);
process.exit(vitest.status ?? 1);

function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    return {};
  }
}
