/**
 * One trace of a recording on disk. A file that cannot be written is suspended: the application goes on, records are dropped and
 * counted, every few seconds the next record is tried again, and the first that fits is preceded by one that names the gap.
 * A file that has grown large goes on in another one.
 */
import { contentId } from "@spoor/core/internal/canonical/digest";
import { type JsonObject, stringifyJson } from "@spoor/core/internal/trace/json";
import { RECORD_VERSION, type TraceRecord } from "@spoor/core/internal/trace/record";
import type { AppendFile } from "./append-file.ts";

/** When records are safe: from the end of the process (`os`), within a second from that of the machine, or each at once. */
export type Durability = "os" | "second" | "record";

export interface RecordingFileOptions {
  /** Opens the part of a number, from 1. */
  readonly open: (part: number) => AppendFile;
  readonly durable: Durability;
  readonly maxBytes: number;
  /** Milliseconds of a clock that is never set back. */
  readonly nowMs: () => number;
}

/** How long a file that could not be written is left alone. */
export const PROBE_AFTER_MS = 5_000;

interface Gap {
  dropped: number;
  readonly from: string;
  to: string;
  lastTriedMs: number;
}

export class RecordingFile {
  records = 0;
  dropped = 0;
  /** Something was written that the disk was not yet asked to keep. */
  dirty = false;
  private file: AppendFile | undefined;
  private part = 0;
  private first: TraceRecord | undefined;
  private previous: string | undefined;
  private gap: Gap | undefined;
  private readonly options: RecordingFileOptions;

  constructor(options: RecordingFileOptions) {
    this.options = options;
  }

  get paths(): readonly string[] {
    return this.opened;
  }
  private readonly opened: string[] = [];

  /** Throws when the record is lost. "fresh": it is the first of another file, and nothing before it can be referred to. */
  write(record: TraceRecord): "fresh" | undefined {
    this.first ??= record;
    if (this.gap !== undefined && this.options.nowMs() - this.gap.lastTriedMs < PROBE_AFTER_MS) this.drop(record);
    try {
      const fresh = this.openFor(record);
      this.closeGap();
      this.append(record);
      return fresh;
    } catch (error) {
      this.drop(record, error);
    }
  }

  sync(): void {
    if (this.dirty) this.file?.sync();
    this.dirty = false;
  }

  syncNow(): void {
    if (this.dirty) this.file?.syncNow();
    this.dirty = false;
  }

  /** `later`: the program goes on, and need not wait for the disk. */
  close(when: "now" | "later" = "now"): void {
    const isUnsafe = this.dirty && this.options.durable !== "os";
    try {
      if (this.gap !== undefined) this.closeGap();
      if (isUnsafe && when === "now") this.file?.syncNow();
    } catch {
      // It was lost and counted already.
    }
    this.dirty = false;
    if (isUnsafe && when === "later") this.file?.closeLater();
    else this.file?.close();
    this.file = undefined;
  }

  /** A new part begins with a whole request: nothing that follows may lean on what stands in the part before. */
  private openFor(record: TraceRecord): "fresh" | undefined {
    const isFull = this.file !== undefined && this.file.size >= this.options.maxBytes;
    if (this.file !== undefined && !(isFull && record.kind === "chat_request")) return undefined;
    const next = this.options.open(this.part + 1);
    this.close();
    this.file = next;
    this.part++;
    this.opened.push(next.path);
    if (record !== this.first) this.append(headOfPart(this.first!, this.part));
    return "fresh";
  }

  private append(record: TraceRecord): void {
    this.file!.append(`${stringifyJson(record as unknown as JsonObject)}\n`);
    this.previous = record.id;
    this.records++;
    this.dirty = true;
    if (this.options.durable !== "record") return;
    this.file!.syncNow();
    this.dirty = false;
  }

  private closeGap(): void {
    if (this.gap === undefined) return;
    const { dropped, from, to } = this.gap;
    const payload = { category: "recording", name: "gap", severity: "warning", attributes: { dropped, from, to } };
    const parent = this.previous ?? null;
    this.append({ version: RECORD_VERSION, id: contentId(payload), kind: "harness_event", ts: to, parent, payload });
    this.gap = undefined;
  }

  private drop(record: TraceRecord, error: unknown = new Error("the file could not be written a moment ago")): never {
    const ts = record.ts ?? "";
    const lastTriedMs = this.options.nowMs();
    this.dropped++;
    if (this.gap === undefined) this.gap = { dropped: 1, from: ts, to: ts, lastTriedMs };
    else {
      this.gap.dropped++;
      this.gap.to = ts;
      if (lastTriedMs - this.gap.lastTriedMs >= PROBE_AFTER_MS) this.gap.lastTriedMs = lastTriedMs;
    }
    throw error;
  }
}

/** Every part says what it is a part of. */
function headOfPart(first: TraceRecord, part: number): TraceRecord {
  return { ...first, meta: { ...first.meta, part } };
}
