/** What all doors of a recorder share: one capture, one folder, one sense of what belongs together. */
import { randomUUID } from "node:crypto";
import { join, resolve } from "node:path";
import { type Capture, createCapture } from "@spoor/core/internal/capture/capture";
import { mayBeModelCall } from "@spoor/core/internal/capture/recognise-call";
import type { RunFile } from "@spoor/core/internal/capture/seen";
import { createRedaction } from "@spoor/core/internal/redact/redaction";
import type { JsonObject } from "@spoor/core/internal/trace/json";
import { replayedMetadata } from "@spoor/core/internal/trace/replay-marks";
import { environmentSecrets } from "../node/environment-secrets.ts";
import { openRecordingFiles } from "../node/recording-files.ts";
import { type Fetch, type FetchDoor, wrapFetch } from "./fetch/wrap-fetch.ts";
import { hostFilter } from "./host-filter.ts";
import { createProblems, type Problems } from "./problems.ts";
import { RecorderContext, type Surroundings } from "./recorder-context.ts";
import type { RecorderOptions, RecordSummary } from "./recorder-options.ts";
import { recordingMetadata } from "./recording-metadata.ts";
import { recordingName } from "./recording-name.ts";
import { replayFetch } from "./replay/replay-fetch.ts";
import type { Replayer } from "./replay/replayer.ts";
import { isSampled } from "./sampled.ts";
import { createToolLog, type ToolLog } from "./tools/tool-log.ts";

export interface RecorderCore {
  readonly dir: string;
  readonly capture: Capture;
  readonly context: RecorderContext;
  readonly problems: Problems;
  readonly tools: ToolLog;
  /** Recordings that stand before the model and the tools. */
  readonly replayer: Replayer | undefined;
  now(): number;
  /** Whether a call would be looked at. */
  wants(method: string, url: string): boolean;
  watchFetch(fetch: Fetch): Fetch;
  flush(): void;
  close(): RecordSummary;
}

export interface RecorderSetting {
  /** How it came into the process, as recordings say it. */
  readonly door?: string;
  /** What holds where the application says nothing. */
  readonly outside?: Surroundings;
  /** A recording proxy that calls go through: it is told to leave them alone. */
  readonly proxyUrl?: string | undefined;
  /** Recordings that answer instead of the model, the tools, or both. */
  readonly replayer?: Replayer | undefined;
}

export function createRecorderCore(options: RecorderOptions, setting: RecorderSetting = {}): RecorderCore {
  const { redact, sample = 1, maxBodyBytes = MAX_BODY_BYTES } = options;
  const { replayer } = setting;
  const dir = resolve(options.dir ?? join(".spoor", "recordings", recordingName(new Date())));
  const problems = createProblems(options.onProblem);
  const files = openRecordingFiles(dir, { durable: options.durable ?? "second" });
  const isHost = hostFilter(options.hosts);
  const context = new RecorderContext(setting.outside);
  const capture = createCapture({
    write: (file, record) => (isSampled(sampleKey(file), sample) ? files.write(file, record) : undefined),
    metadata: { ...recordingMetadata(options, setting.door ?? "fetch"), ...replayMetadata(replayer) },
    newId: randomUUID,
    redaction: redact === false ? undefined : createRedaction({ known: environmentSecrets(process.env), ...redact }),
    content: options.content,
    hashKey: process.env["SPOOR_HASH_KEY"],
    maxBodyBytes,
    onProblem: ({ code, message }) => problems.tell(code, message),
  });
  // Never backwards, and finer than a millisecond: what happens within one keeps its order.
  const now = () => performance.timeOrigin + performance.now();
  const fetchDoor: FetchDoor = {
    wants: (method, url) => !context.current().paused && mayBeModelCall(method, url) && isHost(url),
    request(seen) {
      const { session, call } = context.current();
      const captured = capture.request(session === undefined ? seen : { ...seen, session });
      if (captured !== undefined && call !== undefined) call.seenOnWire = true;
      return captured;
    },
    now,
    problem: problems.caught,
    marks: (url) => (setting.proxyUrl !== undefined && url.startsWith(setting.proxyUrl) ? SKIPPED : undefined),
    maxBodyBytes,
  };
  const tools = createToolLog(capture, context, now, problems.caught);
  replayer?.onMark(tools.replayed!);
  const beforeModel = (fetch: Fetch): Fetch => {
    if (replayer === undefined) return fetch;
    const { proxyUrl } = setting;
    return replayFetch(fetch, { replayer, session: () => context.current().session, maxBodyBytes, proxyUrl });
  };
  let closed: RecordSummary | undefined;

  return {
    dir,
    capture,
    context,
    problems,
    tools,
    replayer,
    now,
    wants: fetchDoor.wants,
    watchFetch: (fetch) => wrapFetch(beforeModel(fetch), fetchDoor),
    flush() {
      try {
        files.flush();
      } catch (error) {
        problems.caught(error);
      }
    },
    close() {
      if (closed !== undefined) return closed;
      files.ending();
      const summary = capture.close(now());
      try {
        files.close();
      } catch (error) {
        problems.caught(error);
      }
      closed = { ...summary, dir, missing: problems.counts() };
      return closed;
    },
  };
}

function replayMetadata(replayer: Replayer | undefined): JsonObject {
  if (replayer === undefined) return {};
  return replayedMetadata({ model: replayer.model === "recorded", tools: replayer.tools === "recorded" });
}

const SKIPPED = { "x-spoor-skip": "1" };
const MAX_BODY_BYTES = 16 * 1024 * 1024;

/** A run that nobody named has only its own id to be chosen by. */
function sampleKey({ key, traceId }: RunFile): string {
  return /^run-\d+$/.test(key) ? traceId : key;
}
