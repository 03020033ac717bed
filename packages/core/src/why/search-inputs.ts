/**
 * Which of the inputs that changed moves the behaviour. The candidate is run with groups of inputs exchanged for the baseline's, and each
 * such configuration is compared with the candidate by the cohort test: whether exchanging the group moves anything.
 *
 * Error rate: a group G of k inputs is tested at the level alpha · |G| / k, and only where the groups around it moved (Meinshausen,
 * 2008, "Hierarchical testing of variable importance"). The chance that anything without an effect is named, over the whole search, is
 * at most alpha. Nothing is tried at all unless the base and the candidate differ at alpha.
 *
 * A generator: it asks for configurations, some at a time, is given their runs, and returns what it found. It runs nothing itself.
 */

import type { Aspect } from "../cohort/aspects.ts";
import type { CohortResult } from "../cohort/cohort-report.ts";
import { compareCohorts } from "../cohort/compare-cohorts.ts";
import type { CohortRun } from "../cohort/run.ts";
import type { NotExchanged } from "./changed-input.ts";
import { splitGroup } from "./plan-search.ts";
import type { Configuration, NamedInputs, TriedConfiguration, WholeTest, WhyOutcome } from "./why-report.ts";

export interface SearchOptions {
  readonly alpha: number;
  readonly seed: number;
  /** Runs that one configuration takes. */
  readonly runsEach: number;
  readonly maxRuns: number;
  readonly aspects?: readonly Aspect[] | undefined;
}

export interface ConfigurationRuns {
  /** Sides do not matter. */
  readonly runs: readonly CohortRun[];
  /** Inputs that the runs were not given as the configuration says. */
  readonly notExchanged: readonly string[];
}

export interface Found {
  readonly outcome: Exclude<WhyOutcome, "not_run">;
  readonly whole: WholeTest;
  readonly configurations: readonly TriedConfiguration[];
  readonly named: readonly NamedInputs[];
  readonly notExchanged: readonly NotExchanged[];
  readonly runsMade: number;
}

export type Search = Generator<readonly Configuration[], Found, readonly ConfigurationRuns[]>;

/** `inputs`: the ids of those that can be exchanged. */
export function* searchInputs(inputs: readonly string[], options: SearchOptions): Search {
  const both: Configuration[] = [
    { program: "base", reverted: [] },
    { program: "candidate", reverted: [] },
  ];
  const [base, candidate] = yield both;
  const search = new Tree(inputs, base!.runs, candidate!.runs, options);
  const { verdict, p, reasons } = compare(base!.runs, candidate!.runs, options);
  const whole: WholeTest = { verdict, p, reasons: reasons.map(({ code }) => code) };
  const tried = both.map(({ program, reverted }, index): TriedConfiguration => {
    return { program, reverted, status: "tested", runs: [base, candidate][index]!.runs.length };
  });
  const done = (outcome: Found["outcome"]): Found => ({
    outcome,
    whole,
    configurations: [...tried, ...search.tried],
    named: search.named(),
    notExchanged: search.lost,
    runsMade: search.made,
  });
  if (verdict === "unchanged") return done("unchanged");
  if (verdict === "not_enough_evidence") return done("not_enough_runs");
  if (inputs.length === 0) return done("no_inputs");
  yield* search.descend();
  if (search.named().length > 0) {
    yield* search.confirm();
    return done("named");
  }
  return done(search.isWhole() ? "not_in_inputs" : "not_found");
}

interface Group {
  readonly inputs: readonly string[];
  /** Of the groups around it, corrected. */
  readonly around: number;
}

class Tree {
  readonly tried: TriedConfiguration[] = [];
  readonly lost: NotExchanged[] = [];
  made: number;

  private readonly all: readonly string[];
  private readonly base: readonly CohortRun[];
  private readonly candidate: readonly CohortRun[];
  private readonly options: SearchOptions;

  constructor(
    all: readonly string[],
    base: readonly CohortRun[],
    candidate: readonly CohortRun[],
    options: SearchOptions,
  ) {
    this.all = all;
    this.base = base;
    this.candidate = candidate;
    this.options = options;
    this.made = base.length + candidate.length;
  }

  *descend(): Generator<readonly Configuration[], void, readonly ConfigurationRuns[]> {
    let groups: Group[] = [{ inputs: this.all, around: 0 }];
    while (groups.length > 0) {
      const answers = yield* this.tryAll(groups.map(({ inputs }) => inputs));
      groups = groups.flatMap((group, index) => this.next(group, answers[index]));
    }
  }

