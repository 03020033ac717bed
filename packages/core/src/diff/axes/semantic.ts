/**
 * Semantic axis: how much the candidate's words still say what the baseline's said.
 *
 * The similarity of a pair is the cosine of its two texts as TF-IDF vectors (words weighted by how rare they are among all
 * texts of the diff; Salton and Buckley, 1988), or of an embedder's vectors when the caller gives one: 1 is the same, 0 shares
 * nothing. Sees added, dropped and replaced words. Blind to word order, to negation ("not" is one word among many), and,
 * without an embedder, to synonyms. Words are summed in order of first appearance, so the last digit repeats.
 */

import { SpoorError } from "../../errors.ts";
import type { Axis, AxisContext, ResponsePair } from "../axis.ts";

export const semanticAxis: Axis = {
  name: "semantic",
  grading: "value",
  statistic: "median",
  measure(pairs, context) {
    const candidate =
      context.embed === undefined ? tfIdfSimilarities(pairs) : embeddedSimilarities(pairs, context.embed);
    return { baseline: new Float64Array(pairs.length).fill(1), candidate };
  },
};

function tfIdfSimilarities(pairs: readonly ResponsePair[]): Float64Array {
  const similarities = new Float64Array(pairs.length).fill(1);
  const changed = pairs.filter((pair) => pair.baseline.textId !== pair.candidate.textId);
  if (changed.length === 0) return similarities;

  const corpus = new Corpus();
  for (const pair of changed) {
    corpus.learn(pair.baseline.text);
    corpus.learn(pair.candidate.text);
  }
  const occurrences = new Map<string, number>();
  for (const { baseline, candidate } of pairs) {
    occurrences.set(baseline.text, (occurrences.get(baseline.text) ?? 0) + 1);
    occurrences.set(candidate.text, (occurrences.get(candidate.text) ?? 0) + 1);
  }
  for (const [text, times] of occurrences) corpus.count(text, times);
  const documents = 2 * pairs.length;
  pairs.forEach(({ baseline, candidate }, index) => {
    if (baseline.textId === candidate.textId) return;
    similarities[index] = cosine(corpus.vector(baseline.text, documents), corpus.vector(candidate.text, documents));
  });
  return similarities;
}

/** Word numbers in order of first appearance, with weights. */
type Vector = Map<number, number>;

/** The words that matter (those of texts that changed) and in how many documents each occurs. */
class Corpus {
  private readonly words = new Map<string, number>();
  private readonly documentsOf: number[] = [];
  private readonly lastSeen: number[] = [];
  private counted = 0;

  learn(text: string): void {
    for (const word of splitWords(text)) {
      if (this.words.has(word)) continue;
      this.words.set(word, this.words.size);
      this.documentsOf.push(0);
      this.lastSeen.push(0);
    }
  }

  /** Counts a text that stands in `times` documents. */
  count(text: string, times: number): void {
    this.counted++;
    for (const word of splitWords(text)) {
      const number = this.words.get(word);
      if (number === undefined || this.lastSeen[number] === this.counted) continue;
      this.lastSeen[number] = this.counted;
      this.documentsOf[number]! += times;
    }
  }

  vector(text: string, documents: number): Vector {
    const frequencies: Vector = new Map();
    for (const word of splitWords(text)) {
      const number = this.words.get(word)!;
      frequencies.set(number, (frequencies.get(number) ?? 0) + 1);
    }
    for (const [number, frequency] of frequencies) {
      const rarity = Math.log((documents + 1) / (this.documentsOf[number]! + 1)) + 1;
      frequencies.set(number, (1 + Math.log(frequency)) * rarity);
    }
    return frequencies;
  }
}

function cosine(left: Vector, right: Vector): number {
  if (left.size === 0 && right.size === 0) return 1;
  if (left.size === 0 || right.size === 0) return 0;
  let dot = 0;
  for (const [word, weight] of left) dot += weight * (right.get(word) ?? 0);
  return clampUnit(dot / (lengthOf(left) * lengthOf(right)));
}

function lengthOf(vector: Vector): number {
  let sum = 0;
  for (const weight of vector.values()) sum += weight * weight;
  return Math.sqrt(sum);
}

const ASCII_WORD = /[a-z0-9]+/g;
const WORD = /[\p{Alphabetic}\p{N}]+/gu;

/** Lower-case runs of letters and digits; composed and decomposed spellings are the same word. */
export function splitWords(text: string): readonly string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for plain ASCII, which needs no normalisation
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  // Letter by letter a capital sigma has one lower case; only whole words give it a second, at their end.
  return text.normalize("NFC").replace(/Σ/g, "σ").toLowerCase().match(WORD) ?? [];
}

function embeddedSimilarities(pairs: readonly ResponsePair[], embed: NonNullable<AxisContext["embed"]>): Float64Array {
  const texts = pairs.flatMap((pair) => [pair.baseline.text, pair.candidate.text]);
  const vectors = embed(texts);
  if (vectors.length !== texts.length) {
    throw new SpoorError("diff.embedder", `The embedder gave ${vectors.length} vectors for ${texts.length} texts.`, {
      consequence: "Meaning was not compared, so nothing is reported.",
      hint: "An embedder must return exactly one vector per text, in order.",
    });
  }
  return Float64Array.from(pairs, (_, index) => vectorCosine(vectors[2 * index]!, vectors[2 * index + 1]!));
}

function vectorCosine(left: readonly number[], right: readonly number[]): number {
  if (left.length !== right.length) return 0;
  let dot = 0;
  let leftLength = 0;
  let rightLength = 0;
  for (let index = 0; index < left.length; index++) {
    dot += left[index]! * right[index]!;
    leftLength += left[index]! ** 2;
    rightLength += right[index]! ** 2;
  }
  if (leftLength === 0 && rightLength === 0) return 1;
  if (leftLength === 0 || rightLength === 0) return 0;
  return clampUnit(dot / Math.sqrt(leftLength * rightLength));
}

function clampUnit(value: number): number {
  return Math.min(1, Math.max(0, value));
}
