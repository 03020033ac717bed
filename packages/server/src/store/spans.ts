/**
 * Spans of traces that came piece by piece. A trace is closed when nothing more is expected: its spans become one arrival. They stay for a while, so that
 * a late span opens the trace again and the whole of it becomes a new arrival that replaces the first.
 */
import { sql } from "kysely";
import type { StoreEngine } from "./engine/engine.ts";
import { keepFragment, leaveRun, placeFragment, readSpans } from "./fragments.ts";
import { writeArrivals } from "./inbox.ts";
import { groupBy, inChunks, writeJson } from "./rows.ts";
import type { SpanAssembler, SpanTraceKey, StoredSpan } from "./span-shapes.ts";

/** Spans of traces that have not ended yet. */
export interface Spans {
  append(projectId: number, spans: readonly StoredSpan[], at: number): Promise<void>;
  /** Traces to which nothing was added since `quietSince`, or that began before `openSince`. */
  closed(quietSince: number, openSince: number, limit: number): Promise<readonly SpanTraceKey[]>;
  /** The spans of a trace become one arrival, in one transaction; a fragment waits to be joined. Whether something arrived. */
  close(projectId: number, traceId: string, assembler: SpanAssembler): Promise<boolean>;
  /** Fragments that wait for their place, the earliest first. */
  unplaced(limit: number): Promise<readonly SpanTraceKey[]>;
  /** Finds the run of a fragment; how many arrivals came of it. */
  place(projectId: number, traceId: string, assembler: SpanAssembler): Promise<number>;
}

/** A trace that has grown to this is closed whatever it still waits for. */
const MOST_BYTES = 64 * 1024 * 1024;

export function createSpans(engine: StoreEngine): Spans {
  return {
    async append(projectId, spans, at) {
      const byTrace = [...groupBy(distinct(spans), ({ traceId }) => traceId)].sort(([left], [right]) =>
        left < right ? -1 : 1,
      );
      if (byTrace.length === 0) return;
      await engine.transaction(async (tx) => {
        for (const [traceId, some] of byTrace) {
          let bytes = 0;
          await inChunks(
            some.map((span) => spanRow(projectId, span)),
            async (chunk) => {
              const rows = await tx
                .insertInto("spans")
                .values(chunk)
                .onConflict((conflict) => conflict.columns(["project_id", "trace_id", "span_id"]).doNothing())
                .returning("span_id")
                .execute();
              const fresh = new Set(rows.map(({ span_id }) => span_id));
              for (const row of chunk)
                if (fresh.has(row.span_id)) bytes += row.span.length + row.resource.length + row.scope.length;
            },
          );
          // A client that sends the same again opens nothing.
          if (bytes === 0) continue;
          await tx
            .insertInto("span_traces")
            .values({ project_id: projectId, trace_id: traceId, first_at: at, last_at: at, closed_at: 0, bytes })
            .onConflict((conflict) =>
              conflict.columns(["project_id", "trace_id"]).doUpdateSet({
                // A trace that is opened again begins anew: it may wait as long as the first time.
                first_at: sql`case when span_traces.closed_at = 0 then span_traces.first_at else excluded.first_at end`,
                last_at: sql`excluded.last_at`,
                closed_at: 0,
                bytes: sql`span_traces.bytes + excluded.bytes`,
              }),
            )
            .execute();
        }
      });
    },
    async closed(quietSince, openSince, limit) {
      const rows = await engine.db
        .selectFrom("span_traces")
        .select(["project_id", "trace_id"])
        .where("closed_at", "=", 0)
        .where((where) =>
          where.or([
            where("last_at", "<=", quietSince),
            where("first_at", "<=", openSince),
            where("bytes", ">=", MOST_BYTES),
          ]),
        )
        .orderBy("last_at")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ projectId: row.project_id, traceId: row.trace_id }));
    },
    async close(projectId, traceId, assembler) {
      const closed = await engine.transaction(async (tx) => {
        // First, and whether or not it is open: two that close at once do it one after the other.
        const [trace] = await tx
          .updateTable("span_traces")
          .set({ closed_at: sql`last_at` })
          .where("project_id", "=", projectId)
          .where("trace_id", "=", traceId)
          .where("closed_at", "=", 0)
          .returning("trace_id")
          .execute();
        if (trace === undefined) return false;
        const found = assembler.read((await readSpans(tx, projectId, [traceId])).get(traceId) ?? []);
        if (found !== undefined && "ties" in found) {
          await keepFragment(tx, projectId, traceId, found);
          return false;
        }
        const replaces = await leaveRun(tx, projectId, traceId, assembler);
        if (found === undefined) return false;
        const source = { ...found.source, spanTrace: traceId, ...(replaces.length === 0 ? {} : { replaces }) };
        const [fresh] = await writeArrivals(tx, [{ ...found, source }]);
        return fresh === true;
      });
      if (closed) engine.bell.ring("inbox");
      return closed;
    },
    async unplaced(limit) {
      const rows = await engine.db
        .selectFrom("fragments")
        .select(["project_id", "trace_id"])
        .where("waiting", "=", 1)
        .orderBy("started_at")
        .limit(limit)
        .execute();
      return rows.map((row) => ({ projectId: row.project_id, traceId: row.trace_id }));
    },
    async place(projectId, traceId, assembler) {
      const arrived = await engine.transaction((tx) => placeFragment(tx, projectId, traceId, assembler, MOST_BYTES));
      if (arrived > 0) engine.bell.ring("inbox");
      return arrived;
    },
  };
}

/** One statement may not name a key twice. */
function distinct(spans: readonly StoredSpan[]): readonly StoredSpan[] {
  return [...new Map(spans.map((span) => [`${span.traceId}/${span.spanId}`, span])).values()];
}

function spanRow(projectId: number, span: StoredSpan) {
  return {
    project_id: projectId,
    trace_id: span.traceId,
    span_id: span.spanId,
    resource: writeJson(span.resource),
    scope: writeJson(span.scope),
    span: writeJson(span.span),
  };
}