  /** Several that were named: what is left of the change when all of them are exchanged. */
  *confirm(): Generator<readonly Configuration[], void, readonly ConfigurationRuns[]> {
    const inputs = this.named().flatMap((one) => one.inputs);
    if (this.named().length < 2 || this.find(inputs) !== undefined) return;
    const [answer] = yield* this.tryAll([inputs]);
    if (answer === undefined) return;
    const baseP = compare(this.base, answer.runs, this.options).p;
    this.tried.push({ ...mixed(inputs), status: "tested", runs: answer.runs.length, baseP });
  }

  /** The smallest groups that move: single inputs, and those no part of which was shown to. */
  named(): NamedInputs[] {
    const moving = this.tried.filter(({ moves }) => moves === true);
    const smallest = moving.filter(
      ({ reverted }) =>
        !moving.some((other) => other.reverted.length < reverted.length && isWithin(other.reverted, reverted)),
    );
    // Parts that were not tried may still be the ones: then nothing is known of the group but that it moves.
    return smallest.map(({ reverted, adjusted, baseP }) => ({
      kind: reverted.length === 1 ? "alone" : "together",
      inputs: reverted,
      adjusted: adjusted!,
      restores: baseP! > this.options.alpha,
    }));
  }

  /** Whether everything that could be exchanged was, and tested. */
  isWhole(): boolean {
    return this.lost.length === 0 && this.tried.every(({ status }) => status === "tested");
  }

  private find(inputs: readonly string[]): TriedConfiguration | undefined {
    return this.tried.find(({ reverted }) => reverted.length === inputs.length && isWithin(inputs, reverted));
  }

  /** Runs as many as the budget has room for; undefined for the others. */
  private *tryAll(
    groups: readonly (readonly string[])[],
  ): Generator<readonly Configuration[], (ConfigurationRuns | undefined)[], readonly ConfigurationRuns[]> {
    const { runsEach, maxRuns } = this.options;
    const room = Math.max(0, Math.floor((maxRuns - this.made) / Math.max(1, runsEach)));
    const tried = groups.slice(0, room);
    if (tried.length === 0) return groups.map(() => undefined);
    this.made += runsEach * tried.length;
    const answers = yield tried.map(mixed);
    return groups.map((_, index) => answers[index]);
  }

  private next({ inputs, around }: Group, answer: ConfigurationRuns | undefined): Group[] {
    if (answer === undefined) {
      this.tried.push({ ...mixed(inputs), status: "budget", runs: 0 });
      return [];
    }
    const runs = answer.runs.length;
    if (answer.notExchanged.length > 0) {
      this.tried.push({ ...mixed(inputs), status: "not_exchanged", runs });
      const lost = inputs.filter((input) => answer.notExchanged.includes(input));
      this.lost.push(...lost.map((input) => ({ input, why: "not_found" as const })));
      const rest = inputs.filter((input) => !lost.includes(input));
      return rest.length === 0 ? [] : [{ inputs: rest, around }];
    }
    const { p, relabellings } = compare(this.candidate, answer.runs, this.options);
    const correction = this.all.length / inputs.length;
    // However far apart the runs were, their labels cannot be exchanged often enough.
    if (correction / relabellings.count > this.options.alpha) {
      this.tried.push({ ...mixed(inputs), status: "too_few_runs", runs });
      return [];
    }
    const adjusted = Math.min(1, Math.max(p * correction, around));
    const moves = adjusted <= this.options.alpha;
    const left = moves ? { baseP: compare(this.base, answer.runs, this.options).p } : {};
    this.tried.push({ ...mixed(inputs), status: "tested", runs, p, adjusted, moves, ...left });
    return moves ? splitGroup(inputs).map((part) => ({ inputs: part, around: adjusted })) : [];
  }
}

function mixed(reverted: readonly string[]): Configuration {
  return { program: "candidate", reverted };
}

function isWithin(part: readonly string[], whole: readonly string[]): boolean {
  return part.every((input) => whole.includes(input));
}

function compare(
  left: readonly CohortRun[],
  right: readonly CohortRun[],
  { alpha, seed, aspects }: SearchOptions,
): CohortResult {
  const runs = [
    ...left.map((run) => ({ ...run, side: "baseline" as const })),
    ...right.map((run) => ({ ...run, side: "candidate" as const })),
  ];
  return compareCohorts(runs, { alpha, seed, ...(aspects === undefined ? {} : { aspects }) });
}
