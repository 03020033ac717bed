/** The records of one run, in the order in which things happened: ids, parents, times and what they have in common. */
import { contentId } from "../canonical/digest.ts";
import { clockOfMs } from "../providers/clock.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { RECORD_VERSION, type TraceRecord } from "../trace/record.ts";
import type { Lane } from "./place-request.ts";
import type { RunFile } from "./seen.ts";
import { RequestIds, type WholeRequest } from "./whole-request.ts";

export interface LoggedRecord {
  readonly kind: string;
  readonly payload: Json;
  readonly atMs: number;
  /** The conversation it belongs to. */
  readonly lane?: Lane | undefined;
  readonly meta?: Readonly<Record<string, Json | undefined>> | undefined;
  /** Absent: the record before it. */
  readonly parent?: string | undefined;
  /** Known already where computing it would mean spelling out the payload again. */
  readonly id?: string | undefined;
}

export class RunLog {
  readonly file: RunFile;
  private readonly write: (file: RunFile, record: TraceRecord) => void;
  private readonly ids = new RequestIds();
  private previous: string | null = null;
  /** Kind → how many. */
  readonly counts = new Map<string, number>();

  constructor(file: RunFile, write: (file: RunFile, record: TraceRecord) => void) {
    this.file = file;
    this.write = write;
  }

  /** Returns the id of the record. */
  add({ kind, payload, atMs, lane, meta, parent, id = contentId(payload) }: LoggedRecord): string {
    const common = lane === undefined ? {} : laneMeta(lane);
    const all = present({ ...common, ...meta });
    const record: TraceRecord = {
      version: RECORD_VERSION,
      id,
      kind,
      ts: clockOfMs(atMs)?.iso ?? "",
      parent: parent ?? this.previous,
      ...(Object.keys(all).length === 0 ? {} : { meta: all }),
      payload,
    };
    this.previous = id;
    this.counts.set(kind, (this.counts.get(kind) ?? 0) + 1);
    this.write(this.file, record);
    return id;
  }

  /** A request; returns the id of its record. */
  request(request: WholeRequest, place: Omit<LoggedRecord, "kind" | "payload" | "id" | "parent">): string {
    return this.add({ ...place, kind: "chat_request", payload: request.payload, id: this.ids.idOf(request) });
  }

  event(event: JsonObject, atMs: number, lane?: Lane): void {
    this.add({ kind: "harness_event", payload: event, atMs, lane });
  }
}

function laneMeta({ tag, agent, parentCall }: Lane): Record<string, Json | undefined> {
  return { session_tag: tag, agent, parent_tool_call_id: parentCall };
}
