/**
 * A behavioural fingerprint: one hash of what an agent did, never of what it said.
 *
 * `sequence` hashes every step in order, `structural` the set of distinct steps. Texts, arguments, results, errors, times
 * and tokens take no part. Beside it, and never inside it, stands `shape`: tool calls with the names of their arguments.
 * Cost: linear in the number of steps, one SHA-256 per hash.
 */
import { compareCodePoints } from "../canonical/canonical-json.ts";
import { digestText } from "../canonical/digest.ts";
import { isObject } from "../trace/json.ts";
import type { Step, Trace } from "../trace/trace.ts";
import { FINGERPRINT_VERSION, type FingerprintMode, parseMode, SHAPE_VERSION } from "./mode.ts";
import {
  createSpelling,
  escapeName,
  type FingerprintStep,
  type ModelAliases,
  orderSteps,
  segmentsOf,
} from "./segments.ts";

const HASH_LENGTH = 16;
const MOST_SPELLINGS = 2_000;

export interface FingerprintOptions {
  readonly mode?: FingerprintMode;
  readonly modelAliases?: ModelAliases;
}

export interface Fingerprint {
  readonly version: typeof FINGERPRINT_VERSION;
  readonly mode: FingerprintMode;
  /** The first 16 hex digits of SHA-256 over `string`. */
  readonly hash: string;
  readonly string: string;
  readonly stepCount: number;
}

export function fingerprintTrace(trace: Pick<Trace, "steps">, options: FingerprintOptions = {}): Fingerprint {
  return fingerprintSteps(trace.steps, options);
}

export function fingerprintSteps(steps: readonly FingerprintStep[], options: FingerprintOptions = {}): Fingerprint {
  return fingerprintSegments(segmentsOf(steps, options.modelAliases), options.mode ?? "sequence");
}

/** The same from segments that are already ordered, as a baseline keeps them. */
export function fingerprintSegments(segments: readonly string[], asked: FingerprintMode): Fingerprint {
  const mode = parseMode(asked, "The option mode");
  const string = mode === "sequence" ? sequenceString(segments) : structuralString(segments);
  return {
    version: FINGERPRINT_VERSION,
    mode,
    hash: digestText(string, HASH_LENGTH),
    string,
    stepCount: segments.length,
  };
}

/** `v2|LLM_CALL:gpt-4|TOOL_CALL:search`; without steps the bare tag. */
function sequenceString(segments: readonly string[]): string {
  let text: string = FINGERPRINT_VERSION;
  for (const segment of segments) text += `|${segment}`;
  return text;
}

/** `v2:structural` and the distinct segments by UTF-8 bytes; can never equal a sequence string. */
function structuralString(segments: readonly string[]): string {
  const distinct = [...new Set(segments)].sort(compareCodePoints);
  return [`${FINGERPRINT_VERSION}:structural`, ...distinct].join("|");
}

export interface Shape {
  readonly version: typeof SHAPE_VERSION;
  readonly hash: string;
  readonly string: string;
}

/** A tool step with the names of its arguments; the values never enter. */
export interface ShapeStep extends FingerprintStep {
  readonly argumentKeys: readonly string[];
}

/** `shape1|TOOL_CALL:search(limit,query)`: tool calls only, in the order of sequence mode, argument names sorted. */
export function fingerprintShape(steps: readonly ShapeStep[]): Shape {
  return shapeOf(steps, (step) => step.argumentKeys);
}

export function shapeOfTrace(trace: Pick<Trace, "steps">): Shape {
  return shapeOf(trace.steps, argumentKeys);
}

function argumentKeys({ call }: Step): readonly string[] {
  return call !== undefined && isObject(call.input) ? Object.keys(call.input) : [];
}

function shapeOf<S extends FingerprintStep>(steps: readonly S[], keysOf: (step: S) => readonly string[]): Shape {
  let string: string = SHAPE_VERSION;
  const spell = createSpelling();
  const spellArguments = createArgumentSpelling();
  for (const step of orderSteps(steps, spell)) {
    if (step.kind === "tool") string += `|${spell(step)}(${spellArguments(keysOf(step))})`;
  }
  return { version: SHAPE_VERSION, hash: digestText(string, HASH_LENGTH), string };
}

/** Sorts the names of arguments once for all calls that have the same: a run has few kinds of calls. */
function createArgumentSpelling(): (keys: readonly string[]) => string {
  const known = new Map<string, string>();
  return (keys) => {
    if (keys.length === 0) return "";
    const written = keys.map(escapeName).join("|");
    let spelled = known.get(written);
    if (spelled === undefined) {
      spelled = keys.map(escapeName).sort(compareCodePoints).join(",");
      if (known.size < MOST_SPELLINGS) known.set(written, spelled);
    }
    return spelled;
  };
}
