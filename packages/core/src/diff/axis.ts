/**
 * What an axis is: one quantity per turn and side, and everything the rest of the house must know about it. The table, the bars of
 * the page, the drill-down, the reference page and the gate read these facts; none of them knows an axis by its name.
 */

import type { PriceList } from "../pricing/price.ts";
import type { Turn } from "../trace/trace.ts";
import type { Meaning } from "./direction.ts";
import type { JudgedTurns } from "./judge-opinion.ts";
import type { Grading } from "./severity.ts";
import type { FactsTable, TurnFacts } from "./turn-facts.ts";

/** Two turns that are taken for the same turn. */
export interface ResponsePair {
  readonly baseline: TurnFacts;
  readonly candidate: TurnFacts;
}

export interface AxisContext {
  readonly table: FactsTable;
  readonly prices: PriceList;
  /** Lower-case phrases that make a response a refusal. */
  readonly refusals: readonly string[];
  /** Turns texts into vectors; without one the semantic axis compares weighted words. */
  readonly embed?: (texts: readonly string[]) => readonly (readonly number[])[];
  /** A score in [0, 1] for the candidate's answer, or undefined when the judge has no opinion. */
  readonly judge?: (baseline: Turn, candidate: Turn) => number | undefined;
  /** Nothing that anyone said was recorded, on both sides. */
  readonly blind?: boolean;
  /** The model of a side was replayed: its answers took no time that would say anything. */
  readonly replayed?: boolean;
  /** Opinions asked for beforehand; they come before `judge`. */
  readonly judged?: JudgedTurns;
}

/** One number per pair and side, in pair order. NaN on either side leaves the pair out of this axis. */
export interface AxisValues {
  readonly baseline: Float64Array;
  readonly candidate: Float64Array;
  /** Pairs in which both sides recorded the quantity; every counted pair unless the axis says otherwise. */
  readonly measured?: number;
  readonly flags?: readonly AxisFlag[];
  /** Pairs that were asked about and have no answer. */
  readonly unanswered?: Unanswered;
}

export interface Unanswered {
  readonly pairs: number;
  /** The first reason. */
  readonly why: string;
}

/** What its numbers count: `ratio` lies between 0 and 1 and has no unit, `share` is one of turns. */
export type AxisUnit = "ratio" | "share" | "tokens" | "ms" | "usd";

export interface Axis {
  readonly name: string;
  readonly unit: AxisUnit;
  readonly statistic: "median" | "mean";
  /** It is about what was said: a recording without it has nothing to measure. */
  readonly readsText?: true;
  /** It measures how long answers took. */
  readonly readsClock?: true;
  /** For an axis that counts every turn, where turns are paired along the alignment; without it only pairs count, by position or not. */
  readonly everyTurn?: EveryTurn;
  readonly grading: Grading;
  /** With a baseline of 0 a relative shift means nothing: the gate grades against this absolute step instead. */
  readonly floor?: number;
  /** A move of this size in one pair counts 1 in the drill-down. */
  readonly largeMove: number;
  readonly meaning: Meaning;
  readonly words: AxisWords;
  measure(pairs: readonly ResponsePair[], context: AxisContext): AxisValues;
}

export interface EveryTurn {
  readonly statistic: "median" | "mean";
  /** What a turn without a partner counts, against a baseline of 0. */
  alone(turn: TurnFacts): number;
}

export interface AxisWords {
  /** What the axis is, in few words: "reply time". */
  readonly is: string;
  /** Said before a number that would not be understood alone. */
  readonly quantity?: string;
  /** Sentences for a moved average; `{share}` is a percentage or empty. */
  readonly more: string;
  readonly less: string;
  /** Why a row has no numbers. */
  readonly noData: string | ((row: Counts) => string);
  /** The axis is silent because nobody asked for it, not because something is missing. */
  readonly onRequest?: true;
}

/** How many pairs a row has, and how many of them say something. */
export interface Counts {
  readonly n: number;
  readonly measured: number;
  readonly flags: readonly AxisFlag[];
}

export type AxisFlag = "low_power" | "ci_crosses_zero" | "no_pricing" | "not_recorded" | "told_only" | "replayed";
