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
import { EITHER_IS_CHANGE } from "../direction.ts";
import { WordTable } from "./word-table.ts";

export const semanticAxis = {
  name: "semantic",
  unit: "ratio",
  grading: "value",
  statistic: "median",
  readsText: true,
  largeMove: 0.5,
  meaning: EITHER_IS_CHANGE,
  words: {
    is: "meaning of text",
    quantity: "similarity",
    more: "Replies say more of the same",
    less: "Replies say something else",
    noData: "there are no turn pairs",
  },
  measure(pairs, context) {
    const candidate =
      context.embed === undefined ? tfIdfSimilarities(pairs) : embeddedSimilarities(pairs, context.embed);
    return { baseline: new Float64Array(pairs.length).fill(1), candidate };
  },
} as const satisfies Axis;

function tfIdfSimilarities(pairs: readonly ResponsePair[]): Float64Array {
  const similarities = new Float64Array(pairs.length).fill(1);
  const changed = pairs.filter((pair) => pair.baseline.textId !== pair.candidate.textId);
  if (changed.length === 0) return similarities;

  const words = new WordTable();
  for (const { baseline, candidate } of changed) {
    words.learn(baseline.text);
    words.learn(candidate.text);
  }
  const documentsOf = countDocuments(words, pairs);
  const rarity = Float64Array.from(documentsOf, (documents) => Math.log((2 * pairs.length + 1) / (documents + 1)) + 1);
  pairs.forEach(({ baseline, candidate }, index) => {
    if (baseline.textId === candidate.textId) return;
    similarities[index] = cosine(weigh(words.find(baseline.text), rarity), weigh(words.find(candidate.text), rarity));
  });
  return similarities;
}

/** In how many texts each known word stands. Texts that occur often are read once. */
function countDocuments(words: WordTable, pairs: readonly ResponsePair[]): Int32Array {
  const times = new Map<number, { text: string; count: number }>();
  for (const pair of pairs) {
    for (const { textId, text } of [pair.baseline, pair.candidate]) {
      const known = times.get(textId);
      if (known === undefined) times.set(textId, { text, count: 1 });
      else known.count++;
    }
  }
  const documents = new Int32Array(words.size);
  const lastSeen = new Int32Array(words.size).fill(-1);
  for (const [textId, { text, count }] of times) {
    words.forEachKnown(text, (word) => {
      if (lastSeen[word] === textId) return;
      lastSeen[word] = textId;
      documents[word]! += count;
    });
  }
  return documents;
}

/** Word numbers in order of first appearance, with weights. */
type Vector = Map<number, number>;

function weigh(words: readonly number[], rarity: Float64Array): Vector {
  const vector: Vector = new Map();
  for (const word of words) vector.set(word, (vector.get(word) ?? 0) + 1);
  for (const [word, frequency] of vector) vector.set(word, (1 + Math.log(frequency)) * rarity[word]!);
  return vector;
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
