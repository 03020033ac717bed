/** The tools an agent has, as far as traces and lists of tools tell: what the names in a policy can mean. */
import { canonicalJson } from "../../canonical/canonical-json.ts";
import { toolDefinition } from "../../providers/encode-parts.ts";
import { isTool, toolPart } from "../../text/tool-name.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../../trace/json.ts";
import type { Trace } from "../../trace/trace.ts";

export interface KnownTools {
  /** By name; a tool that was only called has no schema. */
  readonly tools: ReadonlyMap<string, KnownTool>;
  /** Whether someone listed what is on offer: a tool that is not among them is then no tool of this agent. */
  readonly listed: boolean;
  /** Who acted in the traces, `main` for the agent itself; undefined without traces. */
  readonly agents: readonly string[] | undefined;
  /** To look up where paths lead. */
  readonly traces: readonly Trace[];
}

export interface KnownTool {
  /** Each JSON Schema of its arguments that it was offered with. */
  readonly schemas: readonly JsonObject[];
  /** Whether it was offered without one, or only called: then its arguments may be anything. */
  readonly open: boolean;
}

/**
 * The known tools that a name or glob of a rule means. A server lists its tools without its own name, so `mcp:github/merge` is the
 * `merge` of such a list.
 */
export function toolsNamed(named: string, { tools }: KnownTools): string[] {
  const part = toolPart(named);
  return [...tools.keys()].filter((name) => isTool([named], name) || (part !== undefined && isTool([part], name)));
}

export interface ToolSources {
  readonly traces?: readonly Trace[];
  /** Definitions as an MCP server or a model API has them, or bare names. */
  readonly definitions?: readonly Json[];
}

/** Undefined when there is nothing to compare with. */
export function collectTools({ traces = [], definitions = [] }: ToolSources): KnownTools | undefined {
  if (traces.length === 0 && definitions.length === 0) return undefined;
  const tools = new Map<string, { schemas: JsonObject[]; open: boolean }>();
  const entry = (name: string) => {
    const found = tools.get(name) ?? { schemas: [], open: false };
    tools.set(name, found);
    return found;
  };
  // Every request of a trace offers the same tools again.
  const seen = new Set<string>();
  const offered = new Set<Json>(definitions);
  for (const trace of traces)
    for (const turn of trace.turns) for (const { definition } of turn.offeredTools ?? []) offered.add(definition);
  for (const definition of offered) {
    const name = nameOf(definition);
    if (name === undefined) continue;
    const schema = toolDefinition(definition)?.parameters;
    if (!isObject(schema)) entry(name).open = true;
    else {
      const key = canonicalJson([name, schema]);
      if (!seen.has(key)) entry(name).schemas.push(schema);
      seen.add(key);
    }
  }
  for (const trace of traces)
    for (const { name } of trace.toolCalls) if (name !== "" && !tools.has(name)) entry(name).open = true;
  return { tools, listed: offered.size > 0, agents: agentsOf(traces), traces };
}

function nameOf(tool: Json): string | undefined {
  if (typeof tool === "string") return tool;
  return toolDefinition(tool)?.name ?? stringMember(tool, "name") ?? stringMember(member(tool, "function"), "name");
}

function agentsOf(traces: readonly Trace[]): readonly string[] | undefined {
  if (traces.length === 0) return undefined;
  const agents = new Set(["main"]);
  for (const { turns, toolCalls } of traces)
    for (const { agent } of [...turns, ...toolCalls]) if (agent !== undefined) agents.add(agent);
  return [...agents];
}

/** The definitions in what people have at hand: the answer to `tools/list`, a list of definitions, a request. */
export function definitionsIn(value: Json): readonly Json[] | undefined {
  const found = [value, member(value, "tools"), member(member(value, "result"), "tools")].find((one) =>
    Array.isArray(one),
  );
  if (!Array.isArray(found)) return undefined;
  const inner = found.flatMap((tool: Json): Json[] => {
    // Gemini holds declarations in groups.
    const group = member(tool, "functionDeclarations") ?? member(tool, "function_declarations");
    return Array.isArray(group) ? (group as Json[]) : [tool];
  });
  return inner.every((tool) => nameOf(tool) !== undefined) ? inner : undefined;
}
