/**
 * An expected step made ready for matching: its name test, its arguments with matchers found, and the keys by which calls
 * can be indexed so that no mode compares every step with every call.
 */

import type { Json, JsonObject } from "../trace/json.ts";
import { isObject } from "../trace/json.ts";
import type { ToolCall } from "../trace/trace.ts";
import { compileArgs, type MappingPattern, withoutKeys } from "./args-pattern.ts";
import type { CalledTools } from "./called-tools.ts";
import { argumentsOf, matchArgs } from "./match-args.ts";
import { fitsGlob } from "./name-glob.ts";
import type { ArgsMatch, CallReference, ExpectedStep, NameMatch, TrajectorySpec } from "./trajectory.ts";

export interface Step {
  readonly index: number;
  readonly expected: ExpectedStep;
  /** The called name it means; undefined when that may be one of several. */
  readonly name: string | undefined;
  readonly fitsName: ((name: string) => boolean) | undefined;
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

export function compileSteps(spec: TrajectorySpec, called: CalledTools): Step[] {
  return (spec.expected ?? []).map((expected, index) => compileStep(expected, index, spec, called));
}

function compileStep(expected: ExpectedStep, index: number, spec: TrajectorySpec, called: CalledTools): Step {
  const argsMatch = expected.argsMatch ?? spec.argsMatch ?? "superset";
  const compared = isObject(expected.args) && argsMatch !== "ignore";
  const { argsIgnore, argsDefaults } = expected;
  const args = compared ? compileArgs(withoutKeys(expected.args as JsonObject, argsIgnore ?? [])) : undefined;
  // With defaults a call may match without having the key at all.
  const indexKeys = args === undefined || argsDefaults !== undefined ? [] : keysThatMustBeEqual(args, argsMatch);
  return {
    index,
    expected,
    ...compileName(expected.tool, expected.nameMatch ?? spec.nameMatch ?? "tool", called),
    args,
    argsMatch,
    indexKeys,
  };
}

function compileName(tool: string, how: NameMatch, called: CalledTools): Pick<Step, "name" | "fitsName"> {
  if (how === "glob") return { name: undefined, fitsName: fitsGlob(tool) };
  const meant = how === "exact" ? [] : called.meant(tool);
  if (meant.length <= 1) return { name: meant[0] ?? tool, fitsName: undefined };
  const names = new Set(meant);
  return { name: undefined, fitsName: (name) => names.has(name) };
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
  return step.fitsName === undefined ? step.name === name : step.fitsName(name);
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
