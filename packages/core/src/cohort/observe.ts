/**
 * Runs in the form the test works on: numbers only. Names, tokens and words are replaced by small integers that one
 * observer shares, so that a trace can be forgotten as soon as it has been observed. Cost: linear in the run.
 */
import { Interner } from "../stats/intern.ts";
import { type AbsentMeans, absentMeans, byGroup, featureParts, type Group, groups, runFeatures } from "./features.ts";
import type { CohortRun, RunOrigin, Side } from "./run.ts";
import { wordBucket } from "./words.ts";

/** One feature over all runs. */
export interface Column {
  readonly group: Group;
  readonly identity: string;
  readonly absent: AbsentMeans;
  /** For `absent: "tool"`: the column that is present exactly when the run calls that tool. */
  readonly toolColumn: number;
}

/** A sparse row: the values of the columns that are present. */
export interface Row {
  readonly columns: Int32Array;
  readonly values: Float64Array;
}

export interface Observation extends Row {
  readonly scenario: string;
  readonly side: Side;
  readonly turns: number;
  /** Tool of every call, in order. */
  readonly names: Int32Array;
  /** Tool and arguments of every call, in order. */
  readonly tokens: Int32Array;
  readonly effectNames: Int32Array;
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
  private readonly toolOf = new Map<string, number>();
  private readonly wordOf = new Map<string, number>();
  private readonly wordBuckets: number[] = [];
  private readonly tokenOf = new Interner<string>();

  observe(run: CohortRun): Observation {
    const { features, tokens, effects, words } = runFeatures(run, (word) => this.wordBuckets[this.word(word)]!);
    const names = Int32Array.from(run.calls, (call) => number(this.toolOf, this.tools, call.name));
    const tokenNumbers = this.tokenOf.internAll(tokens);
    return {
      ...this.row(features),
      scenario: run.scenario,
      side: run.side,
      turns: run.turns,
      names,
      tokens: tokenNumbers,
      effectNames: Int32Array.from(effects, (index) => names[index]!),
      effectTokens: Int32Array.from(effects, (index) => tokenNumbers[index]!),
      buckets: Uint8Array.from(features.text.keys(), (name) => Number(name.slice(1))),
      bucketValues: Float64Array.from(features.text.values()),
      words: Int32Array.from(words.keys(), (word) => this.word(word)),
      origin: run.origin ?? {},
    };
  }

  private row(features: Readonly<Record<Group, ReadonlyMap<string, number>>>): Row {
    let size = 0;
    for (const group of groups) size += features[group].size;
    const columns = new Int32Array(size);
    const values = new Float64Array(size);
    let at = 0;
    for (const group of groups) {
      for (const [identity, value] of features[group]) {
        columns[at] = this.column(group, identity);
        values[at++] = value;
      }
    }
    return { columns, values };
  }

  private column(group: Group, identity: string): number {
    const known = this.columnOf[group].get(identity);
    if (known !== undefined) return known;
    const absent = absentMeans(group, identity);
    const toolColumn = absent === "tool" ? this.column("tools", `has:${featureParts(identity)[0]!}`) : -1;
    const column = this.columns.length;
    this.columnOf[group].set(identity, column);
    this.columns.push({ group, identity, absent, toolColumn });
    return column;
  }

  private word(word: string): number {
    const before = this.words.length;
    const index = number(this.wordOf, this.words, word);
    if (index === before) this.wordBuckets.push(wordBucket(word));
    return index;
  }
}

function number(numbers: Map<string, number>, names: string[], name: string): number {
  const known = numbers.get(name);
  if (known !== undefined) return known;
  numbers.set(name, names.length);
  names.push(name);
  return names.length - 1;
}
