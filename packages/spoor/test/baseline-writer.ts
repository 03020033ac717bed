/** Updates one baseline many times: two of these at once are the test that no update is lost. */
import { buildTrace } from "@spoor/core";
import { addRun, createBaseline } from "@spoor/core/internal/fingerprint/baseline";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { createFileStore } from "../src/store/baseline-store.ts";

const [folder = "", name = "", times = "0"] = process.argv.slice(2);
const store = createFileStore(folder, { toolVersion: "0.0.0" });
const at = "2026-01-01T00:00:00Z";

for (let index = 0; index < Number(times); index++) {
  const payload = { tool_name: index % 2 === 0 ? "search" : name, tool_call_id: "c" };
  const facts = runFacts(buildTrace([{ kind: "tool_call", payload, meta: { trace_id: `${name}-${index}` } }]));
  await store.update("bot", (current) => {
    const producer = { tool: "spoor", version: "0", runner: "test" };
    const baseline = current ?? createBaseline({ agent: "bot", mode: "sequence", producer, now: at });
    addRun(baseline, facts);
    const generation = baseline.generation + 1;
    baseline.history.push({ generation, action: "update", at, by: name, why: "test", change: "1 run" });
    return baseline;
  });
}
