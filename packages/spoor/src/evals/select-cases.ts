/**
 * Which cases are run. In this order: `skip` and `only` of the files, filter and tags, a sample, a shard. All of it is decided by
 * names and the seed alone, so that every machine and every day chooses the same.
 */
import { digestText } from "@spoor/core/internal/canonical/digest";
import type { EvalSelection, Shard } from "@spoor/core/internal/evals/eval-selection";
import { globMatcher } from "@spoor/core/internal/text/glob";
import type { EvalCase, EvalSuite } from "./eval-suite.ts";

export interface CaseChoice {
  /** Globs on case ids, separated by commas. */
  readonly filter?: string;
  /** A case has one of them, and none of those that begin with `!`. */
  readonly tags?: readonly string[];
  readonly sample?: number;
  readonly seed?: number;
  readonly shard?: Shard;
}

export interface ChosenCases {
  readonly cases: ReadonlySet<EvalCase>;
  /** Absent when nothing was left out. */
  readonly selection?: EvalSelection;
}

export function selectCases(suites: readonly EvalSuite[], choice: CaseChoice): ChosenCases {
  const all = suites.flatMap((suite) => suite.cases.map((evalCase) => ({ suite, evalCase })));
  const open = all.filter(({ evalCase }) => evalCase.skip === undefined);
  const only = open.filter(({ evalCase }) => evalCase.only);
  const fits = matcherOf(choice);
  const fitting = (only.length > 0 ? only : open).filter(({ evalCase }) => fits(evalCase));
  const cases = new Set(shardOf(sampleOf(fitting, choice), choice).map(({ evalCase }) => evalCase));
  if (cases.size === all.length) return { cases };
  return { cases, selection: selectionOf(all, only, cases.size, choice) };
}

interface Listed {
  readonly suite: EvalSuite;
  readonly evalCase: EvalCase;
}

function matcherOf({ filter, tags = [] }: CaseChoice): (evalCase: EvalCase) => boolean {
  const matches = filter === undefined ? () => true : filterMatcher(filter);
  const words = tags.flatMap((tag) => tag.split(",")).map((tag) => tag.trim());
  const wanted = words.filter((tag) => tag !== "" && !tag.startsWith("!")).map((tag) => globMatcher(tag));
  const unwanted = words.filter((tag) => tag.startsWith("!")).map((tag) => globMatcher(tag.slice(1)));
  const hasOne = (own: readonly string[], matchers: typeof wanted) =>
    own.some((tag) => matchers.some((matches) => matches(tag)));
  return ({ id, tags: own = [] }) =>
    matches(id) && (wanted.length === 0 || hasOne(own, wanted)) && !hasOne(own, unwanted);
}

/** `*` and `?`; several patterns are separated by commas. */
export function filterMatcher(filter: string): (id: string) => boolean {
  const matchers = filter.split(",").map((part) => globMatcher(part.trim()));
  return (id) => matchers.some((fits) => fits(id));
}

/** Each case draws a number from the seed and its own name: a case more in a file exchanges at most one of the sample. */
function sampleOf(listed: readonly Listed[], { sample, seed = 0 }: CaseChoice): readonly Listed[] {
  if (sample === undefined || sample >= listed.length) return listed;
  const draw = ({ suite, evalCase }: Listed) => digestText(JSON.stringify([seed, suite.name, evalCase.id]));
  const drawn = listed.map((one) => ({ one, number: draw(one) }));
  drawn.sort((left, right) => (left.number < right.number ? -1 : 1));
  const taken = new Set(drawn.slice(0, sample).map(({ one }) => one));
  return listed.filter((one) => taken.has(one));
}

/** Every n-th case, so that shards are equally long to within one case. */
function shardOf(listed: readonly Listed[], { shard }: CaseChoice): readonly Listed[] {
  return shard === undefined ? listed : listed.filter((_, index) => index % shard.of === shard.index - 1);
}

function selectionOf(
  all: readonly Listed[],
  only: readonly Listed[],
  chosen: number,
  { filter, tags = [], sample, seed = 0, shard }: CaseChoice,
): EvalSelection {
  return {
    of: all.length,
    chosen,
    skipped: all.flatMap(({ evalCase: { id, skip } }) =>
      skip === undefined ? [] : [typeof skip === "string" ? { id, why: skip } : { id }],
    ),
    only: only.map(({ evalCase: { id, at } }) => ({
      id,
      ...(at.file === undefined ? {} : { file: at.file }),
      ...(at.line === undefined ? {} : { line: at.line }),
    })),
    ...(filter === undefined ? {} : { filter }),
    ...(tags.length === 0 ? {} : { tags }),
    ...(sample === undefined ? {} : { sample: { size: sample, seed } }),
    ...(shard === undefined ? {} : { shard }),
  };
}
