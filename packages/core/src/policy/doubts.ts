/**
 * Names in a rule that no trace has: a tool that is neither offered nor called, a path that leads nowhere. Such a rule may be
 * meant for another day; where a near name is known it is more likely misspelt, and then it will never be broken.
 */
import { nearest } from "../text/nearest.ts";
import { isTool } from "../text/tool-name.ts";
import { isObject, type Json, member } from "../trace/json.ts";
import type { Trace } from "../trace/trace.ts";
import { TurnEvent } from "./events.ts";
import type { Path } from "./path.ts";
import type { PolicyRule } from "./policy.ts";

export interface Doubt {
  readonly code: "unknown_tool" | "unknown_path" | "unknown_argument";
  /** The name or path as the rule has it. */
  readonly what: string;
  /** What is there under a name like it. */
  readonly nearest?: string;
}

/** How far a path leads in a trace: somewhere, or so far and what is there instead; null where there was nothing to look in. */
type Reach = "found" | { readonly depth: number; readonly keys: readonly string[] } | null;

/** What one trace has of what rules name. Plain data: it can be taken where the trace was read, and joined elsewhere. */
export interface Sighting {
  /** Tools that were offered or called, each once. */
  readonly tools: readonly string[];
  /** Per rule, for each path that it names. */
  readonly reaches: readonly (readonly Reach[])[];
}

export function sightingOf(trace: Trace, rules: readonly PolicyRule[]): Sighting {
  return { tools: toolsIn(trace), reaches: rules.map(createLookout(trace)) };
}

/** Sightings of the same rules, of one trace after the other; at least one. */
export function joinSightings(sightings: readonly Sighting[]): Sighting {
  return {
    tools: distinct(sightings.map((sighting) => sighting.tools)),
    reaches: sightings[0]!.reaches.map((paths, rule) =>
      paths.map((_, path) => furthest(sightings.map(({ reaches }) => reaches[rule]![path]!))),
    ),
  };
}

/** What to doubt of each rule, over all traces of a sighting. */
export function doubtsOf(rules: readonly PolicyRule[], sighting: Sighting | undefined): readonly (readonly Doubt[])[] {
  return rules.map((rule, index) =>
    judge(rule, sighting?.tools ?? [], sighting === undefined ? [] : [sighting.reaches[index]!]),
  );
}

/** The same for one rule after the other. Looks at the traces when a rule first asks, and once. */
export function createDoubter(traces: readonly Trace[]): (rule: PolicyRule) => readonly Doubt[] {
  let tools: readonly string[] | undefined;
  const lookouts = traces.map(createLookout);
  return (rule) => {
    tools ??= distinct(traces.map(toolsIn));
    return judge(
      rule,
      tools,
      lookouts.map((look) => look(rule)),
    );
  };
}

function judge(rule: PolicyRule, tools: readonly string[], reaches: readonly (readonly Reach[])[]): readonly Doubt[] {
  const doubts: Doubt[] = [];
  for (const tool of new Set(rule.definition.tools?.(rule.params) ?? [])) {
    if (tool !== "" && tools.length > 0 && !tools.some((known) => isTool([tool], known)))
      doubts.push(doubt("unknown_tool", tool, nearest(tool, tools)));
  }
  for (const [index, { path, code }] of pathsOf(rule).entries())
    doubts.push(...doubtsOfPath(code, path, furthest(reaches.map((own) => own[index]!))));
  return doubts;
}

/** Paths into turns, then paths into what calls are given. */
function pathsOf({ definition, params, when }: PolicyRule) {
  const inTurns = [...when.map(({ path }) => path), ...(definition.paths?.(params) ?? [])];
  return [
    ...inTurns.map((path) => ({ path, code: "unknown_path" as const })),
    ...(definition.argumentPaths?.(params) ?? []).map((path) => ({ path, code: "unknown_argument" as const })),
  ];
}

function createLookout(trace: Trace): (rule: PolicyRule) => readonly Reach[] {
  let contexts: readonly Json[] | undefined;
  return (rule) =>
    pathsOf(rule).map(({ path, code }) => {
      if (code === "unknown_argument")
        return reachOf(path, inputsOf(trace, rule.definition.tools?.(rule.params) ?? []));
      contexts ??= trace.turns.map((turn) => new TurnEvent(turn).context);
      return reachOf(path, contexts);
    });
}

/** Offered and called, each once. */
function toolsIn(trace: Trace): readonly string[] {
  const known = new Set<string>();
  for (const { name } of trace.toolCalls) if (name !== "") known.add(name);
  for (const { offeredTools } of trace.turns) for (const { name } of offeredTools ?? []) known.add(name);
  return [...known];
}

function distinct(lists: readonly (readonly string[])[]): readonly string[] {
  const known = new Set<string>();
  for (const list of lists) for (const name of list) known.add(name);
  return [...known];
}

/** What calls of the tools were given. */
function inputsOf(trace: Trace, tools: readonly string[]): Json[] {
  const concerns = (name: string) => tools.length === 0 || isTool(tools, name);
  return trace.toolCalls.flatMap(({ name, input }) => (concerns(name) && input !== undefined ? [input] : []));
}

function reachOf(path: Path, roots: readonly Json[]): Reach {
  let best: Reach = null;
  for (const root of roots) {
    best = further(best, follow(path, root) ?? "found");
    if (best === "found") return best;
  }
  return best;
}

function furthest(reaches: readonly Reach[]): Reach {
  return reaches.reduce(further, null);
}

function further(best: Reach, next: Reach): Reach {
  if (best === null || next === "found") return next;
  if (next === null || best === "found" || next.depth < best.depth) return best;
  if (next.depth > best.depth) return next;
  return { depth: best.depth, keys: [...new Set([...best.keys, ...next.keys])] };
}

/** Nothing to compare with is no doubt; neither is a path that leads somewhere. */
function doubtsOfPath(code: Doubt["code"], path: Path, best: Reach): Doubt[] {
  if (best === null || best === "found") return [];
  const missing = path.segments[best.depth];
  const near = missing === undefined ? undefined : nearest(missing, best.keys);
  const segments = path.segments.map((segment) => segment ?? "*");
  const better = near === undefined ? undefined : segments.with(best.depth, near).join(".");
  return [doubt(code, path.text, better)];
}

/** How many segments lead somewhere, and what is there instead of the next; undefined when all do. */
function follow(path: Path, root: Json): { readonly depth: number; readonly keys: readonly string[] } | undefined {
  let value: Json | undefined = root;
  for (const [depth, segment] of path.segments.entries()) {
    const next: Json | undefined = segment === undefined ? anyMember(value) : memberOrElement(value, segment);
    if (next === undefined || next === null) return { depth, keys: isObject(value) ? Object.keys(value) : [] };
    value = next;
  }
  return undefined;
}

function anyMember(value: Json): Json | undefined {
  const members = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  return members.find((one) => one !== null);
}

function memberOrElement(value: Json, segment: string): Json | undefined {
  return Array.isArray(value) ? (value[Number(segment)] as Json | undefined) : member(value, segment);
}

function doubt(code: Doubt["code"], what: string, near: string | undefined): Doubt {
  return near === undefined ? { code, what } : { code, what, nearest: near };
}
