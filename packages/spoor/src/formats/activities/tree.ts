/**
 * The tree of activities, and what in it is one thing seen several times.
 *
 * One model call often appears as nested spans (`call_llm` > `generate_content` > `openai.chat`), each with the same token
 * counts: a model activity with exactly one model activity inside is the same call, and the two are merged. With
 * several inside it is a loop around them (`ai.generateText` over its steps) and no call of its own. Tools and agents
 * are borders: a model call inside a tool is another call. Likewise a tool run below a run of the same tool, or any
 * transport span below a tool run, is that run again.
 */
import type { Json, JsonObject } from "@spoor/core";
import type { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import type { Activity, ModelCall, ToolRun } from "./activity.ts";

export interface Node {
  readonly activity: Activity;
  /** Place in the file. */
  readonly order: number;
  parent?: Node;
  /** Nearest enclosing agent, and the outermost one. */
  agent?: Node;
  rootAgent?: Node;
  /** Nearest enclosing tool run, whatever stands between. */
  tool?: Node;
  /** Enclosing model call or tool run with no border between: possibly the same thing. */
  sameModel?: Node;
  sameTool?: Node;
}

export interface MergedModel {
  readonly node: Node;
  readonly call: ModelCall;
}

export interface MergedTool {
  readonly node: Node;
  run: ToolRun;
  failure: Activity["failure"];
}

export interface ActivityTree {
  /** Parents before their children. */
  readonly nodes: readonly Node[];
  readonly models: readonly MergedModel[];
  readonly tools: readonly MergedTool[];
  /** The run each tool activity is part of. */
  readonly toolOf: ReadonlyMap<Node, MergedTool>;
}

/** Cost: linear in the number of activities. */
export function buildActivityTree(activities: readonly Activity[], unknown: UnknownCounter): ActivityTree {
  const nodes = orderNodes(activities, unknown);
  for (const node of nodes) placeNode(node);
  const toolOf = mergeTools(nodes);
  return { nodes, models: mergeModels(nodes), tools: [...new Set(toolOf.values())], toolOf };
}

/** Breadth first from the roots; what hangs in a circle of parents becomes a root itself. */
function orderNodes(activities: readonly Activity[], unknown: UnknownCounter): Node[] {
  const byId = new Map<string, Node>();
  for (const [order, activity] of activities.entries()) {
    if (byId.has(activity.id)) unknown.add("repeated id");
    else byId.set(activity.id, { activity, order });
  }
  const children = new Map<Node, Node[]>();
  const ordered: Node[] = [];
  for (const node of byId.values()) {
    const parent = node.activity.parentId === undefined ? undefined : byId.get(node.activity.parentId);
    if (parent === undefined || parent === node) ordered.push(node);
    else push(children, parent, node);
  }
  const seen = new Set(ordered);
  const visit = (from: number) => {
    for (let index = from; index < ordered.length; index++) {
      for (const child of children.get(ordered[index]!) ?? []) {
        if (seen.has(child)) continue;
        seen.add(child);
        child.parent = ordered[index]!;
        ordered.push(child);
      }
    }
  };
  visit(0);
  for (const node of byId.values()) {
    if (seen.has(node)) continue;
    seen.add(node);
    ordered.push(node);
    visit(ordered.length - 1);
  }
  return ordered;
}

function push(lists: Map<Node, Node[]>, key: Node, node: Node): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [node]);
  else list.push(node);
}

function placeNode(node: Node): void {
  const { parent } = node;
  if (parent === undefined) return;
  const kind = parent.activity.did.kind;
  const agent = kind === "agent" ? parent : parent.agent;
  const rootAgent = parent.rootAgent ?? (kind === "agent" ? parent : undefined);
  const tool = kind === "tool" ? parent : parent.tool;
  if (agent !== undefined) node.agent = agent;
  if (rootAgent !== undefined) node.rootAgent = rootAgent;
  if (tool !== undefined) node.tool = tool;
  const sameModel = kind === "model" ? parent : kind === "agent" || kind === "tool" ? undefined : parent.sameModel;
  const sameTool = kind === "tool" ? parent : kind === "agent" || kind === "model" ? undefined : parent.sameTool;
  if (sameModel !== undefined) node.sameModel = sameModel;
  if (sameTool !== undefined) node.sameTool = sameTool;
}

function mergeModels(nodes: readonly Node[]): MergedModel[] {
  const inside = new Map<Node, number>();
  const models = nodes.filter((node) => node.activity.did.kind === "model");
  for (const { sameModel } of models) if (sameModel) inside.set(sameModel, (inside.get(sameModel) ?? 0) + 1);
  return models
    .filter((node) => !inside.has(node))
    .map((node) => {
      const seen: ModelCall[] = [node.activity.did as ModelCall];
      for (let outer = node.sameModel; outer && inside.get(outer) === 1; outer = outer.sameModel) {
        seen.push(outer.activity.did as ModelCall);
      }
      return { node, call: seen.length === 1 ? seen[0]! : mergeCalls(seen) };
    });
}

/**
 * Several sights of one call, innermost first. The answer comes from the innermost that shows tool calls, else from the
 * innermost that says anything: a sight that lost the calls would hide what the agent did. All else is the innermost's.
 */
function mergeCalls(seen: readonly ModelCall[]): ModelCall {
  const shown = seen.find((call) => call.reply?.parts.some((part) => part["type"] === "tool_use"));
  const spoken = shown ?? seen.find((call) => (call.reply?.parts.length ?? 0) > 0) ?? seen.find((call) => call.reply);
  const asked = seen.find((call) => call.request.messages.length > 0) ?? seen[0]!;
  const first = <T>(pick: (call: ModelCall) => T | undefined): T | undefined => {
    for (const call of seen) {
      const value = pick(call);
      if (value !== undefined) return value;
    }
    return undefined;
  };
  return {
    kind: "model",
    request: asked.request,
    reply: spoken?.reply,
    requestModel: first((call) => call.requestModel),
    responseModel: first((call) => call.responseModel ?? call.reply?.model),
    params: first((call) => call.params),
    tools: first((call): readonly Json[] | undefined => call.tools ?? call.request.tools),
    usage: first((call): JsonObject | undefined => call.usage ?? call.reply?.usage),
    stopReason: first((call) => call.stopReason ?? call.reply?.stopReason),
  };
}

function mergeTools(nodes: readonly Node[]): Map<Node, MergedTool> {
  const merged = new Map<Node, MergedTool>();
  for (const node of nodes) {
    const run = node.activity.did;
    if (run.kind !== "tool") continue;
    const outer = node.sameTool === undefined ? undefined : merged.get(node.sameTool);
    if (outer === undefined || !(run.transport || run.name === outer.run.name)) {
      merged.set(node, { node, run, failure: node.activity.failure });
      continue;
    }
    // The outer run is what the agent called; the inner one adds what the outer did not record.
    merged.set(node, outer);
    outer.run = {
      ...outer.run,
      callId: outer.run.callId ?? run.callId,
      input: outer.run.input ?? run.input,
      output: outer.run.output ?? run.output,
    };
    outer.failure ??= node.activity.failure;
  }
  return merged;
}
