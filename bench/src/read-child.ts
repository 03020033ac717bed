/** One side of the reading benchmark, in a process of its own; prints its CPU seconds. */
import { readFileSync } from "node:fs";
import { loadTraceFile } from "spoor/internal/load/load-traces";

const [mode, file] = process.argv.slice(2) as [string, string];
const before = process.cpuUsage();
if (mode === "floor") {
  const kept: unknown[] = [];
  const bytes = readFileSync(file);
  let from = 0;
  while (from < bytes.length) {
    const end = bytes.indexOf(10, from);
    kept.push(JSON.parse(bytes.toString("utf8", from, end)));
    from = end + 1;
  }
} else {
  await loadTraceFile(file);
}
const used = process.cpuUsage(before);
console.log((used.user + used.system) / 1e6);
