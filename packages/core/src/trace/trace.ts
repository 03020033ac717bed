import type { ContentPart } from "./content.ts";
import type { Json, JsonObject } from "./json.ts";
import type { MessageList } from "./message-list.ts";
import type { TraceRecord } from "./record.ts";

/**
 * One recorded run of one agent, as every lens sees it. Built by `buildTrace`; plain, readonly, JSON-safe.
 * A field that the source did not have is absent, never a made-up zero.
 */
export interface Trace {
  /** `meta.trace_id` of the first record that has one, else the first record's id, else the source's own name. */
  readonly id: string;
  /** For programs: unique among the traces of one command. Reports refer to traces by it; it is never shown as prose. */
  readonly key: string;
  /** For people. */
  readonly name: string;
  readonly agent?: string;
  /** The task this run worked on (`scenario_id`, `task_id`, `case`), used to pair runs of two sides. */
  readonly scenario?: string;
  readonly source: TraceSource;
  /** Payload of the first `metadata` record; empty when there is none. */
  readonly metadata: JsonObject;
  readonly sessions: readonly Session[];
  readonly turns: readonly Turn[];
  /** Every tool call of the run in order; `turns[i].toolCalls` holds the same objects. */
  readonly toolCalls: readonly ToolCall[];
  readonly steps: readonly Step[];
  readonly records: readonly TraceRecord[];
  /** What the recording lacks; absent when it lacks nothing. */
  readonly recording?: RecordingFacts;
}

export interface RecordingFacts {
  /** Requests that neither a response nor an error answers. */
  readonly unanswered?: number;
  /** Stretches in which the recorder could not write. */
  readonly gaps?: number;
  /** Which inputs of the run came from recordings. */
  readonly replayed?: { readonly model: boolean; readonly tools: boolean };
  /**
   * The first turn, from 0, for which the recorded world cannot vouch: a call before it was refused, or served from another state of
   * the world. It may be the number of turns: then nothing came after that call.
   */
  readonly offPathFrom?: number;
  /** Nothing that anyone said was kept; which key hides equal values as equal hashes, empty when that is not known. */
  readonly blind?: string;
}

export interface TraceSource {
  readonly format: string;
  readonly path?: string;
  /** Name of this trace inside a file that holds several ("simulations[3]"). */
  readonly entry?: string;
  /** What the reader did not understand: type of record or block → how many. Kept, not shown. */
  readonly unknown?: Readonly<Record<string, number>>;
  /** Lines skipped under `--lenient`. */
  readonly skippedLines?: number;
  /** Last lines that break off: the writer ended in the middle of a record. */
  readonly torn?: number;
  /** Values of the file that were NaN or Infinity and are read as absent; on its first trace. */
  readonly notNumbers?: number;
  /** The file ended early and was accepted under `--lenient`. */
  readonly truncated?: boolean;
  /** What the reader wants the user to know: "no clock in this format". */
  readonly notes?: readonly string[];
}

/**
 * A conversation inside a trace. Its turns keep their order, but need not stand side by side: conversations may be interleaved.
 */
export interface Session {
  readonly index: number;
  readonly turns: readonly Turn[];
  readonly records: readonly TraceRecord[];
}

/** What a request asked and its response said: read once from the payloads, which lenses need not look into. */
export interface Exchange {
  /** Payload of the request in `.agentlog` shape, for paths of policy rules; an empty object when none was recorded. */
  readonly request: JsonObject;
  /** Payload of the response, for paths of policy rules. */
  readonly response: JsonObject;
  /** The parts of the response in order, whatever shape its content has. */
  readonly parts: readonly ContentPart[];
  /** The text parts joined with newlines; empty when it says nothing. */
  readonly text: string;
  /** One entry per thinking part, empty where the provider hides what was thought. */
  readonly thinking?: readonly string[];
  readonly stopReason?: string;
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** Answered at the provider's batch price. */
  readonly batch?: true;
  readonly durationMs?: number;
  /** The model that answered, as the response names it. */
  readonly model?: string;
  /** The model that was asked. */
  readonly requestedModel?: string;
  /** The leading system and developer messages of the request, joined by a line break. */
  readonly system?: string;
  readonly messages?: MessageList;
  /** The tools the request offered; absent when it does not say. */
  readonly offeredTools?: readonly OfferedTool[];
  /** Temperature and the like. */
  readonly settings?: JsonObject;
}

