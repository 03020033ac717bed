/** Numbers and counts in words people read: every number has a unit or an "of how many". */

/** `1 turn`, `2 turns`, `12,345 turns`. */
export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${integer(amount)} ${amount === 1 ? noun : plural}`;
}

/** `12,345` */
export function integer(value: number): string {
  if (Math.abs(value) >= 1e15) return value.toExponential(1);
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Small numbers as words: `nine`, `ten`, and `13` beyond. */
export function inWords(amount: number): string {
  return NUMBERS[amount] ?? integer(amount);
}

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

/** `0.3 s`, `11.5 s`, `2 min 5 s`, `826 ms` below a tenth of a second. */
export function duration(ms: number): string {
  if (ms < 100) return `${ms < 10 && ms > 0 ? ms.toFixed(1) : Math.round(ms)} ms`;
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** `812 tok`, `33.5k tok`, `1.2M tok`. */
export function tokens(amount: number): string {
  if (amount < 1000) return `${integer(amount)} tok`;
  if (amount < 999_950) return `${(amount / 1000).toFixed(1)}k tok`;
  return `${(amount / 1_000_000).toFixed(1)}M tok`;
}

/** `812 B`, `33.5 kB`, `1.2 MB`. */
export function bytes(amount: number): string {
  if (amount < 1000) return `${amount} B`;
  const [size, unit] =
    amount < 999_950 ? [amount / 1e3, "kB"] : amount < 999_950_000 ? [amount / 1e6, "MB"] : [amount / 1e9, "GB"];
  return `${size.toFixed(1)} ${unit}`;
}

/** `$0.29`, `$1,204`; below a cent three digits that say something: `$0.00140`. */
export function dollars(amount: number): string {
  const size = Math.abs(amount);
  if (size === 0) return "$0";
  if (size >= 1000) return `$${integer(amount)}`;
  if (size >= 0.01) return `$${amount.toFixed(2)}`;
  if (size < 0.0000095) return `$${amount.toExponential(0)}`;
  return `$${amount.toFixed(Math.min(6, 2 - Math.floor(Math.log10(size))))}`;
}

/** `24 %`; below one percent one decimal. */
export function percent(share: number): string {
  const value = share * 100;
  return value > 0 && value < 1 ? `${value.toFixed(1)} %` : `${Math.round(value)} %`;
}

/** `7 to 50 %`: the unit once. */
export function percentRange(low: number, high: number): string {
  return `${percent(low).slice(0, -2)} to ${percent(high)}`;
}

/** A share with enough digits to be true: `0.05 %`, `3.1 %`, `31 %`. */
export function exactPercent(share: number): string {
  if (share >= 0.1 || share === 0) return percent(share);
  return `${(share * 100).toFixed(share >= 0.01 ? 1 : 2).replace(/\.0$/, "")} %`;
}

/** `p = 0.74`, `p = 0.0078`, `p below 0.0001`: with as many digits as it deserves. */
export function pWords(p: number): string {
  if (p < 0.0001) return "p below 0.0001";
  return `p = ${p.toFixed(p >= 0.1 ? 2 : p >= 0.01 ? 3 : 4)}`;
}

/** How often chance does something: `fewer than 1 of 1,000`, `4 of 1,000`, `50 of 100`. */
export function chanceShare(chance: number): string {
  if (chance < 0.001) return "fewer than 1 of 1,000";
  const of = chance < 0.095 ? 1000 : 100;
  return `${integer(Math.max(1, chance * of))} of ${integer(of)}`;
}

/** `+12`, `−3`, `0`. */
export function signed(value: number): string {
  const rounded = Math.round(value);
  return rounded > 0 ? `+${integer(rounded)}` : rounded < 0 ? `−${integer(-rounded)}` : "0";
}

/** At most `length` characters, the ellipsis among them. */
export function clip(text: string, length: number): string {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join("")}…`;
}

/** `a`, `a and b`, `a, b and c`. */
export function list(items: readonly string[], joiner = "and"): string {
  if (items.length <= 1) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${joiner} ${items[items.length - 1]}`;
}
