import { basename } from "node:path";
import type { Trace } from "@spoor/core";

/** Everything a case may be called to mean this recording, the plainest first. */
export function recordingNames(trace: Trace): string[] {
  const { path, entry } = trace.source;
  const file = path === undefined ? undefined : basename(path).replace(/(\.[A-Za-z0-9]+)+$/, "");
  return [trace.scenario, entry, file, file?.replace(/_attempt-[0-9]+$/, ""), trace.id].filter(
    (name): name is string => name !== undefined && name !== "",
  );
}
