/**
 * BeeAI's instrumentation makes a span of every event: `tool.search.start-1`, `tool.search.success-1`, `tool.search.finish-1` are one run of
 * one tool, `backend.openai.chat.start-2` and what follows it one call of a model. Events of one path are folded in the order of time: what was asked
 * comes from the first that has it, what was answered from the last.
 */
import type { Activity, ModelCall, ToolRun } from "./activity.ts";

export interface NamedActivity {
  readonly activity: Activity;
  /** The name of its span. */
  readonly name: string;
}

const EVENT = /^(.+)\.(start|success|error|retry|finish)-\d+$/;

export function foldEvents(items: readonly NamedActivity[]): Activity[] {
  if (!items.some(({ name }) => EVENT.test(name))) return items.map(({ activity }) => activity);
  const byPath = new Map<string, Folded[]>();
  const idOf = new Map<string, string>();
  const folded = new Map<Activity, Folded | undefined>();
  for (const { activity, name } of inOrder(items)) {
    const event = EVENT.exec(name);
    const { kind } = activity.did;
    if (event === null || (kind !== "tool" && kind !== "model")) continue;
    const [, path, what] = event as unknown as [string, string, string];
    const open = byPath.get(path) ?? [];
    byPath.set(path, open);
    const of = what === "start" ? undefined : open.find((run) => !run.seen.has(what));
    if (of === undefined) {
      const run = { activity: named(activity, path), seen: new Set([what]) };
      open.push(run);
      folded.set(activity, run);
    } else {
      of.activity = join(of.activity, activity);
      of.seen.add(what);
      idOf.set(activity.id, of.activity.id);
      folded.set(activity, undefined);
    }
    if (what === "finish")
      byPath.set(
        path,
        open.filter((run) => !run.seen.has("finish")),
      );
  }
  if (folded.size === 0) return items.map(({ activity }) => activity);
  return items.flatMap(({ activity }) => {
    const kept = folded.has(activity) ? folded.get(activity)?.activity : activity;
    if (kept === undefined) return [];
    const parentId = kept.parentId === undefined ? undefined : (idOf.get(kept.parentId) ?? kept.parentId);
    return [{ ...kept, parentId: parentId === kept.id ? activity.parentId : parentId }];
  });
}

interface Folded {
  activity: Activity;
  readonly seen: Set<string>;
}

/** Events without a clock stay where they stood. */
function inOrder(items: readonly NamedActivity[]): NamedActivity[] {
  return [...items].sort(({ activity: left }, { activity: right }) => {
    if (left.start === undefined || right.start === undefined || left.start === right.start) return 0;
    return left.start < right.start ? -1 : 1;
  });
}

/** A tool that is named after its span is named after the path instead. */
function named(activity: Activity, path: string): Activity {
  const { did } = activity;
  if (did.kind !== "tool" || !EVENT.test(did.name)) return activity;
  return { ...activity, did: { ...did, name: path.replace(/^tool\./, "") } };
}

function join(first: Activity, next: Activity): Activity {
  const end = next.end ?? first.end;
  return {
    ...first,
    end: first.end !== undefined && end !== undefined && first.end > end ? first.end : end,
    failure: first.failure ?? next.failure,
    did: joinDid(first.did as ToolRun | ModelCall, next.did as ToolRun | ModelCall),
  };
}

function joinDid(first: ToolRun | ModelCall, next: ToolRun | ModelCall): ToolRun | ModelCall {
  if (first.kind === "tool" && next.kind === "tool") {
    const name = EVENT.test(next.name) ? first.name : next.name;
    return {
      ...first,
      name,
      callId: first.callId ?? next.callId,
      input: first.input ?? next.input,
      output: next.output ?? first.output,
    };
  }
  if (first.kind !== "model" || next.kind !== "model") return first;
  return {
    ...first,
    request: first.request.messages.length > 0 ? first.request : next.request,
    reply: hasParts(next) ? next.reply : first.reply,
    requestModel: first.requestModel ?? next.requestModel,
    responseModel: next.responseModel ?? first.responseModel,
    usage: next.usage ?? first.usage,
    stopReason: next.stopReason ?? first.stopReason,
    params: first.params ?? next.params,
    tools: first.tools ?? next.tools,
  };
}

function hasParts({ reply }: ModelCall): boolean {
  return reply !== undefined && reply.parts.length > 0;
}
