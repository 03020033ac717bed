/**
 * One side of the floor benchmark, in a process of its own; prints its CPU seconds and the largest memory as JSON. `keep` is bare JSON.parse
 * of every line with the values kept, `read` is the model. The first file is read before the clock starts, as start-up.
 */
import { parseLines } from "./parse-lines.ts";

const [mode, first, ...rest] = process.argv.slice(2) as [string, string, ...string[]];
// Loaded before the clock starts: what is asked is what the work costs, and `start-up` has benchmarks of its own.
const { loadTraceFile } =
  mode === "read" ? await import("spoor/internal/load/load-traces") : { loadTraceFile: undefined };
const work = async (files: readonly string[]) =>
  loadTraceFile === undefined
    ? files.map((file) => parseLines(file))
    : Promise.all(files.map((file) => loadTraceFile(file)));
const small = await work([first]);
const before = process.cpuUsage();
const held = await work(rest);
const used = process.cpuUsage(before);
console.log(
  JSON.stringify({
    seconds: (used.user + used.system) / 1e6,
    megabytes: process.resourceUsage().maxRSS / 1024,
    held: held.length + small.length,
  }),
);
