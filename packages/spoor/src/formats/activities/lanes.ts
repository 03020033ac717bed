/** Which agent did what. */
import type { JsonObject } from "@spoor/core";
import { present } from "@spoor/core/internal/trace/present";
import type { JoinedTools } from "./join-tools.ts";
import type { MergedModel, MergedTool, Node } from "./tree.ts";

/** Who acted: the main agent is the outermost one around the first model call. */
export class Lanes {
  readonly main: string | undefined;
  private readonly joined: JoinedTools;
  private readonly toolOf: ReadonlyMap<Node, MergedTool>;

  constructor(
    models: readonly MergedModel[],
    toolOf: ReadonlyMap<Node, MergedTool>,
    joined: JoinedTools,
    fallback: string | undefined,
  ) {
    this.main = agentName(models[0]?.node.rootAgent) ?? fallback;
    this.joined = joined;
    this.toolOf = toolOf;
  }

  /** Meta of a record: the sub-agent and the call that started it; nothing for the main agent. */
  of(node: Node): JsonObject | undefined {
    const starter = node.tool === undefined ? undefined : this.toolOf.get(node.tool);
    const inside = starter === undefined ? undefined : this.joined.runs.get(starter)?.id;
    const name = agentName(node.agent);
    // A model call inside a tool is not the main agent speaking, even when no span names a sub-agent.
    const agent = starter !== undefined && (name === undefined || name === this.main) ? starter.run.name : name;
    const other = agent === this.main ? undefined : agent;
    if (other === undefined && inside === undefined) return undefined;
    return present({ agent: other, parent_tool_call_id: inside });
  }
}

/** The name of an agent activity, when it has one. */
export function agentName(node: Node | undefined): string | undefined {
  return node?.activity.did.kind === "agent" ? node.activity.did.name || undefined : undefined;
}
