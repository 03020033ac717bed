/**
 * Traces that came as spans become arrivals when nothing more is expected of them: the root has ended and nothing came for a while, they have been open
 * for too long, or they have grown too large. A span that comes later opens its trace again, and what is then made of it replaces the run.
 */
import { writeAgentlog } from "spoor/internal/formats/agentlog";
import { logRequestOf, requestOf } from "spoor/internal/record/otlp/otlp-document";
import { createOtlpTraces } from "spoor/internal/record/otlp/otlp-traces";
import { recordsOfSpans } from "spoor/internal/record/otlp/trace-files";
import type { Arrival, Spans, StoredSpan } from "../store/store.ts";
import { contentIdOf } from "./content-id.ts";
import { isLog } from "./stored-log.ts";

/** Nothing came for so long after the root ended: it is whole. */
export const QUIET_MS = 10_000;
/** What has been open for so long is closed as it is: the root may never come. */
export const OPEN_MS = 15 * 60_000;
const MOST_AT_ONCE = 1_000;

export interface ClosedTraces {
  /** That became arrivals. */
  readonly arrived: number;
  /** In which no agent, model or tool did anything. */
  readonly dropped: number;
}

/** Looks once. Called every few seconds, by every process over the store: each trace is closed by one of them. */
export async function closeTraces(spans: Spans, now: number): Promise<ClosedTraces> {
  const counts = { arrived: 0, dropped: 0 };
  const overdue = await spans.closed(0, now - OPEN_MS, MOST_AT_ONCE);
  for (const { projectId, traceId } of overdue) await close(projectId, traceId, true);
  const quiet = await spans.closed(now - QUIET_MS, 0, MOST_AT_ONCE);
  for (const { projectId, traceId } of quiet) await close(projectId, traceId, false);
  return counts;

  async function close(projectId: number, traceId: string, isOverdue: boolean): Promise<void> {
    let isDropped = false;
    try {
      const isNew = await spans.close(projectId, traceId, (stored) => {
        const arrival = arrivalOf(projectId, traceId, stored, isOverdue, now);
        isDropped = arrival === undefined;
        return arrival;
      });
      if (isNew) counts.arrived++;
      else if (isDropped) counts.dropped++;
    } catch (error) {
      // Its root is still running: nothing of the trace was touched.
      if (error !== STILL_OPEN) throw error;
    }
  }
}

const STILL_OPEN = new Error("the root of the trace has not ended");

/** Undefined when there is no run in it. As the recorder writes it: what is missing between its spans is a gap that every lens counts. */
function arrivalOf(
  projectId: number,
  traceId: string,
  stored: readonly StoredSpan[],
  isOverdue: boolean,
  now: number,
): Arrival | undefined {
  const traces = createOtlpTraces();
  for (const one of stored) traces.add((isLog(one) ? logRequestOf : requestOf)(one.span, one.resource, one.scope), now);
  if (!traces.open().includes(traceId)) return undefined;
  const trace = traces.take(traceId);
  if (!trace.rootEnded && !isOverdue) throw STILL_OPEN;
  const records = recordsOfSpans(traceId, trace, {});
  if (records === undefined) return undefined;
  const body = Buffer.from(writeAgentlog(records));
  return {
    projectId,
    contentId: contentIdOf(body),
    source: { name: `${traceId}.agentlog`, format: "agentlog" },
    codec: "plain",
    body,
    receivedAt: now,
  };
}
