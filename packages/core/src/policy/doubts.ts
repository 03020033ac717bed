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

/** Looks at the traces when a rule first asks, and once. */
export function createDoubter(traces: readonly Trace[]): (rule: PolicyRule) => readonly Doubt[] {
  let tools: readonly string[] | undefined;
  let contexts: readonly Json[] | undefined;
  return ({ definition, params, when }) => {
    tools ??= knownTools(traces);
    const named = definition.tools?.(params) ?? [];
    const doubts: Doubt[] = [];
    for (const tool of new Set(named)) {
      if (tool !== "" && tools.length > 0 && !tools.some((known) => isTool([tool], known)))
        doubts.push(doubt("unknown_tool", tool, nearest(tool, tools)));
    }
    const paths = [...when.map(({ path }) => path), ...(definition.paths?.(params) ?? [])];
    if (paths.length > 0) contexts ??= contextsOf(traces);
    for (const path of paths) doubts.push(...doubtsOfPath("unknown_path", path, contexts!));
    const argumentPaths = definition.argumentPaths?.(params) ?? [];
    if (argumentPaths.length > 0) {
      const inputs = inputsOf(traces, named);
      for (const path of argumentPaths) doubts.push(...doubtsOfPath("unknown_argument", path, inputs));
    }
    return doubts;
  };
}

/** Offered and called, each once. */
function knownTools(traces: readonly Trace[]): readonly string[] {
  const known = new Set<string>();
  for (const trace of traces) {
    for (const { name } of trace.toolCalls) if (name !== "") known.add(name);
    for (const { offeredTools } of trace.turns) for (const { name } of offeredTools ?? []) known.add(name);
  }
  return [...known];
}

function contextsOf(traces: readonly Trace[]): Json[] {
  return traces.flatMap((trace) => trace.turns.map((turn) => new TurnEvent(turn).context));
}

/** What calls of the tools were given, and what they take where they were offered with a schema. */
function inputsOf(traces: readonly Trace[], tools: readonly string[]): Json[] {
  const concerns = (name: string) => tools.length === 0 || isTool(tools, name);
  return traces.flatMap((trace) =>
    trace.toolCalls.flatMap(({ name, input }) => (concerns(name) && input !== undefined ? [input] : [])),
  );
}

/** Nothing to compare with is no doubt; neither is a path that leads somewhere in one of them. */
function doubtsOfPath(code: Doubt["code"], path: Path, roots: readonly Json[]): Doubt[] {
  let best: { readonly depth: number; readonly keys: readonly string[] } | undefined;
  for (const root of roots) {
    const reached = follow(path, root);
    if (reached === undefined) return [];
    if (best === undefined || reached.depth > best.depth) best = reached;
    else if (reached.depth === best.depth)
      best = { depth: best.depth, keys: [...new Set([...best.keys, ...reached.keys])] };
  }
  if (best === undefined) return [];
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
