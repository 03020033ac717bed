/**
 * Learns examples/refund/baselines/support_agent.json from fifty recorded runs: the five baseline tickets over and over,
 * sixteen times an order's status, twenty-four refunds, ten changes of address. The behaviours get the names people use.
 * Run after a build: node scripts/build-refund-baseline.mjs
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { renderBaselineFile } from "../packages/core/dist/fingerprint/baseline-json.js";
import { parseBaseline } from "../packages/core/dist/fingerprint/parse-baseline.js";

const root = fileURLToPath(new URL("..", import.meta.url));
const example = join(root, "examples/refund");
const recorded = [
  ...Array(16).fill("ticket-1041"),
  ...Array.from({ length: 24 }, (_, index) => ["ticket-1042", "ticket-1044", "ticket-1045"][index % 3]),
  ...Array(10).fill("ticket-1043"),
];

const folder = mkdtempSync(join(tmpdir(), "spoor-refund-"));
mkdirSync(join(folder, "runs"));
for (const [index, ticket] of recorded.entries()) {
  const name = `recorded-${String(index + 1).padStart(2, "0")}`;
  const text = readFileSync(join(example, "baseline", `${ticket}.agentlog`), "utf8");
  // The name of the run and its times differ from run to run; what the agent did does not.
  const later = text
    .replaceAll(`"trace_id":"${ticket}"`, `"trace_id":"${name}"`)
    .replace(/"latency_ms":(\d+)/g, (_all, ms) => `"latency_ms":${Number(ms) + ((index * 37) % 120) - 60}`);
  writeFileSync(join(folder, "runs", `${name}.agentlog`), later);
}
const built = spawnSync(
  process.execPath,
  [join(root, "packages/spoor/bin/spoor.js"), "baseline", "build", "runs", "--by", "support team", "--quiet"],
  {
    cwd: folder,
    stdio: "inherit",
    env: { ...process.env, CI: "" },
  },
);
if (built.status !== 0) process.exit(built.status ?? 1);

const file = join(folder, "baselines/support_agent.json");
const names = [
  ["issue_refund", "refund"],
  ["update_address", "address change"],
  ["lookup_order", "order status"],
];
const text = readFileSync(file, "utf8");
const baseline = JSON.parse(text);
// Part of the story, like everything else in it: the day the baseline tickets were answered.
baseline.updated_at = "2026-03-02T10:00:00.000Z";
baseline.history[0].at = baseline.updated_at;
for (const intent of Object.values(baseline.intents)) {
  const path = JSON.stringify(intent);
  intent.name = names.find(([tool]) => path.includes(tool))[1];
}
mkdirSync(join(example, "baselines"), { recursive: true });
const parsed = parseBaseline(JSON.stringify(baseline), { file, toolVersion: "0.1.0" });
writeFileSync(join(example, "baselines/support_agent.json"), renderBaselineFile(parsed));
rmSync(folder, { recursive: true, force: true });
