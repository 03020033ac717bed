/**
 * Takes OpenTelemetry spans and log records over HTTP (`POST …/v1/traces`, `…/v1/logs`; JSON and protobuf, plain and gzip) and writes
 * a trace file for each trace. A request is answered with 200 when it is on disk, not before: exporters forget what was answered.
 * What cannot be decoded is 400, what is too large 413, and when the disk will not take it 503, which exporters send again.
 */

import { rm } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import type { Json, JsonObject } from "@spoor/core";
import { messageOf } from "@spoor/core/internal/errors";
import type { RecordBlinder } from "@spoor/core/internal/fingerprint/blind-record";
import type { Redaction } from "@spoor/core/internal/redact/redaction";
import { stringifyJson } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { present } from "@spoor/core/internal/trace/present";
import { loadOtlpProtobuf, type OtlpProtobuf, type OtlpSignal } from "../../formats/otel/otlp-protobuf.ts";
import { makeFolder } from "../../load/make-folder.ts";
import { withFileLock } from "../../store/file-lock.ts";
import type { LonelyTraces } from "./fragment-runs.ts";
import { COMMIT_AFTER_MS, type Journal, type JournalOptions, openJournal, readJournal } from "./journal.ts";
import {
  type Answer,
  acceptedAnswer,
  BODY_LIMITS,
  type BodyLimits,
  decodeBody,
  type OtlpType,
  RefusedBody,
  readBody,
  refusedAnswer,
  typeOf,
} from "./otlp-body.ts";
import { redactOtlp } from "./otlp-document.ts";
import { createOtlpTraces, type TakenTrace } from "./otlp-traces.ts";
import { createTraceFiles, type TracePiece } from "./trace-files.ts";

export interface OtlpReceiverOptions {
  /** The folder of the recording; the journal lies in its `.run`. */
  readonly folder: string;
  /** Takes secrets out before anything is written. */
  readonly redaction?: Redaction | undefined;
  /** What is known of every trace beforehand, for its first record; what the spans say themselves counts more. */
  readonly stated?: JsonObject;
  /** Nothing anyone said is kept: then there is no journal either, and what a killed receiver had taken is lost. */
  readonly blind?: RecordBlinder | undefined;
  readonly limits?: BodyLimits;
  /** What could not be written, a sentence each. */
  readonly onProblem?: (message: string) => void;
  /** Milliseconds of a clock that is never set back. */
  readonly nowMs?: () => number;
  /** Runs a function after so many milliseconds. */
  readonly later?: (run: () => void, ms: number) => void;
  readonly openJournalFile?: NonNullable<JournalOptions["openFile"]>;
}

export interface OtlpReceiver {
  /** Never rejects: whatever is wrong is an answer. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** Writes everything that is still open; the journal is removed when all of it stands in files. */
  close(): Promise<OtlpSummary>;
}

export interface OtlpSummary {
  readonly requests: number;
  readonly refused: number;
  readonly spans: number;
  /** Spans without ids. */
  readonly rejected: number;
  /** Traces in which no agent, model or tool did anything. */
  readonly quiet: number;
  readonly missingParents: number;
  /** Traces that could not be written; they are in the journal. */
  readonly unwritten: number;
  /** Paths of the traces that were written. */
  readonly traces: readonly string[];
  /** Traces without a root that nothing ties to another, where there are several, and the line that would. */
  readonly alone?: LonelyTraces;
}

/** Bodies that are held at once while they wait for the disk. */
const MAX_HELD_BYTES = 256 * 1024 * 1024;
const RETRY_SECONDS = 5;

const NO_JOURNAL: Journal = { append: async () => undefined, close: async () => undefined };

export const OTLP_JOURNAL = join(".run", "otlp.journal");

