/**
 * Model calls and tool runs that no span holds together: the usual quick start of instrumentation, where every call is a trace of its
 * own. They become runs again by what their spans name (a conversation, a session), and by what the requests say: the calls
 * they answer, the history that grows. Which request goes on from which is decided as for a running agent (core's capture).
 */
import type { JsonObject } from "@spoor/core";
import { canonicalJson } from "@spoor/core/internal/canonical/canonical-json";
import { Placement } from "@spoor/core/internal/capture/place-request";
import type { Turn } from "@spoor/core/internal/capture/placed";
import { readMessage } from "@spoor/core/internal/capture/read-history";
import { stringMember } from "@spoor/core/internal/trace/json";
import type { Activity, ModelCall, ToolRun } from "../activities/activity.ts";
import { messagesOf } from "../activities/records.ts";
import { textOf } from "./attributes.ts";
import type { Classified } from "./classify.ts";
import type { Span } from "./spans.ts";

export interface SpanGroup {
  readonly traceId: string;
  readonly spans: readonly Span[];
  readonly classified: readonly Classified[];
  /** How many traces were joined to it; absent for a trace as the source has it. */
  readonly joined?: number;
}

export interface JoinedSpans {
  readonly groups: readonly SpanGroup[];
  /** Calls of a model that nothing ties to anything: neither a name nor a single message. */
  readonly loose: number;
}

const SESSION_KEYS = [
  ...["gen_ai.conversation.id", "session.id", "session_id", "langfuse.session.id", "langsmith.trace.session_id"],
  ...["ai.telemetry.metadata.sessionId", "traceloop.association.properties.session_id", "conversation_id", "thread_id"],
] as const;

export function joinFragments(groups: readonly SpanGroup[]): JoinedSpans {
  const fragments = groups.filter(isFragment).sort(byStart);
  if (fragments.length < 2) return { groups, loose: 0 };
  const placement = new Placement();
  const runs = new Map<unknown, SpanGroup[]>();
  let loose = 0;
  for (const fragment of fragments) {
    const key = runOf(fragment, placement);
    if (key === undefined) loose++;
    const own = key ?? fragment;
    const run = runs.get(own);
    if (run === undefined) runs.set(own, [fragment]);
    else run.push(fragment);
  }
  const home = new Map([...runs.values()].map((run) => [run[0]!, run]));
  const placed = new Set(fragments);
  const joined = groups.flatMap((group) => {
    if (!placed.has(group)) return [group];
    const run = home.get(group);
    return run === undefined ? [] : [run.length === 1 ? group : joinGroups(run)];
  });
  return { groups: joined, loose: loose < 2 ? 0 : loose };
}

/** One call of a model, or tools alone, with no span of another kind around them. */
function isFragment({ classified }: SpanGroup): boolean {
  const ids = new Set(classified.map(({ activity }) => activity.id));
  const roots = classified.filter(({ activity: { parentId } }) => parentId === undefined || !ids.has(parentId));
  const kinds = new Set(roots.map(({ activity }) => activity.did.kind));
  if (kinds.has("around") || kinds.has("agent")) return false;
  const models = roots.filter(({ activity }) => activity.did.kind === "model").length;
  const tools = classified.some(({ activity }) => activity.did.kind === "tool");
  if (models === 0) return tools;
  const inner = classified.filter(
    ({ activity }) => activity.did.kind === "model" && activity.parentId === roots[0]!.activity.id,
  );
  return models === 1 && !tools && inner.length <= 1;
}

function byStart(left: SpanGroup, right: SpanGroup): number {
  const [first, second] = [startOf(left), startOf(right)];
  return first < second ? -1 : first > second ? 1 : 0;
}

function startOf({ spans }: SpanGroup): bigint {
  return spans.reduce(
    (first, { start }) => (start !== undefined && (first === 0n || start < first) ? start : first),
    0n,
  );
}

/** What stands for the run a fragment belongs to; undefined when it says nothing that could tie it to another. */
function runOf(fragment: SpanGroup, placement: Placement): unknown {
  const session = sessionOf(fragment.spans);
  const model = fragment.classified.findLast(({ activity }) => activity.did.kind === "model")?.activity;
  if (session !== undefined) return `session ${session}`;
  if (model === undefined) return runOfTools(fragment, placement);
  const call = model.did as ModelCall;
  const messages = messagesOf(call.request.messages);
  if (messages.length === 0) return undefined;
  const placed = placement.place({
    messages: messages.map((message) => readMessage(message)),
    setup: canonicalJson([...messages.filter(isInstruction), call.tools ?? []]),
    model: call.requestModel ?? "",
    id: canonicalJson(messages),
    offersTools: call.tools !== undefined,
    answeredCalls: messages.flatMap((message) => stringMember(message, "tool_call_id") ?? []).reverse(),
  });
  tellAnswer(placed.turn, model, call, placement);
  return placed.turn.lane.run;
}

function sessionOf(spans: readonly Span[]): string | undefined {
  for (const { attributes } of spans) {
    const session = textOf(attributes, ...SESSION_KEYS);
    if (session !== undefined) return session;
  }
  return undefined;
}

function isInstruction(message: JsonObject): boolean {
  return message["role"] === "system" || message["role"] === "developer";
}

function tellAnswer(turn: Turn, model: Activity, { reply }: ModelCall, placement: Placement): void {
  if (model.failure !== undefined && reply === undefined) {
    placement.failed(turn);
    return;
  }
  const calls = (reply?.parts ?? []).flatMap((part) => {
    const name = part["type"] === "tool_use" ? stringMember(part, "name") : undefined;
    if (name === undefined) return [];
    const input = part["input"];
    return [{ id: stringMember(part, "id") ?? "", name, input, key: callKey(name, input), askedMs: 0 }];
  });
  const [said] = messagesOf([{ role: "assistant", parts: reply?.parts ?? [] }]);
  placement.answered(turn, { digest: readMessage(said!).digest, calls });
}

/** Tools that ran alone belong to the run that asked for the first of them. */
function runOfTools(fragment: SpanGroup, placement: Placement): unknown {
  for (const { activity } of fragment.classified) {
    if (activity.did.kind !== "tool") continue;
    const { callId, name, input } = activity.did as ToolRun;
    const call = placement.beginCall({ id: callId, key: callKey(name, input) });
    if (call !== undefined) return call.turn.lane.run;
  }
  return fragment;
}

function callKey(name: string, input: unknown): string {
  return canonicalJson([name, (input ?? null) as JsonObject]);
}

function joinGroups(run: readonly SpanGroup[]): SpanGroup {
  return {
    traceId: run[0]!.traceId,
    spans: run.flatMap(({ spans }) => spans),
    classified: run.flatMap(({ classified }) => classified),
    joined: run.length,
  };
}
