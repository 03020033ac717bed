/** One side of the fingerprint benchmark, in a process of its own; prints CPU seconds and peak memory as JSON. */
import { readdirSync, readFileSync } from "node:fs";
import { addRun, createBaseline } from "@spoor/core/internal/fingerprint/baseline";
import { renderBaselineFile } from "@spoor/core/internal/fingerprint/baseline-json";
import { fingerprintTrace } from "@spoor/core/internal/fingerprint/fingerprint-trace";
import { runFacts } from "@spoor/core/internal/fingerprint/run-facts";
import { streamTraces } from "spoor/internal/load/load-traces";

const [mode, folder] = process.argv.slice(2) as [string, string];
const before = process.cpuUsage();
if (mode === "floor") {
  for (const name of readdirSync(folder).sort()) {
    // A trace is held whole until its end, so the floor holds its lines too.
    const kept: unknown[] = [];
    for (const line of readFileSync(folder + name, "utf8").split("\n")) if (line !== "") kept.push(JSON.parse(line));
  }
} else if (mode === "fingerprint") {
  const hashes: string[] = [];
  for await (const trace of streamTraces([folder])) hashes.push(fingerprintTrace(trace).hash);
} else {
  const baseline = createBaseline({
    agent: "a",
    mode: "sequence",
    producer: { tool: "bench", version: "0", runner: "bench" },
    now: "",
  });
  for await (const trace of streamTraces([folder])) addRun(baseline, runFacts(trace));
  renderBaselineFile(baseline);
}
const used = process.cpuUsage(before);
console.log(JSON.stringify({ cpu: (used.user + used.system) / 1e6, memory: process.resourceUsage().maxRSS / 1024 }));
