/**
 * An expected step made ready for matching: its name test, its arguments with matchers found, and the keys by which calls
 * can be indexed so that no mode compares every step with every call.
 */

import { globMatcher } from "../text/glob.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { isObject } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";
import { compileArgs, type MappingPattern, withoutKeys } from "./args-pattern.ts";
import { argumentsOf, matchArgs } from "./match-args.ts";
import type { ArgsMatch, CallReference, ExpectedStep, TrajectorySpec } from "./trajectory.ts";

export interface Step {
  readonly index: number;
  readonly expected: ExpectedStep;
  /** Undefined when the name is a glob. */
  readonly name: string | undefined;
  readonly glob: ((name: string) => boolean) | undefined;
  readonly args: MappingPattern | undefined;
  readonly argsMatch: ArgsMatch;
  /** Top-level keys whose value must be equal in every matching call: the index by which candidates are found. */
  readonly indexKeys: readonly string[];
}

/** A call with its arguments read once. */
export interface Candidate {
  readonly call: ToolCall;
  readonly args: JsonObject | undefined;
}

export function compileSteps(spec: TrajectorySpec): Step[] {
  return (spec.expected ?? []).map((expected, index) => compileStep(expected, index, spec));
}

function compileStep(expected: ExpectedStep, index: number, spec: TrajectorySpec): Step {
  const isGlob = (expected.nameMatch ?? spec.nameMatch) === "glob";
  const argsMatch = expected.argsMatch ?? spec.argsMatch ?? "superset";
  const compared = isObject(expected.args) && argsMatch !== "ignore";
  const { argsIgnore, argsDefaults } = expected;
  const args = compared ? compileArgs(withoutKeys(expected.args as JsonObject, argsIgnore ?? [])) : undefined;
  // With defaults a call may match without having the key at all.
  const indexKeys = args === undefined || argsDefaults !== undefined ? [] : keysThatMustBeEqual(args, argsMatch);
  return {
    index,
    expected,
    name: isGlob ? undefined : expected.tool,
    glob: isGlob ? globMatcher(expected.tool, { ignoreCase: true }) : undefined,
    args,
    argsMatch,
    indexKeys,
  };
}

/** Keys with plain values: under these modes a call can only match when it has the same values there. */
function keysThatMustBeEqual(args: MappingPattern, mode: ArgsMatch): string[] {
  if (typeof mode !== "string" || mode === "subset") return [];
  const keys: string[] = [];
  for (const { key, pattern } of args.members) {
    if (pattern.kind === "value" && (mode !== "deep_superset" || !isContainer(pattern.value))) keys.push(key);
  }
  return keys;
}

function isContainer(value: Json): boolean {
  return typeof value === "object" && value !== null;
}

export function candidatesOf(calls: readonly ToolCall[]): Candidate[] {
  return calls.map((call) => ({ call, args: argumentsOf(call.input) }));
}

export function nameFits(step: Step, name: string): boolean {
  return step.glob === undefined ? step.name === name : step.glob(name);
}

export function argsFit(step: Step, candidate: Candidate): boolean {
  return step.args === undefined || matchArgs(step.args, comparedArgs(step, candidate.args), step.argsMatch);
}

/** The arguments of a call as this step sees them: defaults filled in, ignored ones left out. */
export function comparedArgs(step: Step, args: JsonObject | undefined): JsonObject | undefined {
  const { argsIgnore, argsDefaults } = step.expected;
  if (args === undefined || (argsIgnore === undefined && argsDefaults === undefined)) return args;
  return withoutKeys({ ...argsDefaults, ...args }, argsIgnore ?? []);
}

/** Arguments, status and turn; the name is known to fit. */
export function detailsFit(step: Step, candidate: Candidate): boolean {
  const { status, turnIndex } = step.expected;
  if (status !== undefined && candidate.call.status !== status) return false;
  if (turnIndex !== undefined && candidate.call.turnIndex !== turnIndex) return false;
  return argsFit(step, candidate);
}

export function stepFits(step: Step, candidate: Candidate): boolean {
  return nameFits(step, candidate.call.name) && detailsFit(step, candidate);
}

export function referenceTo(call: ToolCall, position: number): CallReference {
  return { tool: call.name, position, turnIndex: call.turnIndex };
}
