/**
 * Runs in the form the test works on: numbers only. Names, tokens and words are replaced by small integers that one
 * observer shares, so that a trace can be forgotten as soon as it has been observed. Cost: linear in the run.
 */
import { Interner } from "../stats/intern.ts";
import { knownWord } from "../text/known-word.ts";
import { type AddFeature, rememberedIdentities } from "./feature-parts.ts";
import {
  type AbsentMeans,
  absentMeans,
  bucketName,
  bucketNumber,
  byGroup,
  dependsOn,
  type FeatureSink,
  type Group,
  groups,
  type RunDetail,
  readRun,
  textOf,
} from "./features.ts";
import type { KeptRun } from "./kept-run.ts";
import { RowBuilder } from "./row-builder.ts";
import { type CohortRun, type Ending, type RunOrigin, type Side, sides } from "./run.ts";
import { Shelf } from "./shelf.ts";
import { WordTable } from "./word-table.ts";
import { BUCKETS, forEachWord, textBuckets, type VisitWord } from "./words.ts";

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
  /** The same of what was kept of a run; its texts, where there still are any, only lend words to explain with. */
  observeKept(run: KeptRun, side: Side, texts?: readonly string[]): Observation;
}

export function createObserver(): Observer {
  return new InterningObserver();
}

class InterningObserver implements Observer {
  readonly columns: Column[] = [];
  readonly tools: string[] = [];
  private readonly toolOf = new Map<string, number>();
  private readonly wordTable = new WordTable();
  private readonly columnOf = byGroup(() => new Map<string, number>());
  private readonly columnOfBucket = new Int32Array(BUCKETS).fill(-1);
  private readonly tokenOf = new Interner<string>();
  private readonly effectTokenOf = new Interner<string>();
  private readonly sink: FeatureSink;
  /** The run that is being read: its row, its word buckets and its words. */
  private readonly row = new RowBuilder();
  private readonly bucketVector = new Float64Array(BUCKETS);
  private readonly seenWords: number[] = [];
  /** How many runs were observed, this one included, and per word the number of the last one that has it. */
  private observed = 0;
  private readonly lastRunWith: number[] = [];
  private readonly integers = new Shelf(Int32Array);
  private readonly numbers = new Shelf(Float64Array);
  private readonly bytes = new Shelf(Uint8Array);

  constructor() {
    const add = byGroup(
      (group): AddFeature =>
        (identity, amount) =>
          this.row.add(this.column(group, identity), amount),
    );
    this.sink = { add, identities: rememberedIdentities() };
  }

  get words(): readonly string[] {
    return this.wordTable.words;
  }

  observe(run: CohortRun): Observation {
    this.begin(run.side);
    const buckets = this.readText(textOf(run));
    const detail = readRun(run, this.sink);
    const names = this.numberTools(run.calls.length, (index) => run.calls[index]!.name);
    return this.observation(run, run.side, { buckets, names, detail });
  }

  observeKept(run: KeptRun, side: Side, texts: readonly string[] = []): Observation {
    this.begin(side);
    const buckets = this.bytes.take(run.features.text.length);
    for (const [index, [identity, value]] of run.features.text.entries()) {
      buckets[index] = bucketNumber(identity);
      this.row.add(this.bucketColumn(buckets[index]!), value);
    }
    forEachWord(textOf({ texts }), this.visitWord);
    for (const group of groups)
      if (group !== "text") for (const [identity, value] of run.features[group]) this.sink.add[group](identity, value);
    const names = this.numberTools(run.tools.length, (index) => run.tools[index]!);
    return this.observation(run, side, { buckets, names, detail: run });
  }

  private begin(side: Side): void {
    knownWord(side, sides, "side");
    this.observed++;
    this.row.clear();
    this.seenWords.length = 0;
  }

  private numberTools(count: number, nameAt: (index: number) => string): Int32Array {
    const names = this.integers.take(count);
    for (let index = 0; index < count; index++) names[index] = numberOf(this.toolOf, this.tools, nameAt(index));
    return names;
  }

  private observation(
    run: Pick<CohortRun, "scenario" | "wholeName" | "turns" | "ended" | "origin">,
    side: Side,
    { buckets, names, detail }: { buckets: Uint8Array; names: Int32Array; detail: RunDetail },
  ): Observation {
    const values = this.numbers.keep(this.row.values, this.row.size);
    const ended = run.turns === 0 ? "no_response" : run.ended;
    return {
      columns: this.integers.keep(this.row.columns, this.row.size),
      values,
      buckets,
      bucketValues: values.subarray(0, buckets.length),
      scenario: run.scenario,
      side,
      turns: run.turns,
      ...(ended === undefined ? {} : { ended }),
      ...(run.wholeName === undefined ? {} : { wholeName: run.wholeName }),
      names,
      tokens: this.internAll(this.tokenOf, detail.tokens),
      effectNames: this.pick(names, detail.effects),
      effectTokens: this.internAll(this.effectTokenOf, detail.effectTokens),
      words: this.integers.keep(this.seenWords, this.seenWords.length),
      origin: run.origin ?? {},
    };
  }

  /** Puts the text group in front of the row and returns its buckets. */
  private readText(text: string): Uint8Array {
    const vector = this.bucketVector;
    textBuckets(text, this.visitWord, vector);
    let filled = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) if (vector[bucket] !== 0) filled++;
    const buckets = this.bytes.take(filled);
    let at = 0;
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      if (vector[bucket] === 0) continue;
      buckets[at++] = bucket;
      this.row.add(this.bucketColumn(bucket), vector[bucket]!);
    }
    vector.fill(0);
    return buckets;
  }

  private readonly visitWord: VisitWord = (text, start, end, hash) => {
    const number = this.wordTable.numberOf(text, start, end, hash);
    if (this.lastRunWith[number] === this.observed) return;
    this.lastRunWith[number] = this.observed;
    this.seenWords.push(number);
  };

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

  private internAll(interner: Interner<string>, values: readonly string[]): Int32Array {
    const numbers = this.integers.take(values.length);
    for (let index = 0; index < numbers.length; index++) numbers[index] = interner.intern(values[index]!);
    return numbers;
  }

  private pick(values: Int32Array, positions: readonly number[]): Int32Array {
    const picked = this.integers.take(positions.length);
    for (let index = 0; index < picked.length; index++) picked[index] = values[positions[index]!]!;
    return picked;
  }
}

function numberOf(numbers: Map<string, number>, names: string[], name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, names.length);
  names.push(name);
  return names.length - 1;
}
