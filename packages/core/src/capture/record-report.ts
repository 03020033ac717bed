/** What `spoor record` says of a recording: what ran, which runs were recorded, what is known to be missing, where it is. */
import type { BuiltAgent } from "../fingerprint/baseline-report.ts";
import type { ReportHeader } from "../report/report.ts";

export interface RecordReport extends ReportHeader<"spoor.record/1"> {
  /** What was recorded; absent where only the doors were open. Secrets in it are redacted. */
  readonly command?: RecordedCommand;
  /** As the user would type it. */
  readonly folder: string;
  readonly content: "full" | "blind";
  readonly runs: readonly RecordedRun[];
  readonly doors: RecordDoors;
  readonly missing: readonly MissingFromRecording[];
  /** Why there may be nothing; empty when there is something. */
  readonly causes: readonly NothingRecordedCause[];
  /** The runs are the baseline's now; with the fingerprints that were learned from them, where the configuration asks for some. */
  readonly baseline?: { readonly learned: readonly BuiltAgent[] };
}

export interface RecordedCommand {
  readonly words: readonly string[];
  /** Words that were added so that the program uses the proxy. */
  readonly added: readonly string[];
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** What a shell says of it. */
  readonly shellCode: number;
}

/** One file: one run of one agent, sub-agents inside. */
export interface RecordedRun {
  readonly file: string;
  readonly name: string;
  readonly agent?: string;
  readonly scenario?: string;
  readonly models: readonly string[];
  readonly modelCalls: number;
  readonly failedCalls: number;
  readonly toolCalls: number;
  /** Names in the order of first use. */
  readonly tools: readonly string[];
  readonly subAgents: number;
}

export interface RecordDoors {
  /** Absent when it was not open. */
  readonly proxy?: ProxyDoor;
  /** The command could be recorded from within: it runs in Node. */
  readonly inProcess: boolean;
  readonly otlp?: OtlpDoor;
}

export interface ProxyDoor {
  readonly forwarded: number;
  readonly calls: number;
  /** Handed on, but no call of a model: by path. */
  readonly otherPaths: readonly { readonly path: string; readonly count: number }[];
  readonly upgradesRefused: number;
  readonly refused: number;
}

export interface OtlpDoor {
  readonly spans: number;
}

/**
 * `nothing`: not one run. `gap`: stretches in which nothing could be written. `unclosed`: files without their last record.
 * `not_understood`: calls of a model that could not be read. `unreadable`: bodies too large or packed in an unknown way.
 * `unwritable`: records that could not be written. `file`: a file of the recording that cannot be read back. `rootless`: calls that came each
 * in a trace of its own, and nothing tells which of them are one run.
 */
export interface MissingFromRecording {
  readonly code: "nothing" | "gap" | "unclosed" | "not_understood" | "unreadable" | "unwritable" | "file" | "rootless";
  readonly count: number;
  /** A file, a coding, an error: what there is to say beyond the count. */
  readonly detail?: string;
}

/** In the order of likelihood. */
export type NothingRecordedCause =
  | "codex_not_adapted"
  | "upgrade_refused"
  | "other_paths_only"
  | "no_request"
  | "proxy_off"
  | "command_failed";
