/** Spans of the store → what arrives: a run as the recorder writes it, or a fragment that is joined with others first. */

import type { TraceRecord } from "@spoor/core";
import { type JsonObject, member, stringifyJson } from "@spoor/core/internal/trace/json";
import { tiesOf } from "spoor/internal/formats/activities/fragment-ties";
import { byStart, isBare, isRootless, placeFragments, startOf } from "spoor/internal/formats/activities/join-runs";
import { writeAgentlog } from "spoor/internal/formats/agentlog";
import type { SpanGroup } from "spoor/internal/formats/otel/records";
import { logRequestOf, requestOf } from "spoor/internal/record/otlp/otlp-document";
import { createOtlpTraces, type TakenTrace } from "spoor/internal/record/otlp/otlp-traces";
import { fragmentOf, recordsOfGroups, recordsOfSpans } from "spoor/internal/record/otlp/trace-files";
import type { Arrival, ArrivalSource, SpanAssembler, StoredFragment, StoredSpan } from "../store/store.ts";
import { contentIdOf } from "./content-id.ts";
import { isLog } from "./stored-log.ts";

/** Its root is still running: nothing of the trace is touched. */
export const STILL_OPEN = new Error("the root of the trace has not ended");

/** So many calls are named where nothing tells which of them are one run. */
const MOST_TORN = 20;

/** `isOverdue`: what is closed is closed as it is. */
export function createAssembler(projectId: number, isOverdue: boolean, now: number): SpanAssembler {
  const arrivalOf = (text: string, source: ArrivalSource): Arrival => {
    const body = Buffer.from(text);
    return { projectId, contentId: contentIdOf(body), source, codec: "plain", body, receivedAt: now };
  };
  const runOf = (traceId: string, records: readonly TraceRecord[] | undefined) =>
    records === undefined
      ? undefined
      : arrivalOf(writeAgentlog(records), { name: `${traceId}.agentlog`, format: "agentlog" });
  return {
    read(spans) {
      const traceId = spans[0]?.traceId;
      const trace = traceId === undefined ? undefined : takenOf(traceId, spans);
      if (traceId === undefined || trace === undefined) return undefined;
      if (!trace.rootEnded && !isOverdue) throw STILL_OPEN;
      const fragment = fragmentOf(trace);
      if (fragment !== undefined) return { startedAt: startOfFragment(fragment), ties: tiesOf(fragment) };
      return runOf(traceId, recordsOfSpans(traceId, trace, {}));
    },
    partition(fragments) {
      const groups = fragments.flatMap((fragment) => {
        const group = groupOf(fragment);
        return group === undefined ? [] : [{ ...group, fragment }];
      });
      return placeFragments(groups.sort(byStart)).map((run) => run.map(({ fragment }) => fragment));
    },
    join(run, neighbours) {
      const groups = run.flatMap((fragment) => groupOf(fragment) ?? []).sort(byStart);
      const [first, ...others] = groups;
      if (first === undefined) return undefined;
      const torn = others.length > 0 || !isTorn(first) ? [] : neighbours.filter((near) => isTorn(groupOf(near)));
      if (torn.length === 0) return runOf(first.traceId, recordsOfGroups(groups, {}));
      // Read as the file that these would be, it is refused with the words for files.
      const document = documentOf([...run, ...torn.slice(0, MOST_TORN - 1)]);
      return arrivalOf(stringifyJson(document), { name: `${first.traceId}.json` });
    },
  };
}

function takenOf(traceId: string, spans: readonly StoredSpan[]): TakenTrace | undefined {
  const traces = createOtlpTraces();
  for (const one of spans) traces.add(requestOfStored(one), 0);
  return traces.open().includes(traceId) ? traces.take(traceId) : undefined;
}

function requestOfStored(one: StoredSpan) {
  return (isLog(one) ? logRequestOf : requestOf)(one.span, one.resource, one.scope);
}

function groupOf({ traceId, spans }: StoredFragment): SpanGroup | undefined {
  const trace = takenOf(traceId, spans);
  return trace === undefined ? undefined : fragmentOf(trace);
}

/** Without a message and without a name: nothing could ever tie it to another. */
function isTorn(group: SpanGroup | undefined): boolean {
  return group !== undefined && isBare(group) && isRootless(group);
}

function documentOf(fragments: readonly StoredFragment[]): JsonObject {
  const lists = fragments.map(({ traceId, spans }) => member(takenOf(traceId, spans)?.document, "resourceSpans"));
  return { resourceSpans: lists.flatMap((list) => (Array.isArray(list) ? list : [])) };
}

/** Milliseconds. */
function startOfFragment(fragment: SpanGroup): number {
  const started = Number(startOf(fragment) / 1_000_000n);
  return Number.isSafeInteger(started) ? started : 0;
}
