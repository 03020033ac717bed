/**
 * The doors through which a program is recorded: the reverse proxy, the receiver of telemetry, and what the recorder inside a Node
 * program has to know. All of them write into one folder.
 */
import { randomUUID } from "node:crypto";
import { createCapture } from "@spoor/core/internal/capture/capture";
import type { MissingFromRecording, ProxyDoor, RecordDoors } from "@spoor/core/internal/capture/record-report";
import type { StatedSession } from "@spoor/core/internal/capture/seen";
import { createRecordBlinder } from "@spoor/core/internal/fingerprint/blind-record";
import { createRedaction, type Redaction } from "@spoor/core/internal/redact/redaction";
import type { JsonObject } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";
import { exchangeInputs } from "@spoor/core/internal/why/exchange-inputs";
import { environmentSecrets } from "@spoor/record/internal/node/environment-secrets";
import { openRecordingFiles } from "@spoor/record/internal/node/recording-files";
import { readExchange } from "@spoor/record/internal/node/register/exchange-fetch";
import { gitState } from "@spoor/record/internal/recorder/git-state";
import { version } from "../tool-info.ts";
import { createOtlpReceiver, type OtlpReceiver, type OtlpReceiverOptions } from "./otlp/otlp-receiver.ts";
import { planUpstreams } from "./plan-upstreams.ts";
import type { Exchange } from "./proxy/exchange-request.ts";
import { createLater } from "./proxy/later.ts";
import { type Mount, type ProxyCounts, startRecordingProxy } from "./proxy/recording-proxy.ts";
import { createExchangeWatchers, type WatchCounts } from "./proxy/watch-exchanges.ts";
import { cannotListen } from "./record-errors.ts";
import type { RecordingFolder } from "./recording-folder.ts";
import { openReplay, type ReplayNotesOfAll, type ReplayWorld, replayedBy } from "./replay/open-replay.ts";
import { counted } from "./summarise-recording.ts";

export interface RecordSettings {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: RecordingFolder;
  readonly startedAt: string;
  readonly agent?: string | undefined;
  readonly scenario?: string | undefined;
  /** Which run of the scenario it is; 1 unless said. */
  readonly run?: number | undefined;
  readonly tags: Readonly<Record<string, string>>;
  readonly content: "full" | "blind";
  readonly durable: "os" | "second" | "record";
  /** `none`: neither the proxy nor from within, where telemetry tells everything. */
  readonly proxy: "auto" | "on" | "off" | "none";
  readonly otlp: boolean;
  /** `name=URL`. */
  readonly upstreams: readonly string[];
  /** Recordings that answer for the model, the tools, or both. */
  readonly replay?: ReplayWorld | undefined;
  /** A file with inputs that are sent as another version of the agent has them. */
  readonly exchange?: string | undefined;
}

export interface Doors {
  readonly folder: RecordingFolder;
  /** Takes secrets out of what is shown: the command, for one. */
  readonly redaction: Redaction;
  /** Where clients are pointed; empty without the proxy. */
  readonly baseUrls: Readonly<Record<string, string>>;
  /** `SPOOR_…` variables. */
  readonly own: Readonly<Record<string, string>>;
  readonly otlpUrl?: string | undefined;
  /** A Node program is also recorded from within. */
  readonly mayRegister: boolean;
  /** Records what is open as ended, and says what the doors saw. */
  close(): Promise<ClosedDoors>;
}

export interface ClosedDoors {
  readonly doors: Omit<RecordDoors, "inProcess">;
  readonly missing: readonly MissingFromRecording[];
  /** What recordings were asked for, by each who asked them. */
  readonly replay?: ReplayNotesOfAll;
}

const OTLP = "otlp";
const MAX_BODY_BYTES = 16 * 1024 * 1024;

