/**
 * Cohen's kappa of two raters with two answers: how far they agree beyond what chance gives. The interval uses the large-sample
 * standard error of Fleiss, Cohen and Everitt (1969, Psychological Bulletin 72).
 */
export interface Agreement {
  /** Both said yes, only the first, only the second, neither. */
  readonly both: number;
  readonly onlyFirst: number;
  readonly onlySecond: number;
  readonly neither: number;
}

export interface Kappa {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

const Z95 = 1.959963984540054;

/** Undefined where chance alone would agree always: one answer was given throughout by both. */
export function cohenKappa({ both, onlyFirst, onlySecond, neither }: Agreement): Kappa | undefined {
  const n = both + onlyFirst + onlySecond + neither;
  if (n === 0) return undefined;
  const cells = [
    [both / n, onlyFirst / n],
    [onlySecond / n, neither / n],
  ] as const;
  const rows = [cells[0][0] + cells[0][1], cells[1][0] + cells[1][1]] as const;
  const columns = [cells[0][0] + cells[1][0], cells[0][1] + cells[1][1]] as const;
  const observed = cells[0][0] + cells[1][1];
  const expected = rows[0] * columns[0] + rows[1] * columns[1];
  if (1 - expected < 1e-12) return undefined;
  const value = (observed - expected) / (1 - expected);
  const places = [0, 1] as const;
  const agreeing = places.reduce<number>(
    (sum, at) => sum + cells[at][at] * (1 - (rows[at] + columns[at]) * (1 - value)) ** 2,
    0,
  );
  const disagreeing = places.reduce<number>(
    (sum, at) => sum + cells[at][at === 0 ? 1 : 0] * (columns[at] + rows[at === 0 ? 1 : 0]) ** 2,
    0,
  );
  const variance =
    (agreeing + (1 - value) ** 2 * disagreeing - (value - expected * (1 - value)) ** 2) / ((1 - expected) ** 2 * n);
  const half = Z95 * Math.sqrt(Math.max(0, variance));
  return { value, low: Math.max(-1, value - half), high: Math.min(1, value + half) };
}
