/** How long a server asks to wait, in milliseconds: `retry-after-ms`, else `Retry-After` as seconds or as a date. */
export function retryAfterMs(
  headers: { get(name: string): string | null },
  nowMs: number = Date.now(),
): number | undefined {
  const exact = amountOf(headers.get("retry-after-ms"));
  if (exact !== undefined) return exact;
  const header = headers.get("retry-after");
  const seconds = amountOf(header);
  if (seconds !== undefined) return seconds * 1000;
  // Only a date has letters; `Date.parse` would make a year of a bare number.
  const date = header !== null && /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

function amountOf(text: string | null): number | undefined {
  if (text === null || text.trim() === "") return undefined;
  const amount = Number(text);
  return Number.isFinite(amount) && amount >= 0 ? amount : undefined;
}