/** What a killed receiver had acknowledged in this folder is taken up again. One receiver for a folder at a time. */
export async function createOtlpReceiver(options: OtlpReceiverOptions): Promise<OtlpReceiver> {
  const {
    folder,
    redaction,
    blind,
    limits = BODY_LIMITS,
    nowMs = () => performance.now(),
    onProblem = () => undefined,
  } = options;
  const later = options.later ?? wake;
  const protobuf: OtlpProtobuf = await loadOtlpProtobuf();
  const traces = createOtlpTraces();
  const path = join(folder, OTLP_JOURNAL);
  const counts = { requests: 0, refused: 0, spans: 0, rejected: 0 };
  const missing = new Map<string, number>();
  const quiet = new Set<string>();
  const unwritten = new Set<string>();
  /** Bodies that have come whole: a client that stops in the middle of one keeps nobody waiting. */
  const keeping = new Set<Promise<number>>();
  let closing: Promise<OtlpSummary> | undefined;
  let held = 0;
  let writing: Promise<void> = Promise.resolve();
  let plannedMs = Number.POSITIVE_INFINITY;

  const release = await holdLock(path);
  const known = await readJournal(path);
  const files = await createTraceFiles(folder, {
    resume: known.bodies.length > 0,
    stated: options.stated ?? {},
    blind,
    lookUp,
  });
  for (const body of known.bodies) counts.spans += traces.add(documentOf(body), nowMs()).spans;
  const journal =
    blind === undefined
      ? await openJournal(path, known.size, {
          later,
          ...(options.openJournalFile === undefined ? {} : { openFile: options.openJournalFile }),
        })
      : NO_JOURNAL;
  plan();

  return {
    handle: respond,
    close() {
      closing ??= finish();
      return closing;
    },
  };

  async function finish(): Promise<OtlpSummary> {
    await Promise.allSettled(keeping);
    await journal.close();
    write(traces.open());
    await writing;
    if (unwritten.size === 0) await rm(path, { force: true });
    release();
    return {
      ...counts,
      quiet: quiet.size,
      missingParents: [...missing.values()].reduce((sum, one) => sum + one, 0),
      unwritten: unwritten.size,
      traces: files.paths,
      ...present({ alone: files.alone() }),
    };
  }

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    counts.requests++;
    const type = typeOf(request) ?? "application/json";
    const answer = await answerTo(request, type).catch((error: unknown): Answer => {
      if (error instanceof RefusedBody) return refusedAnswer(type, error.status, error.message, protobuf);
      onProblem(`A request could not be taken: ${messageOf(error)}.`);
      return refusedAnswer(type, 503, "not kept; send it again", protobuf);
    });
    if (answer.status !== 200) counts.refused++;
    send(request, response, answer);
  }

  async function answerTo(request: IncomingMessage, type: OtlpType): Promise<Answer> {
    const signal = signalOf(request.url ?? "");
    if (signal === undefined) return refusedAnswer(type, 404, "there are /v1/traces and /v1/logs", protobuf);
    if (request.method !== "POST") return refusedAnswer(type, 405, "only POST", protobuf);
    if (typeOf(request) === undefined)
      throw new RefusedBody(415, "the body must be application/json or application/x-protobuf");
    if (closing !== undefined || held > MAX_HELD_BYTES)
      return refusedAnswer(type, 503, "not now; send it again", protobuf);
    const bytes = await readBody(request, limits);
    // Metrics come to the same address; nothing of them is kept, and the program is not bothered about it.
    if (signal === "metrics") return acceptedAnswer(type, 0, protobuf);
    if (closing !== undefined) return refusedAnswer(type, 503, "not now; send it again", protobuf);
    held += bytes.length;
    const kept = keep(bytes, type, signal).finally(() => {
      held -= bytes.length;
      keeping.delete(kept);
    });
    keeping.add(kept);
    return acceptedAnswer(type, await kept, protobuf);
  }

  async function keep(bytes: Buffer, type: OtlpType, signal: OtlpSignal): Promise<number> {
    const decoded = decodeBody(bytes, type, signal, protobuf);
    const document = redaction === undefined ? decoded : redactOtlp(decoded, redaction);
    await journal.append(Buffer.from(stringifyJson(document)));
    const forgotten = traces.forgottenIn(document);
    // The journal holds all of it, this request included.
    if (forgotten.size > 0) await takeUp(forgotten);
    const { spans, rejected } = traces.add(document, nowMs());
    counts.spans += spans;
    counts.rejected += rejected;
    plan();
    return rejected;
  }

  async function takeUp(only: ReadonlySet<string>): Promise<void> {
    const { bodies } = await readJournal(path);
    for (const body of bodies) traces.add(documentOf(body), nowMs(), only);
  }

  /** Wakes when the next trace is due; one wake-up at a time is enough. */
  function plan(): void {
    const next = traces.nextDueMs();
    if (closing !== undefined || next === undefined || next >= plannedMs) return;
    plannedMs = next;
    later(
      () => {
        if (plannedMs === next) plannedMs = Number.POSITIVE_INFINITY;
        if (closing !== undefined) return;
        write(traces.due(nowMs()));
        // Without a journal there is nowhere to look them up again.
        if (blind === undefined) {
          traces.forget(nowMs());
          files.forget(nowMs());
        }
        plan();
      },
      Math.max(0, next - nowMs()),
    );
  }

  function write(ids: readonly string[]): void {
    if (ids.length === 0) return;
    const taken = ids.map((id) => [id, traces.take(id)] as const);
    for (const [id, trace] of taken) missing.set(id, trace.missingParents);
    const atMs = nowMs();
    writing = writing.then(async () => {
      for (const piece of files.pieces(taken, atMs)) await writePiece(piece);
    });
  }

  async function writePiece(piece: TracePiece): Promise<void> {
    try {
      const written = await files.write(piece);
      for (const id of piece.ids) {
        if (written === undefined) quiet.add(id);
        else quiet.delete(id);
        unwritten.delete(id);
      }
    } catch (error) {
      for (const id of piece.ids) unwritten.add(id);
      onProblem(`A trace could not be written: ${messageOf(error)}.`);
    }
  }

  /** Traces out of the journal, which holds all of them. */
  async function lookUp(only: ReadonlySet<string>): Promise<ReadonlyMap<string, TakenTrace>> {
    const kept = createOtlpTraces();
    for (const body of (await readJournal(path)).bodies) kept.add(documentOf(body), 0, only);
    return new Map(kept.open().map((id) => [id, kept.take(id)]));
  }
}

