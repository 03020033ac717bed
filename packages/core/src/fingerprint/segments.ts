/**
 * Steps → segments, the words a fingerprint is spelled with: `TYPE:target`, in an order that does not depend on which of
 * several concurrent calls happened to finish first.
 */
import { compareCodePoints } from "../canonical/canonical-json.ts";
import type { StepKind } from "../trace/trace.ts";

export type InteractionType = "LLM_CALL" | "TOOL_CALL" | "HTTP_REQUEST" | "OTHER";

const TYPES: Readonly<Record<StepKind, InteractionType>> = {
  llm: "LLM_CALL",
  tool: "TOOL_CALL",
  http: "HTTP_REQUEST",
  other: "OTHER",
};

/** What a fingerprint reads of a step; every `Step` of a trace is one. */
export interface FingerprintStep {
  readonly kind: StepKind;
  readonly target: string;
  readonly parallelGroup?: string;
  /** Recorded position. Used only when every step has one; otherwise the given order stands. */
  readonly sequence?: number;
}

/** Model names that stand for one another, from the config; applied before hashing. */
export type ModelAliases = Readonly<Record<string, string>>;

export function interactionType(kind: StepKind): InteractionType {
  return TYPES[kind];
}

/** `\` and `|` are the only characters that could make two different runs spell the same string. */
export function escapeName(name: string): string {
  return name.includes("\\") || name.includes("|") ? name.replace(/[\\|]/g, "\\$&") : name;
}

/** `TOOL_CALL:search`. The first `:` separates; a target may contain more of them. */
export function segmentOf(step: FingerprintStep, aliases?: ModelAliases): string {
  const target = step.kind === "llm" && aliases !== undefined ? aliasOf(step.target, aliases) : step.target;
  return `${TYPES[step.kind]}:${escapeName(target)}`;
}

function aliasOf(model: string, aliases: ModelAliases): string {
  return Object.hasOwn(aliases, model) ? aliases[model]! : model;
}

/**
 * The segments of all steps, ordered as `orderSteps` orders them. Linear; equal steps share one string. Groups whose
 * members stand together, which is nearly all of them, are sorted where they stand.
 */
export function segmentsOf(steps: readonly FingerprintStep[], aliases?: ModelAliases): string[] {
  const spell = createSpelling(aliases);
  const recorded = inSequence(steps);
  const segments: string[] = [];
  const closed = new Set<string>();
  let open: string | undefined;
  let start = 0;
  for (const step of recorded) {
    const group = step.parallelGroup;
    if (group !== open) {
      if (open !== undefined) closed.add(open);
      if (segments.length - start > 1 && open !== undefined) sortFrom(segments, start);
      if (group !== undefined && closed.has(group)) return orderSteps(steps, spell).map(spell);
      open = group;
      start = segments.length;
    }
    segments.push(spell(step));
  }
  if (open !== undefined) sortFrom(segments, start);
  return segments;
}

/** Groups up to this size, nearly all of them, are sorted where they stand. */
const SMALL_GROUP = 32;

/** Insertion sort of the tail: groups are a handful of steps, and mostly in order already. Large ones are sorted as a whole. */
function sortFrom(segments: string[], start: number): void {
  if (segments.length - start > SMALL_GROUP) {
    const sorted = segments.slice(start).sort(compareCodePoints);
    for (let index = 0; index < sorted.length; index++) segments[start + index] = sorted[index]!;
    return;
  }
  for (let index = start + 1; index < segments.length; index++) {
    const segment = segments[index]!;
    let place = index;
    while (place > start && compareCodePoints(segments[place - 1]!, segment) > 0) {
      segments[place] = segments[place - 1]!;
      place--;
    }
    segments[place] = segment;
  }
}

/** Spells each distinct step once: a long trace repeats a handful of targets. */
export function createSpelling(aliases?: ModelAliases): (step: FingerprintStep) => string {
  const known: Record<StepKind, Map<string, string>> = {
    llm: new Map(),
    tool: new Map(),
    http: new Map(),
    other: new Map(),
  };
  return (step) => {
    const ofKind = known[step.kind];
    let segment = ofKind.get(step.target);
    if (segment === undefined) {
      segment = segmentOf(step, aliases);
      ofKind.set(step.target, segment);
    }
    return segment;
  };
}

/**
 * Recorded order, with each parallel group gathered at the place of its earliest member and sorted there by segment.
 * Groups of one, and the names of groups, change nothing.
 */
export function orderSteps<S extends FingerprintStep>(
  steps: readonly S[],
  spell: (step: FingerprintStep) => string = createSpelling(),
): readonly S[] {
  const recorded = inSequence(steps);
  if (!recorded.some((step) => step.parallelGroup !== undefined)) return recorded;
  return sortedInPlace(recorded, spell) ?? gathered(recorded, spell);
}

/** Where the members of each group stand together, as nearly all do; undefined where some do not. */
function sortedInPlace<S extends FingerprintStep>(
  recorded: readonly S[],
  spell: (step: FingerprintStep) => string,
): readonly S[] | undefined {
  const ordered = recorded.slice();
  const closed = new Set<string>();
  let start = 0;
  for (let index = 1; index <= ordered.length; index++) {
    const open = ordered[start]!.parallelGroup;
    if (index < ordered.length && open !== undefined && ordered[index]!.parallelGroup === open) continue;
    if (open !== undefined) {
      if (closed.has(open)) return undefined;
      closed.add(open);
      if (index - start > 1) {
        const group = ordered.slice(start, index).sort((left, right) => compareCodePoints(spell(left), spell(right)));
        for (let place = 0; place < group.length; place++) ordered[start + place] = group[place]!;
      }
    }
    start = index;
  }
  return ordered;
}

function gathered<S extends FingerprintStep>(
  recorded: readonly S[],
  spell: (step: FingerprintStep) => string,
): readonly S[] {
  const places: S[][] = [];
  const groups = new Map<string, S[]>();
  for (const step of recorded) {
    const group = step.parallelGroup === undefined ? undefined : groups.get(step.parallelGroup);
    if (group !== undefined) {
      group.push(step);
      continue;
    }
    const place = [step];
    places.push(place);
    if (step.parallelGroup !== undefined) groups.set(step.parallelGroup, place);
  }
  for (const group of groups.values()) {
    if (group.length > 1) group.sort((left, right) => compareCodePoints(spell(left), spell(right)));
  }
  return places.flat();
}

function inSequence<S extends FingerprintStep>(steps: readonly S[]): readonly S[] {
  if (steps.length === 0 || steps.some((step) => step.sequence === undefined)) return steps;
  return [...steps].sort((left, right) => left.sequence! - right.sequence!);
}

/** Tools and endpoints: what counts as a tool when two behaviours are compared. */
export function isToolSegment(segment: string): boolean {
  return segment.startsWith("TOOL_CALL:") || segment.startsWith("HTTP_REQUEST:");
}

/** The target inside a segment, unescaped: the name a person knows. */
export function targetOf(segment: string): string {
  return segment.slice(segment.indexOf(":") + 1).replace(/\\([\\|])/g, "$1");
}

/** A joined sequence back into its segments: `|` separates, escaped bars belong to names. A segment is never empty. */
export function splitSegments(text: string): string[] {
  if (text === "") return [];
  return text.includes("\\") ? (text.match(/(?:\\[\s\S]|[^\\|])+/g) ?? []) : text.split("|");
}
