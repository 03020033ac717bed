/** Under which conditions figures were taken: without them a figure cannot be compared with another. No date: the history has it. */
import { availableParallelism, loadavg } from "node:os";

/** Call at the start; what it gives, at the end. */
export function beginConditions(): () => string {
  const before = loadavg()[0]!;
  return () =>
    `Node ${process.versions.node}, ${availableParallelism()} cores, load average ${before.toFixed(1)} before and ${loadavg()[0]!.toFixed(1)} after`;
}
