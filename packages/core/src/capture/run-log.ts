/** The records of one run, in the order in which things happened: ids, parents, times and what they have in common. */
import { contentId } from "../canonical/digest.ts";
import type { RecordBlinder } from "../fingerprint/blind-record.ts";
import { clockOfMs } from "../providers/clock.ts";
import { DELTA_KIND } from "../trace/expand-requests.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import { RECORD_VERSION, type TraceRecord } from "../trace/record.ts";
import { DeltaRequests } from "./delta-requests.ts";
import type { Lane } from "./placed.ts";
import type { RunFile } from "./seen.ts";
import type { WholeRequest } from "./whole-request.ts";

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

/** "lost": it could not be written. "fresh": it stands first in another file. */
type WriteRecord = (file: RunFile, record: TraceRecord) => "lost" | "fresh" | undefined;

export class RunLog {
  readonly file: RunFile;
  private readonly write: WriteRecord;
  private readonly requests = new Map<Lane | undefined, DeltaRequests>();
  private previous: string | null = null;
  /** Kind → how many. */
  readonly counts = new Map<string, number>();

  private readonly blind: RecordBlinder | undefined;

  constructor(file: RunFile, write: WriteRecord, blind?: RecordBlinder) {
    this.file = file;
    this.write = write;
    this.blind = blind;
  }

  /** Returns the id of the record. */
  add({ kind, atMs, lane, parent, ...logged }: LoggedRecord): string {
    const common = lane === undefined ? {} : laneMeta(lane);
    const {
      payload,
      meta: all,
      id = contentId(payload),
    } = this.kept(kind, logged, present({ ...common, ...logged.meta }));
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
    const counted = kind === DELTA_KIND ? "chat_request" : kind;
    this.counts.set(counted, (this.counts.get(counted) ?? 0) + 1);
    const outcome = this.write(this.file, record);
    if (outcome === "lost") this.forgetRequests();
    else if (outcome === "fresh") this.forgetRequests(lane);
    return id;
  }

  private requestsOf(lane: Lane | undefined): DeltaRequests {
    const known = this.requests.get(lane);
    if (known !== undefined) return known;
    const made = new DeltaRequests();
    this.requests.set(lane, made);
    return made;
  }

  /** What a file lacks no later request may be told by; `but` is the conversation whose whole request begins it. */
  private forgetRequests(but?: Lane): void {
    for (const [lane, requests] of this.requests) if (but === undefined || lane !== but) requests.forget();
  }

  /** All of it, or what is left when nothing anyone said may stay. */
  private kept(kind: string, { payload, id }: Pick<LoggedRecord, "payload" | "id">, meta: JsonObject) {
    return this.blind === undefined ? { payload, meta, id } : { ...this.blind(kind, payload, meta), id: undefined };
  }

  /** A request, as what it adds to the one before it in its conversation; returns the id of its record. `from`: where a fork goes on. */
  request(
    request: WholeRequest,
    place: Omit<LoggedRecord, "kind" | "payload" | "id" | "parent"> & { readonly from?: Lane | undefined },
  ): string {
    const { from, ...rest } = place;
    if (this.blind !== undefined) return this.add({ ...rest, kind: "chat_request", payload: request.payload });
    const written = this.requestsOf(place.lane).write(
      request,
      from === undefined ? undefined : this.requests.get(from),
    );
    const { kind, payload, requestId } = written;
    return this.add({ ...rest, kind, payload, ...(kind === "chat_request" ? { id: requestId } : {}) });
  }

  event(event: JsonObject, atMs: number, lane?: Lane): void {
    this.add({ kind: "harness_event", payload: event, atMs, lane });
  }
}

function laneMeta({ tag, agent, parentCall }: Lane): Record<string, Json | undefined> {
  return { session_tag: tag, agent, parent_tool_call_id: parentCall };
}
