/**
 * Runs in the form the test works on: numbers only. Names, tokens and words are replaced by small integers that one
 * observer shares, so that a trace can be forgotten as soon as it has been observed. Cost: linear in the run.
 */
import { Interner } from "../stats/intern.ts";
import { knownWord } from "../text/known-word.ts";
import {
  type AbsentMeans,
  absentMeans,
  bucketName,
  byGroup,
  dependsOn,
  type Group,
  groups,
  type RunDetail,
  readRun,
} from "./features.ts";
import { type CohortRun, type Ending, type RunOrigin, type Side, sides } from "./run.ts";
import { BUCKETS, wordBucket } from "./words.ts";

/** One feature over all runs. */
export interface Column {
  readonly group: Group;
  readonly identity: string;
  readonly absent: AbsentMeans;
  /** For `absent: "dependent"`: the column that is present exactly when this one applies. */
  readonly dependsOn: number;
}

/** A sparse row: the values of the columns that are present. */
export interface Row {
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

export interface Observation extends Row {
  readonly scenario: string;
  readonly wholeName?: string;
  readonly side: Side;
  readonly turns: number;
  /** How it ended without an answer; absent when it ended with one. */
  readonly ended?: Ending;
  /** Tool of every call, in order. */
  readonly names: Int32Array;
  /** Tool and arguments of every call, in order. */
  readonly tokens: Int32Array;
  readonly effectNames: Int32Array;
  /** Without free text, and in a numbering of their own. */
  readonly effectTokens: Int32Array;
  /** The part of the row that is the text group, as bucket numbers and values. */
  readonly buckets: Uint8Array;
  readonly bucketValues: Float64Array;
  /** Distinct words, for illustration only. */
  readonly words: Int32Array;
  readonly origin: RunOrigin;
}

export interface Observer {
  readonly columns: readonly Column[];
  /** Tool names by number. */
  readonly tools: readonly string[];
  readonly words: readonly string[];
  observe(run: CohortRun): Observation;
}

export function createObserver(): Observer {
  return new InterningObserver();
}

class InterningObserver implements Observer {
  readonly columns: Column[] = [];
  readonly tools: string[] = [];
  readonly words: string[] = [];
  private readonly columnOf = byGroup(() => new Map<string, number>());
  private readonly columnOfBucket = new Int32Array(BUCKETS).fill(-1);
  private readonly toolOf = new Map<string, number>();
  private readonly wordOf = new Map<string, number>();
  private readonly bucketOfWord: number[] = [];
  /** How many runs were observed, this one included, and per word the number of the last one that has it. */
  private observed = 0;
  private readonly lastRunWith: number[] = [];
  private readonly tokenOf = new Interner<string>();
  private readonly effectTokenOf = new Interner<string>();

  observe(run: CohortRun): Observation {
    knownWord(run.side, sides, "side");
    this.observed++;
    const words: number[] = [];
    const detail = readRun(run, (word) => {
      const number = this.word(word);
      if (this.lastRunWith[number] !== this.observed) {
        this.lastRunWith[number] = this.observed;
        words.push(number);
      }
      return this.bucketOfWord[number]!;
    });
    const names = new Int32Array(run.calls.length);
    for (let index = 0; index < names.length; index++) {
      names[index] = numberOf(this.toolOf, this.tools, run.calls[index]!.name);
    }
    const tokens = this.tokenOf.internAll(detail.tokens);
    const ended = run.turns === 0 ? "no_response" : run.ended;
    return {
      ...this.rowAndBuckets(detail),
      scenario: run.scenario,
      side: run.side,
      turns: run.turns,
      ...(ended === undefined ? {} : { ended }),
      ...(run.wholeName === undefined ? {} : { wholeName: run.wholeName }),
      names,
      tokens,
      effectNames: pick(names, detail.effects),
      effectTokens: this.effectTokenOf.internAll(detail.effectTokens),
      words: new Int32Array(words),
      origin: run.origin ?? {},
    };
  }

  private rowAndBuckets({ features, buckets: vector }: RunDetail): Row & Pick<Observation, "buckets" | "bucketValues"> {
    let filled = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) if (vector[bucket] !== 0) filled++;
    let size = filled;
    for (const group of NAMED_GROUPS) size += features[group].size;
    const columns = new Int32Array(size);
    const values = new Float64Array(size);
    const buckets = new Uint8Array(filled);
    let at = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      if (vector[bucket] === 0) continue;
      buckets[at] = bucket;
      columns[at] = this.bucketColumn(bucket);
      values[at++] = vector[bucket]!;
    }
    for (const group of NAMED_GROUPS) {
      for (const [identity, value] of features[group]) {
        columns[at] = this.column(group, identity);
        values[at++] = value;
      }
    }
    return { columns, values, buckets, bucketValues: values.subarray(0, filled) };
  }

  private bucketColumn(bucket: number): number {
    if (this.columnOfBucket[bucket] === -1) this.columnOfBucket[bucket] = this.column("text", bucketName(bucket));
    return this.columnOfBucket[bucket]!;
  }

  private column(group: Group, identity: string): number {
    const known = this.columnOf[group].get(identity);
    if (known !== undefined) return known;
    const absent = absentMeans(group, identity);
    const other = absent === "dependent" ? dependsOn(group, identity) : undefined;
    const onColumn = other === undefined ? -1 : this.column(other.group, other.identity);
    const column = this.columns.length;
    this.columnOf[group].set(identity, column);
    this.columns.push({ group, identity, absent, dependsOn: onColumn });
    return column;
  }

  private word(word: string): number {
    const before = this.words.length;
    const number = numberOf(this.wordOf, this.words, word);
    if (number === before) {
      this.bucketOfWord.push(wordBucket(word));
      this.lastRunWith.push(0);
    }
    return number;
  }
}

const NAMED_GROUPS = groups.filter((group) => group !== "text");

function numberOf(numbers: Map<string, number>, names: string[], name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, names.length);
  names.push(name);
  return names.length - 1;
}

function pick(values: Int32Array, positions: readonly number[]): Int32Array {
  const picked = new Int32Array(positions.length);
  for (let index = 0; index < picked.length; index++) picked[index] = values[positions[index]!]!;
  return picked;
}
