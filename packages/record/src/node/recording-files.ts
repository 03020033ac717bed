/**
 * The files of a recording: one per run (`damaged-item.run1.agentlog`), what belongs to none in `.run/auxiliary.agentlog`. A process
 * writes only files it made; what others may not read, nobody but the owner may.
 */
import { join } from "node:path";
import type { RunFile } from "@spoor/core/internal/capture/seen";
import type { TraceRecord } from "@spoor/core/internal/trace/record";
import { isClosingRecord } from "@spoor/core/internal/trace/recording-facts";
import { type AppendFile, openAppendFile } from "./append-file.ts";
import { makeFolderSync } from "./make-folder.ts";
import { type Durability, RecordingFile } from "./recording-file.ts";
import { fileNames } from "./recording-names.ts";

export interface RecordingFilesOptions {
  readonly durable?: Durability;
  readonly maxFileBytes?: number;
  readonly pid?: number;
  readonly nowMs?: () => number;
  /** How a file is made; fails with EEXIST when it is there. */
  readonly openFile?: (path: string) => AppendFile;
}

export interface RecordingFiles {
  /** What a capture writes to. Throws when the record is lost. */
  write(file: RunFile, record: TraceRecord): "fresh" | undefined;
  /** Asks the disk to keep everything, now. */
  flush(): void;
  /** The program is about to end: what is closed from here on is on disk before anything else happens. */
  ending(): void;
  /** Asks the disk to keep everything, and closes. */
  close(): RecordedFiles;
}

export interface RecordedFiles {
  /** Paths of the traces, in the order in which they were begun; without the auxiliary one. */
  readonly traces: readonly string[];
  readonly records: number;
  readonly dropped: number;
}

const MAX_FILE_BYTES = 256 * 1024 * 1024;
const SYNC_EVERY_MS = 1_000;

export function openRecordingFiles(folder: string, options: RecordingFilesOptions = {}): RecordingFiles {
  const { durable = "second", maxFileBytes = MAX_FILE_BYTES, pid = process.pid } = options;
  const { nowMs = () => performance.now(), openFile = (path) => openAppendFile(path, { exclusive: true }) } = options;
  const open = new Map<string, RecordingFile>();
  const counts = { records: 0, dropped: 0 };
  const traces: string[] = [];
  /** How many numbers are taken, so that the thousandth run need not try a thousand names. */
  const taken = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let isEnding = false;

  return {
    write(run, record) {
      const file = open.get(run.traceId) ?? begin(run);
      try {
        return file.write(record);
      } finally {
        if (isClosingRecord(record)) end(run, file);
        else if (file.dirty && durable === "second") syncSoon();
      }
    },
    flush() {
      for (const file of open.values()) file.syncNow();
    },
    ending() {
      isEnding = true;
    },
    close() {
      isEnding = true;
      for (const file of open.values()) finish(file);
      open.clear();
      clearTimeout(timer);
      return { traces, ...counts };
    },
  };

  function begin(run: RunFile): RecordingFile {
    const file = new RecordingFile({ open: (part) => create(run, part), durable, maxBytes: maxFileBytes, nowMs });
    open.set(run.traceId, file);
    return file;
  }

  /** The first name that nobody took. */
  function create(run: RunFile, part: number): AppendFile {
    const target = run.auxiliary ? join(folder, ".run") : folder;
    makeFolderSync(target, { mode: 0o700 });
    const numbered = `${part} ${run.scenario ?? ""}`;
    let number = run.auxiliary || run.run !== undefined ? 0 : (taken.get(numbered) ?? 0);
    for (const name of fileNames(run, part, pid, number)) {
      number++;
      try {
        const file = openFile(join(target, name));
        if (!run.auxiliary && run.run === undefined) taken.set(numbered, number);
        if (!run.auxiliary) traces.push(file.path);
        return file;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
      }
    }
    throw new Error(`no name is left for a file in ${target}`);
  }

  function end(run: RunFile, file: RecordingFile): void {
    open.delete(run.traceId);
    finish(file);
  }

  function finish(file: RecordingFile): void {
    file.close(isEnding ? "now" : "later");
    counts.records += file.records;
    counts.dropped += file.dropped;
  }

  /** At most once a second, and soon after the last record: an agent that waits has its recording on disk. */
  function syncSoon(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      for (const file of open.values()) file.sync();
    }, SYNC_EVERY_MS).unref();
  }
}
