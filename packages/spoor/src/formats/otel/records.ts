/** Spans → traces: one trace per trace id, in the order of the file; calls that no span holds together are joined to runs first. */

import type { UnknownCounter as Counter } from "@spoor/core/internal/providers/count-unknown";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { foldEvents } from "../activities/fold-events.ts";
import { joinRuns, type SourceTrace } from "../activities/join-runs.ts";
import { recordsOfActivities } from "../activities/records.ts";
import type { ImportedTrace, ReadContext } from "../format.ts";
import { textOf } from "./attributes.ts";
import { type Classified, classifySpan } from "./classify.ts";
import { adviceFor, SESSION_KEYS } from "./run-advice.ts";
import type { Span } from "./spans.ts";
import { splitThreadRuns } from "./thread-runs.ts";

export interface ReadSpans {
  readonly spans: readonly Span[];
  /** Entries that were no span: without ids there is nothing to join them by. */
  readonly skipped: number;
}

/**
 * A trace in which no agent did anything is left out, and its absence noted. A file of nothing but such traces is an
 * error: taken for an empty trace, it would pass every check. Under `lenient` it is an empty trace with that note.
 */
export function tracesOfSpans({ spans: given, skipped }: ReadSpans, context: ReadContext): ImportedTrace[] {
  const spans = splitThreadRuns(given);
  const runs = joinRuns(readGroups(spans), context, adviceForGroups);
  const traces: ImportedTrace[] = [];
  let quiet = 0;
  for (const { traces: groups, notes } of runs) {
    const trace = traceOfGroup(joinGroups(groups), notes, runs.length > 1);
    if (trace === undefined) quiet++;
    else traces.push(trace);
  }
  if (traces.length === 0) {
    if (!context.lenient) return context.fail(nothingDone(spans.length));
    traces.push({ records: [] });
  }
  const note =
    quiet === 0
      ? undefined
      : `${quiet} ${quiet === 1 ? "trace has" : "traces have"} no agent, model or tool call and ${quiet === 1 ? "is" : "are"} left out`;
  const [first, ...rest] = traces as [ImportedTrace, ...ImportedTrace[]];
  const unknown = skipped === 0 ? first.unknown : { ...first.unknown, "span without ids": skipped };
  const notes = note === undefined ? (first.notes ?? []) : [...(first.notes ?? []), note];
  return [
    { ...first, ...(unknown === undefined ? {} : { unknown }), ...(notes.length === 0 ? {} : { notes }) },
    ...rest,
  ];
}

function nothingDone(count: number): string {
  if (count === 0) return "holds no span";
  return `holds ${count === 1 ? "one span" : `${count} spans`}, but none of an agent, a model or a tool call`;
}

/** Spans by the trace they name. */
export function readGroups(spans: readonly Span[]): SpanGroup[] {
  const byTrace = new Map<string, Span[]>();
  for (const span of spans) {
    const list = byTrace.get(span.traceId);
    if (list === undefined) byTrace.set(span.traceId, [span]);
    else list.push(span);
  }
  return [...byTrace].map(([traceId, members]) => readGroup(traceId, members));
}

/** The line that makes whole runs of traces without a root. */
export function adviceForGroups(alone: readonly SpanGroup[]): string {
  return adviceFor(alone.flatMap((group) => group.spans));
}

/** Traces that are one run, as one; undefined when no agent, model or tool is in them. */
export function traceOfGroups(groups: readonly SpanGroup[]): ImportedTrace | undefined {
  return traceOfGroup(joinGroups(groups), [], false);
}

export interface SpanGroup extends SourceTrace {
  readonly traceId: string;
  readonly spans: readonly Span[];
  readonly classified: readonly Classified[];
  readonly unknown: Counter;
}

function readGroup(traceId: string, spans: readonly Span[]): SpanGroup {
  const unknown: Counter = new UnknownCounter();
  const classified = spans.map((span) => classifySpan(span, unknown));
  const activities = classified.map(({ activity }) => activity);
  const session = firstText(spans, ...SESSION_KEYS);
  const toolSession = firstText(spans, "mcp.session.id");
  // The loop of the AI SDK is inside the function that opens the trace.
  const isRun = spans.some(({ attributes }) => attributes.has("ai.operationId"));
  return { traceId, spans, classified, activities, session, toolSession, isRun, unknown };
}

function joinGroups(groups: readonly SpanGroup[]): SpanGroup {
  const [first] = groups as [SpanGroup];
  if (groups.length === 1) return first;
  const unknown: Counter = new UnknownCounter();
  for (const group of groups) unknown.addAll(group.unknown);
  return {
    ...first,
    spans: groups.flatMap(({ spans }) => spans),
    classified: groups.flatMap(({ classified }) => classified),
    unknown,
  };
}

function traceOfGroup(group: SpanGroup, joined: readonly string[], several: boolean): ImportedTrace | undefined {
  const { traceId, spans, classified, unknown } = group;
  const records = recordsOfActivities(
    foldEvents(classified.map(({ activity }, index) => ({ activity, name: spans[index]!.name }))),
    {
      traceId: firstText(spans, "spoor.trace_id") ?? traceId,
      agent: serviceOf(spans),
      metadata: {
        conversation_id: firstText(spans, "gen_ai.conversation.id", "session.id"),
        scenario_id: firstText(spans, "spoor.scenario_id"),
      },
    },
    unknown,
  );
  if (records === undefined) return undefined;
  const aside = new Map<string, number>();
  for (const { aside: kind } of classified) if (kind !== undefined) aside.set(kind, (aside.get(kind) ?? 0) + 1);
  const notes = [...joined, ...(aside.size === 0 ? [] : [asideNote(aside)])];
  const entry = several ? { entry: traceId } : {};
  return { records, ...entry, ...unknown.result(), ...(notes.length === 0 ? {} : { notes }) };
}

function asideNote(aside: ReadonlyMap<string, number>): string {
  const kinds = [...aside]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([kind, count]) => `${count} ${kind}`);
  const total = [...aside.values()].reduce((sum, count) => sum + count, 0);
  return `${total} ${total === 1 ? "span is" : "spans are"} transport or structure, not steps of the agent (${kinds.join(", ")})`;
}

/** The service that made the model calls, unless it never named itself. */
function serviceOf(spans: readonly Span[]): string | undefined {
  const telling = spans.find((span) => span.attributes.has("gen_ai.request.model")) ?? spans[0];
  const named = textOf(telling?.attributes ?? new Map(), "gen_ai.agent.name", "ai.telemetry.functionId");
  const service = textOf(telling?.resource ?? new Map(), "service.name");
  return named ?? (service?.startsWith("unknown_service") ? undefined : service);
}

function firstText(spans: readonly Span[], ...keys: readonly string[]): string | undefined {
  for (const { attributes } of spans) {
    const text = textOf(attributes, ...keys);
    if (text !== undefined) return text;
  }
  return undefined;
}