/** A commit is waited for by someone; a trace that is due later keeps no process alive. */
function wake(run: () => void, ms: number): void {
  const timer = setTimeout(run, ms);
  if (ms > COMMIT_AFTER_MS) timer.unref();
}

/** As long as the receiver lives: nobody else takes its journal up, and a killed one's lock holds nobody. */
async function holdLock(path: string): Promise<() => void> {
  await makeFolder(dirname(path), { mode: 0o700 });
  return new Promise((held, failed) => {
    const hold = () => new Promise<void>((release) => held(release));
    withFileLock(path, hold, { timeoutMs: 0, code: "record.in-use" }).catch(failed);
  });
}

function documentOf(body: Uint8Array): Json {
  return parseJson(Buffer.from(body).toString("utf8"));
}

function signalOf(url: string): OtlpSignal | "metrics" | undefined {
  const path = url.split("?")[0]!.replace(/\/+$/, "");
  return (["traces", "logs", "metrics"] as const).find((signal) => path.endsWith(`/v1/${signal}`));
}

/** A body that was not read to its end would be taken for the next request: that connection is closed. */
function send(request: IncomingMessage, response: ServerResponse, { status, type, body }: Answer): void {
  const again = status === 503 ? { "retry-after": String(RETRY_SECONDS) } : {};
  const last = request.complete ? {} : { connection: "close" };
  response.writeHead(status, { "content-type": type, "content-length": body.length, ...again, ...last });
  response.end(body);
}
