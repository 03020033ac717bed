/**
 * Model calls and tool runs that nothing holds together: the usual quick start of instrumentation, where every call is a trace of its
 * own. They become runs again by what they name (a conversation, a session), and by what the requests say: the calls they answer, the
 * history that grows, the text that is written on. Which request goes on from which is decided as for a running agent (core's capture).
 * What nothing ties to anything is refused: read apart, one run of forty calls would be forty runs of one, and pass for them.
 */
import type { JsonObject } from "@spoor/core";
import { canonicalJson } from "@spoor/core/internal/canonical/canonical-json";
import { Placement } from "@spoor/core/internal/capture/place-request";
import type { Run, Turn } from "@spoor/core/internal/capture/placed";
import { readMessage } from "@spoor/core/internal/capture/read-history";
import { stringMember } from "@spoor/core/internal/trace/json";
import type { ReadContext } from "../format.ts";
import type { Activity, ModelCall, ToolRun } from "./activity.ts";
import { GrowingTexts } from "./growing-texts.ts";
import { messagesOf } from "./records.ts";

/** A trace as its source has it. */
export interface SourceTrace {
  readonly activities: readonly Activity[];
  /** What the source calls the conversation or session it belongs to. */
  readonly session?: string | undefined;
  /** The session of a tool server (MCP): it holds tools together that no model of the file asked for. */
  readonly toolSession?: string | undefined;
  /** Whoever recorded it opens a trace for every run, so that it is one unless its messages say that it goes on from another. */
  readonly isRun?: boolean | undefined;
}

export interface JoinedRun<T> {
  /** One, or those that were joined, in the order of time. */
  readonly traces: readonly T[];
  readonly notes: readonly string[];
}

/** `advice` is the line that makes whole runs of such calls, in the words of whoever recorded them. */
export function joinRuns<T extends SourceTrace>(
  traces: readonly T[],
  context: ReadContext,
  advice: (alone: readonly T[]) => string,
): readonly JoinedRun<T>[] {
  const fragments = traces.filter(isFragment).sort(byStart);
  if (fragments.length < 2) return traces.map((trace) => ({ traces: [trace], notes: [] }));
  const runs = placeFragments(fragments);
  const alone = new Set(runs.filter((run) => run.length === 1 && isRootless(run[0]!)).map(([one]) => one!));
  const bare = [...alone].filter(isBare).length;
  const whole = traces.filter((trace) => isDone(trace) && !isFragment(trace)).length + runs.length - alone.size;
  const isTorn = bare > 1 || (alone.size > 1 && alone.size > whole);
  if (isTorn && !context.lenient) {
    const hint = `${advice([...alone])}. If each of them is a run of its own, --lenient reads them so.`;
    return context.fail(tornApart([...alone], bare), { hint });
  }
  const home = new Map(runs.map((run) => [run[0]!, run]));
  const placed = new Set(fragments);
  return traces.flatMap((trace): JoinedRun<T>[] => {
    const run = placed.has(trace) ? home.get(trace) : [trace];
    return run === undefined ? [] : [{ traces: run, notes: notesOf(run, alone.has(trace)) }];
  });
}

/** One call of a model, or tools alone, with nothing of another kind around them. */
export function isFragment({ activities }: SourceTrace): boolean {
  // Of most traces the first span already says it.
  if (activities.some(({ parentId, did }) => parentId === undefined && isAround(did.kind))) return false;
  const ids = new Set(activities.map(({ id }) => id));
  const roots = activities.filter(({ parentId }) => parentId === undefined || !ids.has(parentId));
  if (roots.some(({ did }) => isAround(did.kind))) return false;
  const models = roots.filter(({ did }) => did.kind === "model").length;
  const tools = activities.some(({ did }) => did.kind === "tool");
  if (models === 0) return tools;
  const inner = activities.filter(({ did, parentId }) => did.kind === "model" && parentId === roots[0]!.id);
  return models === 1 && !tools && inner.length <= 1;
}

function isAround(kind: Activity["did"]["kind"]): boolean {
  return kind === "around" || kind === "agent";
}

/** Neither a name nor a parent, be it one that is not in the file: then the trace is a run, whose root stands elsewhere. */
export function isRootless({ activities, session, toolSession, isRun }: SourceTrace): boolean {
  if (session !== undefined || toolSession !== undefined || isRun) return false;
  const ids = new Set(activities.map(({ id }) => id));
  return activities.every(({ parentId }) => parentId === undefined || ids.has(parentId));
}

