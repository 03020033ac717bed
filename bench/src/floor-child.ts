/**
 * One side of the floor benchmark, in a process of its own; prints its CPU seconds and the largest memory as JSON. `keep` and `drop` are
 * bare JSON.parse of every line, with the values kept or forgotten; `read` is the model; anything else is a command line, run to its
 * end with its output thrown away.
 */
import { parseLines } from "./parse-lines.ts";

const [mode, ...rest] = process.argv.slice(2) as [string, ...string[]];
let held: unknown;
// Loaded before the clock starts: what is asked is what the work costs, and `start-up` has benchmarks of its own.
const { loadTraceFile } =
  mode === "read" ? await import("spoor/internal/load/load-traces") : { loadTraceFile: undefined };
const before = process.cpuUsage();
if (loadTraceFile !== undefined) held = await Promise.all(rest.map((file) => loadTraceFile(file)));
else held = rest.map((file) => parseLines(file, mode === "keep"));
const used = process.cpuUsage(before);
console.log(
  JSON.stringify({
    seconds: (used.user + used.system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
    held: held !== undefined,
  }),
);
