/** One side of the diff benchmark, in a process of its own; prints CPU seconds and the largest memory as JSON. */
import { readFileSync } from "node:fs";
import { diffTraceSets } from "@spoor/core/internal/diff/diff-traces";
import { pairTraces } from "@spoor/core/internal/diff/pair-traces";
import { loadTraces } from "spoor/internal/load/load-traces";

const [mode, baseline, candidate] = process.argv.slice(2) as [string, string, string];
const before = process.cpuUsage();
let result: unknown;
if (mode === "floor") result = [parseLines(baseline), parseLines(candidate)];
else {
  const traces = [await loadTraces([baseline]), await loadTraces([candidate])] as const;
  if (mode === "diff") result = diffTraceSets(pairTraces(...traces));
  else result = traces;
}
const used = process.cpuUsage(before);
console.log(
  JSON.stringify({
    seconds: (used.user + used.system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
    held: result !== undefined,
  }),
);

/** The floor: bare JSON.parse of every line, values kept. */
function parseLines(file: string): unknown[] {
  const kept: unknown[] = [];
  const bytes = readFileSync(file);
  let from = 0;
  while (from < bytes.length) {
    const end = bytes.indexOf(10, from);
    kept.push(JSON.parse(bytes.toString("utf8", from, end)));
    from = end + 1;
  }
  return kept;
}