function isDone({ activities }: SourceTrace): boolean {
  return activities.some(({ did }) => did.kind !== "around");
}

/** Not a single message: nothing that could ever tie it to another. */
export function isBare({ activities }: SourceTrace): boolean {
  const model = modelOf(activities);
  return model !== undefined && (model.did as ModelCall).request.messages.length === 0;
}

export function modelOf(activities: readonly Activity[]): Activity | undefined {
  return activities.findLast(({ did }) => did.kind === "model");
}

export function byStart(left: SourceTrace, right: SourceTrace): number {
  const [first, second] = [startOf(left), startOf(right)];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Nanoseconds; 0 where no clock is known. */
export function startOf({ activities }: SourceTrace): bigint {
  return activities.reduce(
    (first, { start }) => (start !== undefined && (first === 0n || start < first) ? start : first),
    0n,
  );
}

/** The runs that fragments are, given in the order in which they began. */
export function placeFragments<T extends SourceTrace>(fragments: readonly T[]): readonly (readonly T[])[] {
  const placer = new FragmentPlacer();
  const runs = new Map<unknown, T[]>();
  for (const fragment of fragments) {
    const key = placer.runOf(fragment);
    const run = runs.get(key);
    if (run === undefined) runs.set(key, [fragment]);
    else run.push(fragment);
  }
  return [...runs.values()];
}

/** Fragments one after the other, as they began or as they come. */
export class FragmentPlacer {
  private readonly placement = new Placement();
  private readonly texts = new GrowingTexts<Run>();

  /** What stands for the run a fragment belongs to, the same for all of one run. */
  runOf(fragment: SourceTrace): unknown {
    return runOf(fragment, this.placement, this.texts);
  }
}

/** What stands for the run a fragment belongs to: itself, when it says nothing that could tie it to another. */
function runOf(fragment: SourceTrace, placement: Placement, texts: GrowingTexts<Run>): unknown {
  const model = modelOf(fragment.activities);
  if (fragment.session !== undefined) return `session ${fragment.session}`;
  if (model === undefined) return runOfTools(fragment, placement);
  const call = model.did as ModelCall;
  const messages = messagesOf(call.request.messages);
  if (messages.length === 0) return fragment;
  const { turn, by } = placement.place({
    messages: messages.map((message) => readMessage(message)),
    setup: canonicalJson([...messages.filter(isInstruction), call.tools ?? []]),
    model: call.requestModel ?? "",
    id: canonicalJson(messages),
    offersTools: call.tools !== undefined,
    answeredCalls: messages.flatMap((message) => stringMember(message, "tool_call_id") ?? []).reverse(),
  });
  tellAnswer(turn, model, call, placement);
  return texts.runOf(turn.lane.run, by === "new", messages, call.reply?.parts ?? []);
}

export function isInstruction(message: JsonObject): boolean {
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
function runOfTools(fragment: SourceTrace, placement: Placement): unknown {
  for (const { did } of fragment.activities) {
    if (did.kind !== "tool") continue;
    const { callId, name, input } = did as ToolRun;
    const call = placement.beginCall({ id: callId, key: callKey(name, input) });
    if (call !== undefined) return call.turn.lane.run;
  }
  return fragment.toolSession === undefined ? fragment : `tool session ${fragment.toolSession}`;
}

export function callKey(name: string, input: unknown): string {
  return canonicalJson([name, (input ?? null) as JsonObject]);
}

function notesOf(run: readonly SourceTrace[], isAlone: boolean): readonly string[] {
  if (run.length > 1) return [`${run.length} traces without a root are joined to this run`];
  return isAlone ? ["a trace of its own without a root: nothing ties it to another run of this file"] : [];
}

function tornApart(alone: readonly SourceTrace[], bare: number): string {
  const models = alone.filter(({ activities }) => modelOf(activities) !== undefined).length;
  const what =
    models === alone.length ? "calls of a model" : models === 0 ? "runs of tools" : "calls of models and runs of tools";
  const why =
    bare === alone.length
      ? "they name no conversation and hold no messages"
      : "they name no conversation, and none goes on from another";
  return `holds ${alone.length} ${what}, each in a trace of its own, and nothing tells which of them are one run: ${why}`;
}
