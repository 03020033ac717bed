/** One side of the diff benchmark, in a process of its own; prints CPU seconds and the largest memory as JSON. */
import { diffTraceSets } from "@spoor/core/internal/diff/diff-traces";
import { pairTraces } from "@spoor/core/internal/diff/pair-traces";
import { loadTraces } from "spoor/internal/load/load-traces";
import { parseLines } from "./parse-lines.ts";

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
