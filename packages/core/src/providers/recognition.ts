/** How readers say whether some content is theirs. */

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
