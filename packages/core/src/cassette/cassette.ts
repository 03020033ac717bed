/**
 * Recordings as a world that can be played again: what tools returned and what the model answered, served to an agent that may have
 * changed. A recording is never written to; what has no recorded answer is a miss, which is reported and never made up.
 */
import type { ProviderApi } from "../providers/provider-api.ts";
import type { Redaction } from "../redact/redaction.ts";
import type { Json, JsonObject } from "../trace/json.ts";
import type { ReplayedFrom, ServedWay } from "../trace/replay-marks.ts";
import type { Evidence, ToolError } from "../trace/trace.ts";
import type { ArgumentComparison } from "../trajectory/trajectory.ts";
import type { MaskOptions } from "./masks.ts";
import type { MissDecision, MissPolicy } from "./on-miss.ts";

export interface CassetteOptions extends MaskOptions {
  /** The redaction the recordings were written with: a request is redacted before it is looked up, so placeholders meet placeholders. */
  readonly redaction?: Redaction | undefined;
  /** What becomes of a tool call that no recording answers; `refuse` by default. */
  readonly miss?: MissPolicy | undefined;
  /** What is said about single tools. */
  readonly tools?: Readonly<Record<string, ToolReplay>> | undefined;
  /** Tools marked `live` may change the world. */
  readonly allowEffects?: boolean | undefined;
}

export interface ToolReplay {
  /** Only the arguments at these dotted paths decide which recorded call is near enough. */
  readonly match?: readonly string[] | undefined;
  /** All arguments but those at these dotted paths. */
  readonly ignore?: readonly string[] | undefined;
  /** Runs for real. */
  readonly live?: boolean | undefined;
  /** Always returns this. */
  readonly result?: Json | undefined;
  /** Whether it changes the world, where its name or its annotations say otherwise. */
  readonly effect?: boolean | undefined;
}

export interface Cassette {
  /** A consumer for one run of the agent. Each recorded answer is served to it once. */
  open(run?: CassetteRun): CassetteSession;
  /** How many recordings, and what they hold. */
  readonly holds: { readonly recordings: number; readonly toolResults: number; readonly modelAnswers: number };
}

export interface CassetteRun {
  readonly scenario?: string | undefined;
  /** Which repeat of the scenario: the recording of the same repeat is looked at first. */
  readonly run?: number | undefined;
  /** Which recordings are meant, where no scenario is named; else the first request tells. */
  readonly firstUserText?: string | undefined;
  /** When it runs: a time in arguments is passed over only if it is now, and was then. */
  readonly nowMs?: number | undefined;
}

export interface AskedCall {
  readonly name: string;
  /** As the agent gave them; JSON text is read. */
  readonly args: Json | undefined;
  /** The id the model gave the call: equal calls of one response are served in the response's order. */
  readonly id?: string | undefined;
}

export type ToolAnswer = ServedTool | LiveTool | MissedTool;

export interface ServedTool {
  readonly served: ServedWay;
  /** What the tool returned; of a call that failed, what stood in place of a result. */
  readonly result?: Json;
  /** The recorded call failed, so this one fails again. */
  readonly error?: ToolError;
  /** Absent for a configured result. */
  readonly from?: ReplayedFrom;
  /** How the recording knew the result: `ran` is the tool's own value, `told` is what the model was sent. */
  readonly evidence?: Evidence;
  /** Equal only after masking what differs from run to run: a new id, a time, a folder. */
  readonly masked?: true;
  /** The result holds a placeholder of the redaction where the agent may need the value. */
  readonly redacted?: true;
}

/** The tool is to run for real, because the configuration says so. */
export interface LiveTool {
  readonly served: "live";
}

export interface MissedTool {
  readonly served: "miss";
  readonly decision: MissDecision;
  /** `never_recorded`: no recording calls this tool at all. */
  readonly reason: "other_arguments" | "never_recorded";
  readonly nearest?: NearestCall;
}

/** The recorded call of the same tool that differs least; `expected` is what was recorded, `actual` what was asked. */
export interface NearestCall {
  readonly name: string;
  readonly from: ReplayedFrom;
  readonly differences: readonly ArgumentComparison[];
}

export interface AskedModel {
  readonly api: ProviderApi;
  /** The body of the request, with the model where only the address names it (`recogniseCall`). */
  readonly body: JsonObject;
}

export type ModelAnswer = ServedModel | FailedModel | MissedModel;

