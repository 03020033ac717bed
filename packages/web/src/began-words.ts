import { duration } from "@spoor/core/internal/text/amounts";

/** `began 5.5 s in`: counted from the first thing of the run. */
export function beganWords(startMs: number): string {
  return startMs === 0 ? "began first" : `began ${duration(startMs)} in`;
}
