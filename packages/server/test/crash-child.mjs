// node crash-child.mjs STORE POINT: lives a little and kills itself at a statement. Says what was acknowledged as soon as it was.
import { createHash } from "node:crypto";
import { writeSync } from "node:fs";
import { openStore } from "@spoor/server/internal/store/open-store";

const [address, point] = process.argv.slice(2);
let seen = -1;
const store = await openStore(address, {
  watch() {
    if (seen < 0 || seen++ !== Number(point)) return;
    process.kill(process.pid, "SIGKILL");
    for (;;);
  },
});
const { id: projectId } = await store.projects.ensure("one");
const arrival = (text) => ({
  projectId,
  contentId: createHash("sha256").update(text).digest(),
  source: {},
  codec: "plain",
  body: Buffer.from(text),
  receivedAt: Date.UTC(2026, 10, 16, 12),
});
const run = ({ contentId, body }) => ({
  contentId,
  agent: "support",
  release: "v1",
  name: body.toString("utf8"),
  format: "agentlog",
  status: "passed",
  turns: 1,
  calls: 1,
  errors: 0,
  callsWithoutResult: 0,
  replayed: 0,
  standIns: 0,
  unknownRecords: 0,
  hashVersion: "1",
  mode: "tools",
  fingerprint: "f1",
  structural: "s1",
  verdict: "new",
  path: [],
  tools: [{ name: "search", calls: 1, errors: 0 }],
  stages: [{ stage: "policy", configHash: "c1", result: null }],
  findings: [{ configHash: "c1", ruleId: "r", kind: "k", severity: "error", code: "x", subject: "s", evidence: null }],
  body: { codec: "plain", bytes: body },
});
seen = 0;
for (const text of ["a", "b"]) {
  await store.inbox.append([arrival(text)]);
  writeSync(1, `${text}\n`);
  await store.inbox.claim(10, async (arrivals) =>
    arrivals.map((one) => ({ kind: "runs", runs: [run({ ...one, body: Buffer.from(one.body) })] })),
  );
}
process.kill(process.pid, "SIGKILL");
