/** Counts, durations, tokens and money in words people read: every number has its unit. */

/** `1 turn`, `2 turns`, `12,345 turns`. */
export function count(amount: number, noun: string, plural = `${noun}s`): string {
  return `${integer(amount)} ${amount === 1 ? noun : plural}`;
}

/** `12,345` */
export function integer(value: number): string {
  if (Math.abs(value) >= 1e15) return value.toExponential(1);
  return String(Math.round(value)).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

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
