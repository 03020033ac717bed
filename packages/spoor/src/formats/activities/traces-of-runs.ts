/** What a store of telemetry has read → traces: calls that nothing holds together joined to runs, each run to records. */
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import type { ImportedTrace, ReadContext } from "../format.ts";
import { joinRuns, type SourceTrace } from "./join-runs.ts";
import { recordsOfActivities, type TraceFacts } from "./records.ts";

export interface ReadTrace extends SourceTrace {
  /** Its name in a file that holds several. */
  readonly entry: string;
  readonly facts: TraceFacts;
  readonly unknown: UnknownCounter;
  readonly notes?: readonly string[];
}

export interface StoreWords {
  /** The line that makes whole runs of calls in traces of their own. */
  readonly advice: string;
  /** Said of a trace in which nothing was done: "no run is a model or tool call". */
  readonly nothing: string;
}

export function tracesOfRuns(read: readonly ReadTrace[], context: ReadContext, words: StoreWords): ImportedTrace[] {
  return joinRuns(read, context, () => words.advice).map(({ traces, notes }) => {
    const [{ entry, facts, session }] = traces as [ReadTrace];
    const unknown = new UnknownCounter();
    for (const trace of traces) unknown.addAll(trace.unknown);
    const activities = traces.flatMap((trace) => trace.activities);
    const metadata = { conversation_id: session, ...facts.metadata };
    const records = recordsOfActivities(activities, { ...facts, metadata }, unknown);
    const told = [...traces.flatMap((trace) => trace.notes ?? []), ...notes];
    if (records === undefined) told.push(words.nothing);
    return {
      records: records ?? [],
      ...(read.length > 1 ? { entry } : {}),
      ...unknown.result(),
      ...(told.length === 0 ? {} : { notes: told }),
    };
  });
}