/** Tokens as the provider counted them; `inputTokens` is the uncached count. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly thinkingTokens?: number;
  readonly cachedInputTokens?: number;
  readonly cachedWrite5mTokens?: number;
  readonly cachedWrite1hTokens?: number;
}

export interface OfferedTool {
  readonly name: string;
  /** As the request wrote it. */
  readonly definition: Json;
  /** What its annotations say about changing the world. */
  readonly readOnly?: boolean;
}

/** One model response with the request it answers: what diff and policy look at. */
export interface Turn extends Exchange {
  /** Position among all responses of the trace, from 0. */
  readonly index: number;
  readonly sessionIndex: number;
  /** Calls made by this response (content blocks), in order, plus calls recorded only as standalone records after it. */
  readonly toolCalls: readonly ToolCall[];
  readonly requestId?: string;
  readonly responseId?: string;
  /** When the request was sent, else when the response arrived. */
  readonly ts?: string;
  /** The sub-agent that acted, when it was not the main one. */
  readonly agent?: string;
  /** Id of the tool call that started this sub-agent. */
  readonly parentCallId?: string;
}

export interface ToolCall {
  readonly id?: string;
  readonly name: string;
  /** Arguments as recorded: any JSON; absent when the source has none. */
  readonly input?: Json;
  readonly output?: Json;
  /** Present when the call failed. */
  readonly error?: ToolError;
  /** `unknown` when no result was recorded. */
  readonly status: "ok" | "error" | "unknown";
  readonly startedAt?: string;
  readonly durationMs?: number;
  /** Calls that ran side by side share this name. */
  readonly parallelGroup?: string;
  readonly agent?: string;
  /** The turn whose response made the call, or the latest response before a standalone record; -1 before any response. */
  readonly turnIndex: number;
  /** Position among all calls of the trace, from 0. */
  readonly position: number;
  /** Seen only as a `tool_call` record, not as a block of a response. */
  readonly standalone?: true;
  /** Rules that ask a person, of which a person allowed this call. */
  readonly approvals?: readonly string[];
  /** It never ran: a hook, a permission or a person refused it. What stands as its result is the refusal. */
  readonly refused?: true;
  /** How its result is known; absent when the recording does not say. */
  readonly evidence?: Evidence;
  /** What a replay served in place of the very result. */
  readonly standIn?: StandIn;
}

/** Seen running, told by a later request, served from a recording, or made up by a replay. */
export const evidences = ["ran", "told", "replayed", "stand_in"] as const;
export type Evidence = (typeof evidences)[number];

/**
 * What a replay served instead: a result from another state, the last one again, what the tool always says, a read of another scenario,
 * one for other arguments, a configured one, or a refusal.
 */
export const standIns = ["stale", "again", "constant", "elsewhere", "near", "configured", "refused"] as const;
export type StandIn = (typeof standIns)[number];

export interface ToolError {
  readonly message?: string;
  /** Error class, type or status code, when the source names one. */
  readonly kind?: string;
}

export type StepKind = "llm" | "tool" | "http" | "other";

/** One thing the agent did, in the flat order in which it was done. Fingerprints read these. */
export interface Step {
  readonly kind: StepKind;
  /** Model, tool, endpoint (`METHOD host/path`) or name; empty when the source does not say. */
  readonly target: string;
  readonly status: "ok" | "error" | "unknown";
  readonly errorKind?: string;
  readonly durationMs?: number;
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly parallelGroup?: string;
  readonly agent?: string;
  readonly turnIndex: number;
  /** For model steps: the request failed, so that no turn came of it; `turnIndex` is the turn before. */
  readonly withoutResponse?: true;
  /** For tool steps: the call itself. */
  readonly call?: ToolCall;
}
