/** One side of the reading benchmark, in a process of its own; prints its CPU seconds. */
import { loadTraceFile } from "spoor/internal/load/load-traces";
import { parseLines } from "./parse-lines.ts";

const [mode, file] = process.argv.slice(2) as [string, string];
const before = process.cpuUsage();
if (mode === "floor") parseLines(file);
else await loadTraceFile(file);
const used = process.cpuUsage(before);
console.log((used.user + used.system) / 1e6);
