/** What a door sees of a running agent, and what it gets back: the seam between doors (fetch, proxy, tools) and records. */
import type { Json, JsonObject } from "../trace/json.ts";
import type { ReplayMark } from "../trace/replay-marks.ts";

/** A request to a model API, about to be sent. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly atMs: number;
  readonly session?: StatedSession | undefined;
}

/** Which run something belongs to, said by the application or the person who records. */
export interface StatedSession {
  readonly id: string;
  readonly agent?: string | undefined;
  readonly scenario?: string | undefined;
  readonly run?: number | undefined;
  readonly tags?: Readonly<Record<string, string>> | undefined;
}

/** What becomes of a request; each method may be called from any turn of the event loop and never throws. */
export interface CapturedCall {
  /** An answer of a recording says so in a header (`REPLAY_HEADER`). */
  head(status: number, headers: Readonly<Record<string, string>>, atMs: number): void;
  /** Decoded text, cut anywhere. */
  text(chunk: string, atMs: number): void;
  end(atMs: number): void;
  /** The body broke off, or nothing came at all. */
  broke(by: BrokenBy, error: { readonly code?: string | undefined; readonly message: string }, atMs: number): void;
}

export type BrokenBy = "client" | "server" | "exit";

/** A tool begins to run in this process. */
export interface SeenTool {
  readonly name: string;
  readonly input: Json;
  readonly callId?: string | undefined;
  readonly atMs: number;
  readonly session?: StatedSession | undefined;
  readonly agent?: string | undefined;
}

/** `mark`: it did not run; a recording answered, or the replay refused it. */
export interface CapturedTool {
  end(output: Json, atMs: number, mark?: ReplayMark): void;
  failed(
    error: { readonly message: string; readonly kind?: string | undefined },
    atMs: number,
    mark?: ReplayMark,
  ): void;
}

/** Something the harness did: a refusal of the guard, a gap of the recording. */
export interface SeenEvent {
  readonly category: string;
  readonly name: string;
  readonly severity?: "info" | "warning" | "error" | undefined;
  readonly attributes?: JsonObject | undefined;
  readonly callId?: string | undefined;
  readonly session?: StatedSession | undefined;
  readonly atMs: number;
}

/** The trace a record belongs to: one per run of one agent. */
export interface RunFile {
  /** The same for all records of a run, different for every run of a capture. */
  readonly key: string;
  readonly traceId: string;
  readonly scenario?: string | undefined;
  readonly run?: number | undefined;
  readonly agent?: string | undefined;
  /** What is no part of any run: titles, summaries, other requests beside the agent's work. */
  readonly auxiliary?: true | undefined;
}

/** Something of the recording that went wrong; the application never notices. */
export interface CaptureProblem {
  readonly code: ProblemCode;
  readonly message: string;
}

export type ProblemCode = "not_understood" | "too_large" | "unwritable" | "internal";
