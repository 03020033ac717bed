/** How readers say whether some content is theirs, and which of them gets it. */

/**
 * How sure a format is. 0: not this. From 0.5 on it is a candidate; the highest score wins. `has` and `lacks` name the
 * keys that spoke for and against, for the message about the nearest format.
 */
export interface Recognition {
  readonly score: number;
  readonly has?: readonly string[];
  readonly lacks?: readonly string[];
}

export const NOT_RECOGNISED: Recognition = { score: 0 };

/** The reader that some content belongs to, the first of equals; undefined when none claims it. */
export function chooseReader<T>(readers: readonly T[], recognise: (reader: T) => Recognition): T | undefined {
  let best: T | undefined;
  let bestScore = 0;
  for (const reader of readers) {
    const { score } = recognise(reader);
    if (score < 0.5 || score <= bestScore) continue;
    best = reader;
    bestScore = score;
    // With thousands of small files, asking everyone after a certain answer would cost more than reading.
    if (score >= 1) break;
  }
  return best;
}
