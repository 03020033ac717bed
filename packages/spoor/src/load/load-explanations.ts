/** What the words mean that Spoor prints: the reference pages as data, made from the definitions (scripts/explanations.mjs). */
import { readFileSync } from "node:fs";
import { packageFile } from "../package-files.ts";

export interface Explanation {
  /** As it is printed: `input.missing`, `no_call`, `exit 2`. */
  readonly word: string;
  readonly also?: readonly string[];
  /** `error`, `rule kind`, `drift signal`. */
  readonly kind: string;
  /** Paragraphs. */
  readonly text: readonly string[];
  /** What it takes. */
  readonly keys?: readonly {
    readonly key: string;
    readonly type: string;
    /** `required`, the default as JSON, or empty. */
    readonly need: string;
    readonly help: string;
  }[];
  /** Where more is said. */
  readonly page: string;
}

export function loadExplanations(): readonly Explanation[] {
  return JSON.parse(readFileSync(packageFile("explanations.json"), "utf8")) as Explanation[];
}

/** Those of a word, however it is spelled: an evaluator and a rule may share one. */
export function explanationsOf(word: string): readonly Explanation[] {
  const wanted = plain(word);
  return loadExplanations().filter((one) => [one.word, ...(one.also ?? [])].some((known) => plain(known) === wanted));
}

function plain(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replaceAll("-", "_")
    .replace(/^exit[ _]?(code[ _]?)?/, "exit ");
}
