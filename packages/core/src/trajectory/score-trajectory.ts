/**
 * Scores the tool calls of a run against an expected trajectory.
 *
 *   score = (steps matched + limits kept + groups that share a turn) / (steps + limits + groups)
 *
 * A limit without a duration leaves both sides of the fraction and is listed. In `exact` the steps in the denominator are
 * the longer of expected and actual calls, because "no extra tools" is part of the question; the score that ignores
 * extras stands beside it. Some modes hold or do not hold: what breaks them stands in `faults`, whatever the score. Scores are plain doubles, not rounded. Cost: close to linear in steps and calls (call-index.ts).
 */
import { SpoorError } from "../errors.ts";
import type { AgentVocabulary } from "../text/builtin-tools.ts";
import { knownWord } from "../text/known-word.ts";
import type { ToolCall } from "../trace/trace.ts";
import { alignedMatches, alignOptimally } from "./align.ts";
import { CallIndex } from "./call-index.ts";
import { CalledTools } from "./called-tools.ts";
import { Explainer } from "./explain.ts";
import type { MatchInput, StepMatch } from "./matching.ts";
import { countCalls } from "./modes/any-order.ts";
import { matchExact } from "./modes/exact.ts";
import { matchInOrder } from "./modes/in-order.ts";
import { callsNotAllowed } from "./modes/subset.ts";
import { matchSuperset } from "./modes/superset.ts";
import { type Candidate, candidatesOf, compileSteps, referenceTo, type Step } from "./step.ts";
import { surplusCalls } from "./surplus-calls.ts";
import {
  argsMatchWords,
  type CallReference,
  type ExpectedStep,
  type GroupResult,
  type LimitResult,
  type SkippedLimit,
  type StepResult,
  type TrajectoryFault,
  type TrajectoryResult,
  type TrajectorySpec,
  trajectoryModes,
} from "./trajectory.ts";

/** The calls of a run. */
export interface TrajectorySubject {
  readonly toolCalls: readonly ToolCall[];
  /** False when there is no list of messages, or an empty one, and no counts either. */
  readonly hasTrace: boolean;
  /** Calls per tool from a summary, used by `any_order` when the calls themselves are not there. */
  readonly toolCounts?: ReadonlyMap<string, number>;
  /** What the agent calls its built-in tools, when it is one of the known ones. */
  readonly vocabulary?: AgentVocabulary;
}

/** Fitting pairs up to which the best alignment is computed beside the greedy one (any 1,000 by 1,000), and when it is asked for. */
const PAIRS_BESIDE = 1_000_000;
const PAIRS_ASKED = 20_000_000;

export function scoreTrajectory(spec: TrajectorySpec, subject: TrajectorySubject): TrajectoryResult {
  checkWords(spec);
  if (!subject.hasTrace) return { ...emptyResult(spec), score: 0, aspects: 1, noTrace: true };
  const result = scoreMode(spec, subject);
  return spec.binary ? { ...result, score: result.score === 1 ? 1 : 0 } : result;
}

/** A word that is misspelt would be read as another way of comparing. */
function checkWords(spec: TrajectorySpec): void {
  knownWord(spec.mode, trajectoryModes, "mode");
  knownWord(spec.match ?? "greedy", ["greedy", "optimal"], "match");
  knownWord(spec.extra ?? "count", ["count", "allow"], "extra");
  checkStepWords(spec, "");
  for (const [index, step] of (spec.expected ?? []).entries()) {
    checkStepWords(step, `expected[${index}].`);
    if (step.status !== undefined) knownWord(step.status, ["ok", "error"], `expected[${index}].status`);
  }
}

function checkStepWords({ nameMatch, argsMatch }: Pick<ExpectedStep, "nameMatch" | "argsMatch">, path: string): void {
  if (nameMatch !== undefined) knownWord(nameMatch, ["exact", "glob"], `${path}nameMatch`);
  if (typeof argsMatch === "string") knownWord(argsMatch, argsMatchWords, `${path}argsMatch`);
}

function scoreMode(spec: TrajectorySpec, subject: TrajectorySubject): TrajectoryResult {
  if (spec.mode === "any_order") return scoreAnyOrder(spec, subject);
  if (spec.mode === "subset") return scoreSubset(spec, subject);
  const candidates = candidatesOf(subject.toolCalls);
  let index: CallIndex | undefined;
  const input: MatchInput = {
    steps: compileSteps(spec, calledTools(subject)),
    candidates,
    index: () => {
      index ??= new CallIndex(candidates);
      return index;
    },
  };
  switch (spec.mode) {
    case "in_order":
      return scoreInOrder(spec, input);
    case "exact":
      return scoreExact(spec, input);
    case "superset":
      return withFaults(assemble(spec, input, matchSuperset(input), { steps: input.steps.length, limits: false }));
    case "unordered": {
      const matches = matchSuperset(input);
      const longest = Math.max(input.steps.length, candidates.length);
      const extras = unusedCalls(matches, candidates);
      return withFaults({ ...assemble(spec, input, matches, { steps: longest, limits: false }), extras });
    }
  }
}

