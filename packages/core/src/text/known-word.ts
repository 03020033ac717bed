/**
 * A word that a caller chose from a list. TypeScript checks it at compile time, JavaScript and configuration do not; a word that is
 * none of them would otherwise be taken for one of them in silence.
 */
import { SpoorError } from "../errors.ts";
import { nearest } from "./nearest.ts";

export function knownWord<W extends string>(word: W, words: readonly W[], what: string): W {
  if (words.includes(word)) return word;
  const close = typeof word === "string" ? nearest(word, words) : undefined;
  throw new SpoorError(
    "usage.unknown-word",
    `${what} must be one of ${words.join(", ")}; found ${JSON.stringify(word)}.`,
    {
      consequence: "Nothing was computed.",
      ...(close === undefined ? {} : { hint: `Did you mean ${JSON.stringify(close)}?` }),
    },
  );
}
