/** What `spoor replay` says of a run in a recorded world: what was served and how, what was missed, what nobody asked for. */
import type { MissingFromRecording, RecordedCommand, RecordedRun } from "../capture/record-report.ts";
import type { ReportHeader } from "../report/report.ts";
import type { MissedCall, MissedModel } from "./cassette.ts";
import type { MissPolicy } from "./on-miss.ts";

export interface ReplayReport extends ReportHeader<"spoor.replay/1"> {
  /** What ran. Secrets in it are redacted. */
  readonly command?: RecordedCommand;
  /** The new recording, as the user would type it. */
  readonly folder: string;
  readonly runs: readonly RecordedRun[];
  readonly missing: readonly MissingFromRecording[];
  readonly settings: ReplaySettings;
  readonly cassette: ReplayedCassette;
  readonly tools: ServedShare;
  readonly models: ServedShare;
  readonly misses: readonly ReplayMiss[];
  readonly modelMisses: readonly Omit<MissedModel, "served">[];
  /** Recorded, and asked for by nobody; names in the order of the recording. */
  readonly neverAsked: { readonly tools: readonly NamedCount[]; readonly modelAnswers: number };
  /** Served with other effects before them than when they were recorded. */
  readonly stale: readonly NamedCount[];
  /** Answers in which the redaction of the recording left a placeholder. */
  readonly redacted: number;
  /** Tools whose calls were not handed on, because nothing stood before them. */
  readonly openTools: readonly string[];
  /** Tools that the provider ran by itself. */
  readonly providerTools: readonly string[];
  readonly drift: ReplayDrift;
  /** A miss ended the run. */
  readonly stopped: boolean;
  /** Processes that were ended before they could tell what was served to them. */
  readonly unheard: number;
}

export interface ReplaySettings {
  readonly model: "live" | "recorded";
  readonly tools: "live" | "recorded";
  readonly miss: MissPolicy;
  /** Values that are missing because they were redacted are an error. */
  readonly strict: boolean;
}

export interface ReplayedCassette {
  /** As the user would type them. */
  readonly paths: readonly string[];
  readonly recordings: number;
  /** Which of them were meant, by name. */
  readonly used: readonly string[];
  /** When the first and the last of those were made. */
  readonly from?: string;
  readonly to?: string;
}

export interface ServedShare {
  readonly asked: number;
  /** Answered by a recording. */
  readonly served: number;
  /** How often in which way: the rungs, `live`, `miss`. */
  readonly ways: Readonly<Record<string, number>>;
}

export interface ReplayMiss extends Omit<MissedCall, "nearest"> {
  readonly nearest?: Pick<NonNullable<MissedCall["nearest"]>, "differences">;
}

export interface NamedCount {
  readonly name: string;
  readonly count: number;
}

/** What makes a recording less true than it was. */
export interface ReplayDrift {
  readonly addedTools: readonly string[];
  readonly removedTools: readonly string[];
  readonly changedTools: readonly string[];
  /** Set where the recordings are older than is allowed. */
  readonly tooOldDays?: number;
}