export async function openDoors(settings: RecordSettings): Promise<Doors> {
  const { env, folder } = settings;
  const planned = planUpstreams(env, settings.upstreams);
  const redaction = createRedaction({ known: environmentSecrets(env) });
  const session = sessionOf(settings);
  const now = clock();
  const files = openRecordingFiles(folder.path, { durable: settings.durable });
  const capture = createCapture({
    write: files.write,
    metadata: metadataOf(settings),
    newId: randomUUID,
    redaction,
    content: settings.content,
    hashKey: env["SPOOR_HASH_KEY"],
    maxBodyBytes: MAX_BODY_BYTES,
  });
  let failures = 0;
  const later = createLater(() => {
    failures++;
  });
  const watchers = createExchangeWatchers({ capture, session, maxBodyBytes: MAX_BODY_BYTES });
  const replay = settings.replay === undefined ? undefined : openReplay(settings.replay, folder.path);
  const otlp = settings.otlp ? await createOtlpReceiver(telemetryOptions(settings, redaction)) : undefined;
  const hasProxy = settings.proxy === "auto" || settings.proxy === "on";
  // Telemetry comes in at the same address: the same token stands before it.
  const door =
    hasProxy || otlp !== undefined
      ? await startRecordingProxy({
          upstreams: hasProxy ? planned.upstreams : new Map(),
          mounts: mountsOf(otlp),
          watch: watchers.watch,
          later,
          env,
          now,
          replay: replay && { replayer: replay.replayer, session },
          exchange: exchangeOf(settings.exchange),
        }).catch((error: unknown) => {
          throw cannotListen(error);
        })
      : undefined;
  const proxy = hasProxy ? door : undefined;
  return {
    folder,
    redaction,
    baseUrls: proxy === undefined ? {} : planned.variables(proxy.url),
    own: { ...ownVariables(settings, session, proxy?.url), ...replay?.variables(env) },
    otlpUrl: otlp === undefined ? undefined : `${door!.url}/${OTLP}`,
    mayRegister: settings.proxy === "auto" || settings.proxy === "off",
    async close() {
      const counts = proxy?.counts();
      // Exporters send their last batch when a program ends; what came whole is kept.
      const telemetry = await otlp?.close();
      await door?.close();
      later.flush();
      await watchers.settled();
      const summary = capture.close(now());
      files.close();
      const seen = watchers.counts();
      const { not_understood = 0, internal = 0, unwritable = 0, too_large = 0 } = summary.problems;
      return {
        ...(replay === undefined ? {} : { replay: replay.notes(now()) }),
        doors: present({
          proxy: counts === undefined ? undefined : proxyDoor(counts, seen, redaction),
          otlp: telemetry === undefined ? undefined : { spans: telemetry.spans },
        }),
        missing: [
          ...counted("not_understood", not_understood + internal + failures),
          ...counted("unreadable", seen.unreadable + too_large),
          ...counted("unwritable", unwritable + (telemetry?.unwritten ?? 0)),
          ...counted("rootless", telemetry?.alone?.count ?? 0, telemetry?.alone?.advice),
        ],
      };
    },
  };
}

function exchangeOf(file: string | undefined): Exchange | undefined {
  if (file === undefined) return undefined;
  const inputs = readExchange(file);
  return (request) => exchangeInputs(request, inputs);
}

/** Telemetry is kept as everything else is: what it is called, and whether anything anyone said may stay. */
function telemetryOptions(settings: RecordSettings, redaction: Redaction): OtlpReceiverOptions {
  const { folder, agent, scenario, content, env } = settings;
  const key = env["SPOOR_HASH_KEY"] ?? `${randomUUID()}${randomUUID()}`;
  return {
    folder: folder.path,
    redaction,
    stated: present({ agent, scenario_id: scenario, tags: tagsOf(settings) }),
    ...(content === "blind" ? { blind: createRecordBlinder(key) } : {}),
  };
}

/** `/t/<token>/otlp/v1/traces`: the receiver sees the path that exporters append. */
function mountsOf(otlp: OtlpReceiver | undefined): ReadonlyMap<string, Mount> {
  if (otlp === undefined) return new Map();
  return new Map([
    [
      OTLP,
      (request, response, rest) => {
        request.url = rest;
        void otlp.handle(request, response);
      },
    ],
  ]);
}

/** Everything that the command does is one run, when the user says what it works on. */
function sessionOf({ scenario, agent, tags, run = 1 }: RecordSettings): StatedSession | undefined {
  if (scenario === undefined) return undefined;
  return present({
    id: randomUUID(),
    scenario,
    agent,
    run,
    tags: Object.keys(tags).length === 0 ? undefined : tags,
  });
}

/** What runs in the command is not known here; where it runs is. */
function metadataOf(settings: RecordSettings): JsonObject {
  const { commit, branch } = gitState(settings.cwd);
  const { agent } = settings;
  const git = { git_commit: commit, git_branch: branch };
  const replayed = settings.replay === undefined ? {} : replayedBy(settings.replay);
  return present({ agent, tags: tagsOf(settings), ...git, sdk: `spoor ${version}`, door: "proxy", ...replayed });
}

function tagsOf({ tags }: RecordSettings): Record<string, string> | undefined {
  return Object.keys(tags).length === 0 ? undefined : { ...tags };
}

function ownVariables(
  { folder, agent, scenario, run, content, durable, tags, exchange }: RecordSettings,
  session: StatedSession | undefined,
  proxyUrl: string | undefined,
): Record<string, string> {
  return present({
    SPOOR_DIR: folder.path,
    SPOOR_PROXY: proxyUrl,
    SPOOR_SESSION: session?.id,
    SPOOR_SCENARIO: scenario,
    SPOOR_RUN: run === undefined ? undefined : String(run),
    SPOOR_AGENT: agent,
    SPOOR_CONTENT: content,
    SPOOR_DURABLE: durable,
    SPOOR_EXCHANGE: exchange,
    SPOOR_TAGS: Object.keys(tags).length === 0 ? undefined : JSON.stringify(tags),
  });
}

function proxyDoor(counts: ProxyCounts, seen: WatchCounts, redaction: Redaction): ProxyDoor {
  const others = Object.entries(seen.otherPaths).sort(([, a], [, b]) => b - a);
  return {
    ...counts,
    calls: seen.calls,
    otherPaths: others.map(([path, count]) => ({ path: redaction.text(path), count })),
  };
}

/** Milliseconds since 1970 that never run backwards, with fractions: what happens in one millisecond keeps its order. */
function clock(): () => number {
  return () => performance.timeOrigin + performance.now();
}
