/**
 * Traces that came as spans become arrivals when nothing more is expected of them: the root has ended and nothing came for a while, they have been open
 * for too long, or they have grown too large. A span that comes later opens its trace again, and what is then made of it replaces the run.
 */
import type { Spans } from "../store/store.ts";
import { createAssembler, STILL_OPEN } from "./assemble-spans.ts";

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
  // After all that are due: those of one run become one arrival.
  for (const { projectId, traceId } of await spans.unplaced(MOST_AT_ONCE))
    counts.arrived += await spans.place(projectId, traceId, createAssembler(projectId, true, now));
  return counts;

  async function close(projectId: number, traceId: string, isOverdue: boolean): Promise<void> {
    let isDropped = false;
    const assembler = createAssembler(projectId, isOverdue, now);
    try {
      const isNew = await spans.close(projectId, traceId, {
        ...assembler,
        read(stored) {
          const found = assembler.read(stored);
          isDropped = found === undefined;
          return found;
        },
      });
      if (isNew) counts.arrived++;
      else if (isDropped) counts.dropped++;
    } catch (error) {
      if (error !== STILL_OPEN) throw error;
    }
  }
}
