/**
 * Figures of runs as whole numbers both engines can hold and add up. What a recording claims beyond a million million (of tokens, calls, milliseconds)
 * is cut off there, so that sums over many runs stay exact.
 */
const MOST = 1e12;
/** The last millisecond a `Date` can hold. */
const LAST_TIME = 8.64e15;

export function figure(value: number): number;
export function figure(value: number | undefined): number | null;
export function figure(value: number | undefined): number | null {
  return whole(value, MOST);
}

export function timeFigure(value: number | undefined): number | null {
  return whole(value, LAST_TIME);
}

function whole(value: number | undefined, most: number): number | null {
  if (value === undefined || Number.isNaN(value)) return null;
  return Math.round(Math.min(most, Math.max(-most, value)));
}