export interface ServedModel {
  readonly served: "exact" | "elsewhere";
  /** The exact body that the provider sent, streams put together. */
  readonly body: JsonObject;
  /** What the recording holds: content, stop reason, usage. */
  readonly payload: JsonObject;
  /** False: the recorded answer broke off here. */
  readonly complete: boolean;
  /** Who broke it off, where the recording says so: `client`, `server` or `exit`. */
  readonly brokenBy?: string;
  readonly from: ReplayedFrom;
  readonly masked?: true;
  readonly redacted?: true;
  /** When its pieces came, where the recording says so. */
  readonly timings?: JsonObject;
}

export interface RecordedFailure {
  readonly status?: number;
  readonly code?: string;
  readonly message: string;
  /** When it may be tried again, as the provider said it (`retry-after`). */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The recorded call of the model failed, so this one fails again. */
export interface FailedModel {
  readonly served: "exact" | "elsewhere";
  readonly error: RecordedFailure;
  readonly from: ReplayedFrom;
  readonly masked?: true;
}

export interface MissedModel {
  readonly served: "miss";
  /** `used_up`: the request is recorded, and every answer to it was served. */
  readonly reason: "other_request" | "used_up" | "nothing_recorded";
  readonly nearest?: { readonly from: ReplayedFrom; readonly differences: readonly RequestDifference[] };
}

/** In what a request differs from a recorded one. */
export type RequestDifference =
  | { readonly what: "model"; readonly asked: string; readonly recorded: string }
  /** `line` counts from 1. */
  | { readonly what: "system"; readonly line: number; readonly asked?: string; readonly recorded?: string }
  /** `index` counts all messages of the request from 0; a side that ends before it has no text. */
  | {
      readonly what: "message";
      readonly index: number;
      readonly role: string;
      readonly asked?: string;
      readonly recorded?: string;
    }
  | {
      readonly what: "tools";
      readonly added: readonly string[];
      readonly removed: readonly string[];
      readonly changed: readonly string[];
    }
  | { readonly what: "param"; readonly name: string; readonly asked?: Json; readonly recorded?: Json };

export interface CassetteSession {
  answerTool(call: AskedCall): ToolAnswer;
  answerModel(request: AskedModel): ModelAnswer;
  /** A request that a live model answers: tells which recordings are meant, and which tools the agent has now. */
  noteRequest(request: AskedModel): void;
  /** The calls of a response in its order; only needed where the model is live. */
  noteCalls(calls: readonly AskedCall[]): void;
  /** A tool ran for real: whether it succeeded decides what later results are true beside it. */
  noteRan(call: AskedCall, succeeded: boolean): void;
  /** Whether a tool may change the world: by configuration, by what agent or recordings declare, else by its name. */
  isEffect(name: string): boolean;
  /** `nowMs` makes ages of times. */
  summary(nowMs?: number): CassetteSummary;
}

export interface CassetteSummary {
  /** The recordings that were meant, and by what they were found; `none`: nothing fits this run. */
  readonly scope: {
    readonly by: "scenario" | "first_user_text" | "only" | "none";
    readonly recordings: readonly string[];
  };
  /** Calls of tools by how they were answered: rungs, `live`, `miss`. */
  readonly tools: Readonly<Record<string, number>>;
  /** Calls of the model by how they were answered. */
  readonly models: Readonly<Record<string, number>>;
  readonly misses: readonly MissedCall[];
  readonly modelMisses: readonly MissedModel[];
  /** Served although other effects came before it than in the recording. */
  readonly stale: readonly { readonly name: string; readonly from: ReplayedFrom }[];
  /** Answers that were equal only after masking. */
  readonly masked: number;
  /** Answers that hold a placeholder of the redaction. */
  readonly redacted: number;
  /** Calls and answers of the first recording of the scope that nobody asked for. */
  readonly neverAsked: {
    readonly tools: readonly { readonly name: string; readonly from: ReplayedFrom }[];
    readonly modelAnswers: number;
  };
  /** Tools the agent offers now beside those it offered when it was recorded. */
  readonly changedTools: {
    readonly added: readonly string[];
    readonly removed: readonly string[];
    readonly changed: readonly string[];
  };
  /** When the recordings of the scope were made; absent when they do not say. */
  readonly recorded?: { readonly from: string; readonly to: string; readonly ageMs?: number };
}

export interface MissedCall {
  readonly name: string;
  readonly args?: Json;
  readonly decision: MissDecision;
  readonly reason: MissedTool["reason"];
  readonly nearest?: NearestCall;
}
