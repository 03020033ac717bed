/**
 * Activities → records in the order of time. A model call is a request and a response side by side; a tool run is a
 * `tool_call` where it starts and a `tool_result` where it ends. What the source did not say is left out.
 */
import type { Json, JsonObject, TraceRecord } from "@spoor/core";
import type { ChatMessage } from "@spoor/core/internal/providers/chat-shapes";
import type { JsonFields } from "@spoor/core/internal/providers/conversation";
import type { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { stopReason } from "@spoor/core/internal/providers/stop-reason";
import { stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { type Activity, durationMs, isoOfNanos, type StepDone } from "./activity.ts";
import { type AskedCall, type JoinedTools, joinTools } from "./join-tools.ts";
import { agentName, Lanes } from "./lanes.ts";
import { parallelGroups } from "./parallel-groups.ts";
import { timeOrder } from "./time-order.ts";
import { Timeline } from "./timeline.ts";
import { buildActivityTree, type MergedModel, type MergedTool, type Node } from "./tree.ts";

export interface TraceFacts {
  readonly traceId?: string | undefined;
  /** Used when no agent activity names one. */
  readonly agent?: string | undefined;
  /** Further members of the metadata payload. */
  readonly metadata?: JsonFields;
}

/** Undefined when no agent ran and nothing was done. */
export function recordsOfActivities(
  activities: readonly Activity[],
  facts: TraceFacts,
  unknown: UnknownCounter,
): TraceRecord[] | undefined {
  const tree = buildActivityTree(activities, unknown);
  const steps = tree.nodes.filter((node) => node.activity.did.kind === "step");
  const agent = tree.nodes.find((node) => node.activity.did.kind === "agent");
  if (tree.models.length + tree.tools.length + steps.length === 0 && agent === undefined) return undefined;
  const byTime = timeOrder(tree.nodes);
  const models = [...tree.models].sort((left, right) => byTime(left.node, right.node));
  const tools = [...tree.tools].sort((left, right) => byTime(left.node, right.node));
  const joined = joinTools(models, tools);
  const lanes = new Lanes(models, tree.toolOf, joined, agentName(agent) ?? facts.agent);
  const timeline = new Timeline(timeOrder(tree.nodes, askedBy(joined)));
  const results = new OpenResults();
  for (const model of models) timeline.add(model.node, modelRecords(model, lanes, joined, results));
  const told = toldResults(models, tools);
  const groups = parallelGroups(tools.filter((tool) => !joined.runs.get(tool)!.asked));
  for (const tool of tools) {
    const { id } = joined.runs.get(tool)!;
    const lane = lanes.of(tool.node);
    timeline.add(
      tool.node,
      [callRecord(tool, id, lane, groups.get(tool))],
      resultRecords(tool, id, lane, told.get(id)),
    );
  }
  for (const node of steps) timeline.add(node, [stepRecord(node, lanes.of(node))]);
  const failures = tree.nodes.filter((node) => node.agent === undefined).flatMap(failureRecords);
  return [metadata(facts, lanes.main, tree.nodes), ...timeline.records(), ...failures];
}

/** What later requests say that tools returned, by the id of the call: asked only where a run itself does not say it. */
function toldResults(models: readonly MergedModel[], tools: readonly MergedTool[]): Map<string, Json> {
  const told = new Map<string, Json>();
  if (tools.every(({ run, failure }) => run.output !== undefined || failure !== undefined)) return told;
  for (const { call } of models) {
    for (const { result } of call.request.messages) {
      if (result?.callId !== undefined && result.output !== undefined) told.set(result.callId, result.output);
    }
  }
  return told;
}

/** A run whose own span holds the model that asks for it cannot follow that model. */
function askedBy(joined: JoinedTools): Map<Node, Node> {
  const asking = new Map<Node, Node>();
  for (const calls of joined.asked.values()) {
    for (const { model, ranAs } of calls) {
      if (ranAs !== undefined && model.node.tool !== ranAs.node) asking.set(ranAs.node, model.node);
    }
  }
  return asking;
}

/** Calls that wait for a result in a later request, per agent: results without an id find their call here. */
class OpenResults {
  /** Messages as they were written down before: requests repeat them, and readers give equal ones as one. */
  readonly written = new Map<ChatMessage, JsonObject>();
  private readonly byAgent = new Map<Node | undefined, { id: string; name: string; answered: boolean }[]>();

  opened(node: Node, calls: readonly AskedCall[]): void {
    if (calls.length === 0) return;
    const open = calls.map((call) => ({ id: call.id, name: stringMember(call.part, "name") ?? "", answered: false }));
    this.byAgent.set(node.agent, open);
  }

  /** The call a result of the latest round belongs to: its own id, else by name and order. */
  idOf(node: Node, result: NonNullable<ChatMessage["result"]>): string | undefined {
    const open = this.byAgent.get(node.agent) ?? [];
    const found =
      result.callId === undefined
        ? open.find((call) => !call.answered && (result.name === undefined || call.name === result.name))
        : open.find((call) => call.id === result.callId);
    if (found !== undefined) found.answered = true;
    return result.callId ?? found?.id;
  }
}

function modelRecords(model: MergedModel, lanes: Lanes, joined: JoinedTools, results: OpenResults): TraceRecord[] {
  const { node, call } = model;
  const { activity } = node;
  const asked = joined.asked.get(model)!;
  const lane = lanes.of(node);
  const messages = requestMessages(node, call.request.messages, results);
  results.opened(node, asked);
  const requestModel = call.requestModel ?? call.request.model;
  const tools = call.tools ?? call.request.tools;
  const parts = withCallIds(call.reply?.parts ?? [], asked);
  const request: Record<string, Json> = {};
  if (requestModel !== undefined) request["model"] = requestModel;
  request["messages"] = messages;
  if (call.params !== undefined) request["params"] = call.params;
  if (tools !== undefined) request["tools"] = tools;
  const meta = activity.sequential ? { ...lane, sequential: true } : lane;
  return [
    record("chat_request", activity.start, lane, request),
    record("chat_response", activity.end ?? activity.start, meta, answerOf(model, parts, asked.length > 0)),
  ];
}

function answerOf({ node: { activity }, call }: MergedModel, parts: readonly JsonObject[], asks: boolean): JsonObject {
  const failure = parts.length === 0 ? activity.failure : undefined;
  const answer: Record<string, Json> = {};
  const model = call.responseModel ?? call.reply?.model ?? call.requestModel ?? call.request.model;
  if (model !== undefined) answer["model"] = model;
  answer["content"] = parts;
  const reason = failure === undefined ? stopReason(call.stopReason ?? call.reply?.stopReason, asks) : "error";
  if (reason !== undefined) answer["stop_reason"] = reason;
  const usage = call.usage ?? call.reply?.usage;
  if (usage !== undefined) answer["usage"] = usage;
  const latency = durationMs(activity);
  if (latency !== undefined) answer["latency_ms"] = latency;
  if (failure?.kind !== undefined) answer["error_type"] = failure.kind;
  if (failure?.message !== undefined) answer["error"] = failure.message;
  return answer;
}

/** Every shape is written out, without objects that are spread and thrown away: there are very many records. */
function record(kind: string, at: bigint | undefined, meta: JsonObject | undefined, payload: JsonObject): TraceRecord {
  const ts = isoOfNanos(at);
  if (ts === undefined) return meta === undefined ? { kind, payload } : { kind, meta, payload };
  return meta === undefined ? { kind, ts, payload } : { kind, ts, meta, payload };
}

/** Messages in `.agentlog` shape; results of the latest round that lack an id get that of their call. */
function requestMessages(node: Node, messages: readonly ChatMessage[], results: OpenResults): JsonObject[] {
  const lastSpoken = messages.findLastIndex((message) => message.role === "assistant");
  return messages.map((message, index) => {
    const { result } = message;
    const callId = result !== undefined && index > lastSpoken ? results.idOf(node, result) : result?.callId;
    const known = results.written.get(message);
    if (known !== undefined && callId === result?.callId) return known;
    const written =
      result === undefined
        ? { role: message.role, content: contentOf(message) }
        : present({
            role: "tool",
            tool_call_id: callId,
            name: result.name,
            content: result.output,
            is_error: result.failed,
          });
    if (callId === result?.callId) results.written.set(message, written);
    return written;
  });
}

/** Messages in `.agentlog` shape, as the source has them. */
export function messagesOf(messages: readonly ChatMessage[]): JsonObject[] {
  return messages.map((message) => {
    const { result } = message;
    if (result === undefined) return { role: message.role, content: contentOf(message) };
    return present({ role: "tool", tool_call_id: result.callId, content: result.output });
  });
}

/** A lone text is written as text, as people and policies expect it. */
function contentOf(message: ChatMessage): Json {
  const [first] = message.parts;
  const text = message.parts.length === 1 && first?.["type"] === "text" ? stringMember(first, "text") : undefined;
  return text ?? (message.parts.length === 0 ? "" : message.parts);
}

function withCallIds(parts: readonly JsonObject[], asked: readonly AskedCall[]): readonly JsonObject[] {
  if (asked.every(({ part, id }) => part["id"] === id)) return parts;
  const ids = new Map(asked.map((call) => [call.part, call.id]));
  return parts.map((part) => {
    const call = ids.get(part);
    return call === undefined || part["id"] === call ? part : { type: "tool_use", ...part, id: call };
  });
}

function callRecord(
  { node, run }: MergedTool,
  id: string,
  lane: JsonObject | undefined,
  group: string | undefined,
): TraceRecord {
  const meta = group === undefined ? lane : { ...lane, parallel_group: group };
  const payload = present({ tool_name: run.name, tool_call_id: id, arguments: run.input });
  return record("tool_call", node.activity.start, meta, payload);
}

/** No result when the run never ended and nothing came out of it: its outcome is unknown. */
function resultRecords(
  tool: MergedTool,
  id: string,
  lane: JsonObject | undefined,
  told: Json | undefined,
): TraceRecord[] {
  const { run, failure, node } = tool;
  const { end, succeeded, durationMs: measured } = node.activity;
  const isOver = end !== undefined || succeeded === true || measured !== undefined;
  const output = run.output ?? failure?.message ?? told;
  if (output === undefined && failure === undefined && !isOver) return [];
  const payload: Record<string, Json> = { tool_call_id: id };
  if (output !== undefined) payload["output"] = output;
  payload["is_error"] = failure !== undefined;
  if (failure?.kind !== undefined) payload["error_type"] = failure.kind;
  const latency = durationMs(node.activity);
  if (latency !== undefined) payload["latency_ms"] = latency;
  return [record("tool_result", node.activity.end, lane, payload)];
}

function stepRecord(node: Node, lane: JsonObject | undefined): TraceRecord {
  const did = node.activity.did as StepDone;
  const { failure } = node.activity;
  return record("harness_event", node.activity.start, lane, {
    category: did.category,
    name: did.name,
    severity: failure === undefined ? "info" : "error",
    attributes: present({
      ...did.attributes,
      latency_ms: durationMs(node.activity),
      error_type: failure?.kind,
      error: failure?.message,
    }),
  });
}

/** A run of the whole agent that failed; what failed inside it is told by its own records. */
function failureRecords(node: Node): TraceRecord[] {
  const { failure, end, did } = node.activity;
  if (failure === undefined || did.kind !== "agent") return [];
  const message = failure.message ?? `the run of ${did.name || "the agent"} failed`;
  return [record("error", end, undefined, present({ source: "sdk", code: failure.kind, message }))];
}

function metadata(facts: TraceFacts, agent: string | undefined, nodes: readonly Node[]): TraceRecord {
  let first: bigint | undefined;
  for (const { activity } of nodes) {
    if (activity.start !== undefined && (first === undefined || activity.start < first)) first = activity.start;
  }
  const meta = facts.traceId ? { trace_id: facts.traceId } : undefined;
  return record("metadata", first, meta, present({ agent, ...facts.metadata }));
}