function scoreAnyOrder(spec: TrajectorySpec, subject: TrajectorySubject): TrajectoryResult {
  const called = subject.toolCalls.length > 0 ? callsPerTool(subject.toolCalls) : (subject.toolCounts ?? new Map());
  const counts = countCalls(spec, called, new CalledTools(called.keys(), subject.vocabulary));
  const hits = counts.filter((count) => count.passed).length;
  return {
    ...emptyResult(spec),
    callCount: subject.toolCalls.length,
    counts,
    hits,
    aspects: counts.length,
    score: counts.length === 0 ? 1 : hits / counts.length,
    faults: counts.some(({ kind, passed }) => kind === "maximum" && !passed) ? ["over_maximum"] : [],
  };
}

/** How often each tool was called; a Map, because tools may be named `constructor`. */
export function callsPerTool(calls: readonly ToolCall[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { name } of calls) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function calledTools({ toolCalls, vocabulary }: TrajectorySubject): CalledTools {
  return new CalledTools(new Set(toolCalls.map(({ name }) => name)), vocabulary);
}

function scoreSubset(spec: TrajectorySpec, subject: TrajectorySubject): TrajectoryResult {
  const { toolCalls } = subject;
  const notAllowed = callsNotAllowed(
    compileSteps(spec, calledTools(subject)),
    candidatesOf(toolCalls),
    spec.reuse === false,
  );
  const allowedCalls = toolCalls.length - notAllowed.length;
  return withFaults({
    ...emptyResult(spec),
    callCount: toolCalls.length,
    allowedCalls,
    hits: allowedCalls,
    aspects: toolCalls.length,
    score: toolCalls.length === 0 ? 1 : allowedCalls / toolCalls.length,
    extras: notAllowed.map((position) => referenceTo(toolCalls[position]!, position)),
  });
}

function scoreInOrder(spec: TrajectorySpec, input: MatchInput): TrajectoryResult {
  const shape = { steps: input.steps.length, limits: true };
  if (spec.match === "optimal") {
    const aligned = alignOptimally(input, PAIRS_ASKED);
    if (aligned === undefined) {
      throw new SpoorError("trajectory.too-large", "The optimal alignment has more than 20 million fitting pairs.", {
        hint: "Name more arguments, or use match: greedy.",
      });
    }
    // A limit without a duration leaves the fraction, so in rare cases the greedy walk has the better quotient.
    const walked = matchInOrder(input);
    const isAlignedBest = count(input, aligned, shape).score >= count(input, positionsOf(walked), shape).score;
    const optimal = assemble(spec, input, isAlignedBest ? alignedMatches(input, aligned) : walked, shape);
    return { ...optimal, bestScore: optimal.score };
  }
  const greedy = assemble(spec, input, matchInOrder(input), shape);
  if (greedy.score === 1) return { ...greedy, bestScore: 1 };
  const aligned = alignOptimally(input, PAIRS_BESIDE);
  if (aligned === undefined) return { ...greedy, bestScoreSkipped: true };
  return { ...greedy, bestScore: Math.max(greedy.score, count(input, aligned, shape).score) };
}

function scoreExact(spec: TrajectorySpec, input: MatchInput): TrajectoryResult {
  const { steps, candidates } = input;
  const matches = matchExact(input);
  const ignoring = count(input, positionsOf(matches), { steps: steps.length, limits: true });
  const isWhole = matches.every(({ call }) => call >= 0) && candidates.length === steps.length;
  const extras = isWhole ? [] : surplusCalls(input).map((at) => referenceTo(candidates[at]!.call, at));
  const counted = spec.extra === "allow" ? steps.length : Math.max(steps.length, candidates.length);
  const result = {
    ...assemble(spec, input, matches, { steps: counted, limits: true }),
    extras,
    scoreIgnoringExtras: ignoring.score,
    aspectsIgnoringExtras: ignoring.aspects,
  };
  return withFaults(result, { extrasAllowed: spec.extra === "allow" });
}

function withFaults(result: TrajectoryResult, { extrasAllowed = false } = {}): TrajectoryResult {
  const faults: TrajectoryFault[] = [];
  if (result.steps.some((step) => !step.passed)) faults.push("missing_step");
  if (result.extras.length > 0 && !extrasAllowed) faults.push("extra_call");
  return { ...result, faults };
}

interface Shape {
  /** Steps in the denominator. */
  readonly steps: number;
  /** Whether limits are checked in this mode. */
  readonly limits: boolean;
}

interface Counted {
  readonly hits: number;
  readonly aspects: number;
  readonly score: number;
  readonly groups: readonly GroupResult[];
  readonly skippedLimits: readonly SkippedLimit[];
}

function positionsOf(matches: readonly StepMatch[]): Int32Array {
  return Int32Array.from(matches, (match) => match.call);
}

/** `positions`: for each step the position of its call, or -1. */
function count(input: MatchInput, positions: Int32Array, shape: Shape): Counted {
  let hits = 0;
  let aspects = shape.steps;
  const skippedLimits: SkippedLimit[] = [];
  for (const step of input.steps) {
    const call = positions[step.index]!;
    if (call >= 0) hits++;
    const { maxDurationMs } = step.expected;
    if (!shape.limits || maxDurationMs === undefined) continue;
    aspects++;
    if (call < 0) continue;
    const { durationMs } = input.candidates[call]!.call;
    if (durationMs === undefined) {
      aspects--;
      skippedLimits.push({ tool: step.expected.tool, step: step.index, maxDurationMs });
    } else if (durationMs <= maxDurationMs) {
      hits++;
    }
  }
  const groups = groupResults(input, positions);
  hits += groups.filter((group) => group.passed).length;
  aspects += groups.length;
  return { hits, aspects, score: aspects === 0 ? 1 : hits / aspects, groups, skippedLimits };
}

/** A group is kept when all its steps matched calls of one and the same turn. */
function groupResults(input: MatchInput, positions: Int32Array): GroupResult[] {
  const members = new Map<number, Step[]>();
  for (const step of input.steps) {
    const { group } = step.expected;
    if (group === undefined) continue;
    const known = members.get(group);
    if (known === undefined) members.set(group, [step]);
    else known.push(step);
  }
  const results: GroupResult[] = [];
  for (const steps of members.values()) {
    if (steps.length < 2) continue;
    const turns = steps.map((step) => {
      const call = positions[step.index]!;
      return call < 0 ? undefined : input.candidates[call]!.call.turnIndex;
    });
    const turnIndex = turns[0];
    const passed = turnIndex !== undefined && turnIndex >= 0 && turns.every((turn) => turn === turnIndex);
    results.push({ steps: steps.map((step) => step.index), passed, ...(passed ? { turnIndex } : {}) });
  }
  return results;
}

function assemble(
  spec: TrajectorySpec,
  input: MatchInput,
  matches: readonly StepMatch[],
  shape: Shape,
): TrajectoryResult {
  const counted = count(input, positionsOf(matches), shape);
  const explainer = new Explainer(input);
  const steps = input.steps.map((step) =>
    stepResult(step, matches[step.index]!, input.candidates, shape.limits, explainer),
  );
  return {
    ...emptyResult(spec),
    ...counted,
    steps,
    callCount: input.candidates.length,
    unexplainedMisses: explainer.unexplained,
  };
}

function stepResult(
  step: Step,
  match: StepMatch,
  candidates: readonly Candidate[],
  limits: boolean,
  explainer: Explainer,
): StepResult {
  const { tool, maxDurationMs } = step.expected;
  const call = match.call < 0 ? undefined : candidates[match.call]!.call;
  const result: Mutable<StepResult> = { step: step.index, tool, passed: call !== undefined };
  if (call !== undefined) result.call = referenceTo(call, match.call);
  else explainMiss(result, step, match, candidates, explainer);
  if (limits && maxDurationMs !== undefined) result.limit = limitResult(maxDurationMs, call);
  return result;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

function explainMiss(
  result: Mutable<StepResult>,
  step: Step,
  match: StepMatch,
  candidates: readonly Candidate[],
  explainer: Explainer,
): void {
  if (match.reason !== undefined) result.reason = match.reason;
  if (match.usedUpBy !== undefined) result.usedUpBy = match.usedUpBy;
  if (match.found >= 0) result.found = referenceTo(candidates[match.found]!.call, match.found);
  Object.assign(result, explainer.explain(step, match));
}

function limitResult(maxDurationMs: number, call: ToolCall | undefined): LimitResult {
  if (call === undefined) return { maxDurationMs, outcome: "not_reached" };
  const { durationMs } = call;
  if (durationMs === undefined) return { maxDurationMs, outcome: "skipped" };
  return { maxDurationMs, durationMs, outcome: durationMs <= maxDurationMs ? "within" : "exceeded" };
}

function unusedCalls(matches: readonly StepMatch[], candidates: readonly Candidate[]): CallReference[] {
  const used = new Set(matches.map((match) => match.call));
  return candidates.flatMap(({ call }, position) => (used.has(position) ? [] : [referenceTo(call, position)]));
}

function emptyResult(spec: TrajectorySpec): TrajectoryResult {
  return {
    mode: spec.mode,
    score: 1,
    aspects: 0,
    hits: 0,
    steps: [],
    counts: [],
    groups: [],
    extras: [],
    faults: [],
    allowedCalls: 0,
    callCount: 0,
    expectedCount: spec.expected?.length ?? 0,
    skippedLimits: [],
    noTrace: false,
    unexplainedMisses: 0,
  };
}
