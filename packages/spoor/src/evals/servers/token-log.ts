/** Tokens of the last minute, as far as they are known, and when there is room for more of them. */
export interface TokenLog {
  limit(perMinute: number): void;
  add(tokens: number): { correct(tokens: number): void };
  /** When so many more fit; a request that is larger than the limit itself goes when nothing else counts. */
  roomAt(tokens: number): number;
}

const MINUTE = 60_000;

export function createTokenLog(clock: { now(): number }): TokenLog {
  const entries: { readonly at: number; tokens: number }[] = [];
  let perMinute = Number.POSITIVE_INFINITY;
  return {
    limit(limit) {
      perMinute = Math.min(perMinute, limit);
    },
    add(tokens) {
      const entry = { at: clock.now(), tokens };
      if (perMinute !== Number.POSITIVE_INFINITY) entries.push(entry);
      return {
        correct(known) {
          entry.tokens = known;
        },
      };
    },
    roomAt(tokens) {
      const now = clock.now();
      while (entries.length > 0 && entries[0]!.at + MINUTE <= now) entries.shift();
      let used = entries.reduce((sum, entry) => sum + entry.tokens, 0);
      let at = Number.NEGATIVE_INFINITY;
      for (const entry of entries) {
        if (used + tokens <= perMinute || used === 0) break;
        used -= entry.tokens;
        at = entry.at + MINUTE;
      }
      return at;
    },
  };
}
