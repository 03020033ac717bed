/**
 * Which tool run carried out which call. A completion asks for a call, a tool span shows it running; they are one call.
 * Joined by call id; a run without one takes the earliest waiting call of its name, first within the same agent, one
 * with equal arguments before others.
 */
import type { Json } from "@spoor/core";
import type { Part } from "@spoor/core/internal/providers/chat-parts";
import { jsonEqual, member, stringMember } from "@spoor/core/internal/trace/json";
import type { MergedModel, MergedTool, Node } from "./tree.ts";

export interface AskedCall {
  readonly model: MergedModel;
  readonly part: Part;
  /** Its own id; else that of the run that carried it out; else its place. */
  id: string;
  readonly named: boolean;
  ranAs?: MergedTool;
}

export interface JoinedTools {
  readonly asked: ReadonlyMap<MergedModel, readonly AskedCall[]>;
  /** The id under which each run is recorded, and whether a completion asked for it. */
  readonly runs: ReadonlyMap<MergedTool, { readonly id: string; readonly asked: boolean }>;
}

/** Both lists in the order of time. */
export function joinTools(models: readonly MergedModel[], tools: readonly MergedTool[]): JoinedTools {
  const asked = new Map<MergedModel, AskedCall[]>();
  const byId = new Map<string, AskedCall[]>();
  const byName = new Map<string, WaitingCalls>();
  for (const model of models) {
    const calls = (model.call.reply?.parts ?? []).filter((part) => part["type"] === "tool_use");
    const list = calls.map((part, index): AskedCall => {
      const id = stringMember(part, "id");
      return { model, part, id: id ?? `${model.node.activity.id}/${index}`, named: id !== undefined };
    });
    asked.set(model, list);
    for (const call of list) {
      const sameId = byId.get(call.id);
      if (sameId === undefined) byId.set(call.id, [call]);
      else sameId.push(call);
      const name = stringMember(call.part, "name") ?? "";
      const sameName = byName.get(name);
      if (sameName === undefined) byName.set(name, { calls: [call], head: 0 });
      else sameName.calls.push(call);
    }
  }
  const runs = new Map<MergedTool, { id: string; asked: boolean }>();
  for (const tool of tools) {
    const call = findCall(tool, byId, byName.get(tool.run.name));
    const own = tool.run.callId ?? tool.node.activity.id;
    if (call === undefined) {
      runs.set(tool, { id: own, asked: false });
      continue;
    }
    call.ranAs = tool;
    if (!call.named) call.id = own;
    runs.set(tool, { id: call.id, asked: true });
  }
  return { asked, runs };
}

function findCall(
  tool: MergedTool,
  byId: ReadonlyMap<string, readonly AskedCall[]>,
  sameName: WaitingCalls | undefined,
): AskedCall | undefined {
  const { callId } = tool.run;
  const exact = callId === undefined ? undefined : latestWithId(tool, byId.get(callId) ?? []);
  return exact ?? (sameName === undefined ? undefined : nextWaiting(tool, sameName));
}

/** Some models count their calls from zero in every response: an id means the latest call that bore it by then. */
function latestWithId(tool: MergedTool, sameId: readonly AskedCall[]): AskedCall | undefined {
  const open = sameId.filter((call) => call.ranAs === undefined);
  return open.findLast((call) => startedBefore(call.model.node, tool.node)) ?? open[0];
}

/** Calls of one name in the order of time; those before `head` have all been carried out. */
interface WaitingCalls {
  readonly calls: AskedCall[];
  head: number;
}

function nextWaiting(tool: MergedTool, waiting: WaitingCalls): AskedCall | undefined {
  const { callId, input } = tool.run;
  const { calls } = waiting;
  while (waiting.head < calls.length && calls[waiting.head]!.ranAs !== undefined) waiting.head++;
  let best: AskedCall | undefined;
  let bestRank = -1;
  for (let index = waiting.head; index < calls.length; index++) {
    const call = calls[index]!;
    // From here on they were asked for later.
    if (!startedBefore(call.model.node, tool.node)) break;
    if (call.ranAs !== undefined || (call.named && callId !== undefined)) continue;
    const ofAgent = call.model.node.agent === tool.node.agent ? 2 : 0;
    const rank = ofAgent + (sameArguments(member(call.part, "input"), input) ? 1 : 0);
    if (rank <= bestRank) continue;
    best = call;
    bestRank = rank;
    if (rank === 3) break;
  }
  return best;
}

function sameArguments(asked: Json | undefined, ran: Json | undefined): boolean {
  return jsonEqual(asked, ran) || jsonEqual(asked, member(ran, "input"));
}

function startedBefore(earlier: Node, later: Node): boolean {
  const { start: from } = earlier.activity;
  const { start: to } = later.activity;
  return from === undefined || to === undefined || from <= to;
}
