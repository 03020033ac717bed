/** Milliseconds between two moments, to the microsecond; a clock that was set back gives 0. */
export function elapsedMs(fromMs: number, toMs: number): number {
  return Math.max(0, Math.round((toMs - fromMs) * 1000) / 1000);
}
