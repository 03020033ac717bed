/** Spans → traces: one trace per trace id, in the order of the file; calls that no span holds together are joined to runs first. */

import type { UnknownCounter as Counter } from "@spoor/core/internal/providers/count-unknown";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { foldEvents } from "../activities/fold-events.ts";
import { recordsOfActivities } from "../activities/records.ts";
import type { ImportedTrace, ReadContext } from "../format.ts";
import { textOf } from "./attributes.ts";
import { classifySpan } from "./classify.ts";
import { joinFragments, type SpanGroup } from "./join-fragments.ts";
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
  const byTrace = new Map<string, Span[]>();
  for (const span of spans) {
    const list = byTrace.get(span.traceId);
    if (list === undefined) byTrace.set(span.traceId, [span]);
    else list.push(span);
  }
  const read = [...byTrace].map(([traceId, members]) => readGroup(traceId, members));
  const counters = new Map(read.map(({ group, unknown }) => [group, unknown]));
  const { groups, loose } = joinFragments(read.map(({ group }) => group));
  if (loose > 0 && !context.lenient) return context.fail(looseCalls(loose));
  const traces: ImportedTrace[] = [];
  let quiet = 0;
  for (const group of groups) {
    const unknown = counters.get(group) ?? joinCounters(group, read);
    const trace = traceOfGroup(group, unknown, groups.length > 1);
    if (trace === undefined) quiet++;
    else traces.push(trace);
  }
  if (traces.length === 0) {
    const found = spans.length === 1 ? "one span" : `${spans.length} spans`;
    if (!context.lenient) return context.fail(`holds ${found}, but none of an agent, a model or a tool call`);
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

interface ReadGroup {
  readonly group: SpanGroup;
  readonly unknown: Counter;
}

function readGroup(traceId: string, spans: readonly Span[]): ReadGroup {
  const unknown: Counter = new UnknownCounter();
  return { group: { traceId, spans, classified: spans.map((span) => classifySpan(span, unknown)) }, unknown };
}

/** What was not understood of the traces that were joined. */
function joinCounters(joined: SpanGroup, read: readonly ReadGroup[]): Counter {
  const unknown: Counter = new UnknownCounter();
  const ids = new Set(joined.spans.map(({ traceId }) => traceId));
  for (const { group, unknown: own } of read) {
    if (!ids.has(group.traceId)) continue;
    for (const [kind, count] of Object.entries(own.result().unknown ?? {})) unknown.add(kind, count);
  }
  return unknown;
}

/** The cause, and the line to add. */
function looseCalls(count: number): string {
  return (
    `holds ${count} calls of a model, each in a trace of its own, with no conversation id and no messages to join them to runs by; ` +
    'put one span around each run (Python: with tracer.start_as_current_span("invoke_agent"); JavaScript: ' +
    'tracer.startActiveSpan("invoke_agent", …)), set gen_ai.conversation.id on the spans, or record the messages ' +
    "(OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT=true); with --lenient each call is a run of its own"
  );
}

function traceOfGroup(group: SpanGroup, unknown: Counter, several: boolean): ImportedTrace | undefined {
  const { traceId, spans, classified, joined } = group;
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
  const notes = [
    ...(joined === undefined ? [] : [`${joined} traces without a root are joined to this run`]),
    ...(aside.size === 0 ? [] : [asideNote(aside)]),
  ];
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
