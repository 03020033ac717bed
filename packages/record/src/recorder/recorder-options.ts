/** How a recorder is told to behave, and what it tells. */
import type { CaptureSummary } from "@spoor/core/internal/capture/capture-options";
import type { RedactionOptions } from "@spoor/core/internal/redact/redaction";
import type { Guard } from "../guard.ts";
import type { Durability } from "../node/recording-file.ts";
import type { ReplayOptions } from "./replay/replay-options.ts";

export interface RecorderOptions {
  /** The folder of this recording; by default a new one in `.spoor/recordings`, named after the time. */
  readonly dir?: string;
  /** The agent that is recorded, as reports name it. */
  readonly agent?: string;
  readonly tags?: Readonly<Record<string, string>>;
  /** `blind` keeps names, sizes, times and tokens, and no text. */
  readonly content?: "full" | "blind";
  /** False: nothing is redacted. Otherwise what is redacted beside the ordinary secrets. */
  readonly redact?: false | RedactionOptions;
  /** Judged before a tool runs. What it refuses is recorded as refused; what happens to the recording never opens it. */
  readonly guard?: Guard;
  /** Recordings answer instead of the model, the tools, or both. What it cannot answer does not happen. */
  readonly replay?: ReplayOptions;
  /** The share of runs that is kept, between 0 and 1; a run is kept whole or not at all. */
  readonly sample?: number;
  /** When records are safe: in the system's hands (survives the process), on disk within a second (the default), each at once. */
  readonly durable?: Durability;
  /** The most that is kept of one body; 16 MiB, a reader's limit for a line. */
  readonly maxBodyBytes?: number;
  /** Only calls to these hosts are recorded: `api.openai.com`, `*.example.com`, `127.0.0.1:8080`. By default all model calls are. */
  readonly hosts?: readonly string[];
  /** Told what could not be recorded. By default the first of each kind is a warning of the process. */
  readonly onProblem?: (problem: RecordProblem) => void;
}

/** Something that is missing in the recording, or may be. The application went on. */
export interface RecordProblem {
  readonly code: string;
  readonly message: string;
}

export interface SessionOptions {
  /** By default a new one. */
  readonly id?: string;
  readonly agent?: string;
  readonly scenario?: string;
  readonly run?: number;
  readonly tags?: Readonly<Record<string, string>>;
}

export interface RecordSummary extends CaptureSummary {
  readonly dir: string;
  /** What could not be recorded: code → how often. */
  readonly missing: Readonly<Record<string, number>>;
}
