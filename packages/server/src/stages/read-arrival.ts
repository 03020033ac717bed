/** Bytes that arrived → traces, by the one reader that files have too. What a client said about them beside goes before what they say. */
import { gunzipSync } from "node:zlib";
import type { Trace } from "@spoor/core";
import { SpoorError } from "@spoor/core/internal/errors";
import { buildTrace } from "@spoor/core/internal/trace/build-trace";
import { present } from "@spoor/core/internal/trace/present";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { loadTraceFile } from "spoor/internal/load/load-traces";
import type { Arrival } from "../store/store.ts";

/** What a body may be when it is unpacked; the same bound under which it was let in. */
const MOST_BYTES = 64 * 1024 * 1024;

export interface ReadArrival {
  readonly traces: readonly Trace[];
  /** The bytes that were read. */
  readonly decoded: Buffer;
}

export async function readArrival(arrival: Arrival): Promise<ReadArrival> {
  const { source } = arrival;
  const bytes = decoded(arrival);
  const traces = await loadTraceFile(source.name ?? "the trace", {
    bytes,
    ...(source.name === undefined ? {} : { path: source.name }),
  });
  return { traces: traces.map((trace) => withSource(trace, source)), decoded: bytes };
}

/**
 * What a client says of a run goes before what the recording says, and into it: the recording is exported again, and must still say it there. It
 * comes first, with all that the recording's own first words hold.
 */
function withSource(trace: Trace, { agent, scenario }: Arrival["source"]): Trace {
  const stated = present({
    agent: agent === trace.agent ? undefined : agent,
    scenario_id: scenario === trace.scenario ? undefined : scenario,
  });
  if (Object.keys(stated).length === 0) return trace;
  const first: TraceRecord = { kind: "metadata", parent: null, payload: { ...trace.metadata, ...stated } };
  return buildTrace([first, ...trace.records], { source: trace.source });
}

export function decoded({ codec, body }: Pick<Arrival, "codec" | "body">): Buffer {
  if (codec === "plain") return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  try {
    return gunzipSync(body, { maxOutputLength: MOST_BYTES });
  } catch (cause) {
    throw new SpoorError("trace.bad-gzip", "The body is damaged: it begins like gzip but cannot be unpacked.", {
      consequence: "Nothing of it was used.",
      cause,
    });
  }
}
