/**
 * What a provider is: something that is asked as a user would ask an agent, and answers with what the agent did. A new
 * provider is one file, one line in providers.ts and one entry in the conformance suite they all share.
 */
import type { Json, JsonObject, Trace } from "@spoor/core";
import { type LimitKind, limitKinds, type ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import type { TokenUsage } from "@spoor/core/internal/evaluators/evaluation";
import type { Fields, ValuesOf } from "@spoor/core/internal/read/mapping";
import type { Variant } from "@spoor/core/internal/read/tagged";
import type { ImportedTrace } from "@spoor/core/internal/trace/imported-trace";
import type { ReplayMark } from "@spoor/core/internal/trace/replay-marks";
import type { RunLimits } from "../run-limits.ts";
import type { ServerDoor } from "../servers/server-door.ts";
import type { TokenPrices } from "../token-prices.ts";

/** The words `provider:` takes (the first is the name, the others are older spellings), and the options beside it. */
export interface ProviderDefinition<F extends Fields = Fields> extends Variant {
  readonly fields: F;
  /** From options that are sound; relative paths in them start at the folder of the targets file. */
  open(options: ValuesOf<F>, folder: string): Provider;
}

export function defineProvider<const F extends Fields>(definition: ProviderDefinition<F>): ProviderDefinition<F> {
  return definition;
}

export interface Provider {
  /** At most this many runs at once, whatever `--workers` says. */
  readonly maxWorkers?: number;
  /** It writes into the folder it is given: where the case has no workspace, that is an empty one of the run's own. */
  readonly worksInFolder?: boolean;
  /** Limits that the target sets in its own words; a run that says which one it reached need not say where it lay. */
  readonly limits?: RunLimits;
  /** Throws ProviderError. Must stop, and end what it started, when `context.signal` fires. */
  ask(request: AgentRequest, context: AgentContext): Promise<AgentAnswer>;
  /** Begins a conversation; absent where the agent cannot hold one. */
  converse?(): Session;
  /** Its answers are recordings, conversations included: nobody speaks while they are shown. */
  readonly isRecorded?: true;
}

/** A conversation that is under way. */
export interface Session {
  /** Says what `request.messages` hold, and nothing that was said before. Throws like `ask`. */
  say(request: AgentRequest, context: AgentContext): Promise<AgentAnswer>;
  /** Nothing more is said. */
  close?(): void;
}

/** A conversation with somebody who remembers nothing and is told all of it every time. */
export function repeatingSession(ask: Provider["ask"]): Session {
  return {
    say: (request, context) =>
      ask({ ...request, messages: [...(request.history ?? []), ...request.messages] }, context),
  };
}

/** One message of the case's input, flattened to text; files are absolute paths. */
export interface InputMessage {
  readonly role: string;
  readonly content: Json;
  readonly text: string;
  readonly files: readonly string[];
}

export interface AgentRequest {
  readonly caseId: string;
  /** Which repetition, from 1. */
  readonly run: number;
  /** Which attempt at this run, from 1; above 1 it is a retry. */
  readonly attempt: number;
  readonly messages: readonly InputMessage[];
  /** The whole conversation as one text, for agents that take a prompt. */
  readonly prompt: string;
  /** Attached files of all messages. */
  readonly files: readonly string[];
  /** The folder the agent works in: the run's own copy, or the target's `cwd`. */
  readonly folder: string;
  /** True when `folder` is a fresh copy of this run's own. */
  readonly isolated: boolean;
  readonly evalFile: string;
  /** Which turn of a conversation, from 1. */
  readonly turn?: number;
  /** What was said in earlier turns; `messages` are then those of this one. */
  readonly history?: readonly InputMessage[];
  readonly metadata?: Json;
  /** What the run may use up; a provider that sees it happen ends the run there. */
  readonly limits?: RunLimits;
  /** What its tokens cost, where that is known. */
  readonly prices?: TokenPrices;
}

export interface AgentContext {
  readonly signal: AbortSignal;
  /** Environment for child processes. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What the agent is doing now, for the live view: "issue_refund". */
  activity(text: string): void;
  /** Milliseconds since 1970, counted without jumps. */
  now(): number;
  /** What the model that plays the user took for a message. */
  onUser?(answer: { readonly usage?: TokenUsage; readonly costUsd?: number; readonly fromCache?: boolean }): void;
  /** The way to servers that all runs share; absent: every request goes straight out. */
  readonly servers?: ServerDoor | undefined;
}

/** What an agent did, as it said it itself, and what only whoever ran it knows. */
export interface AgentAnswer {
  /** Absent when the provider gave no trace at all. */
  readonly output?: AgentOutput;
  /** How the run ended when it did not end well; what was done until then stands in `output`. */
  readonly failure?: ProviderError;
  /** The limit that ended it, whoever set it. */
  readonly limit?: ReachedLimit;
  readonly costUsd?: number;
  /** Token counts of the whole run in `.agentlog` shape, where the output itself has none. */
  readonly usage?: JsonObject;
  /** Measured or stated by the provider; absent: the runner's own clock is used; null: nobody knows, so nobody measures. */
  readonly durationMs?: number | null;
  /** What could not be used, each with its place. */
  readonly problems?: readonly string[];
  /** No tool ran, so no result took any time: there is nothing that a limit of latency could judge. */
  readonly untimedResults?: true;
  /** Cost and tokens are those of the whole session so far, earlier turns included. */
  readonly totalsOfSession?: true;
  /** It waits for something that nobody gives: the conversation cannot go on. */
  readonly isOver?: true;
  /** The tools were recordings: how each call was answered. */
  readonly served?: readonly ServedCall[];
  /** Requests that were answered from the cache. */
  readonly fromCache?: CachedShare;
  /** The answer is of no use and must not be given again from the cache. */
  readonly forget?: () => Promise<void>;
}

/** What of a run was not asked for again. */
export interface CachedShare {
  readonly requests: number;
  readonly usage?: TokenUsage;
}

/** A call that a recording answered, or that was refused because none could. */
export interface ServedCall {
  readonly id: string | undefined;
  readonly output: Json;
  readonly failed: boolean;
  readonly mark: ReplayMark;
}

/** A provider names a format and hands over what it heard; formats/ reads it, as it reads a file of the same bytes. */
export type AgentOutput =
  /** A stream in a format that the provider knows, with the moment each value came. */
  | { readonly format: string; readonly lines: readonly ReceivedLine[] }
  /** Whatever was printed: recognised by its content, else an answer in plain words; `document` is the text read as JSON, where that was done before. */
  | { readonly text: string; readonly document?: Json }
  /** Already read. */
  | { readonly read: ReadOutput }
  /** A recording, as it is. */
  | { readonly trace: Trace };

export interface ReceivedLine {
  readonly value: Json;
  /** Milliseconds since 1970; absent for a value that carries its own clock. */
  readonly at?: number;
}

export interface ReadOutput extends ImportedTrace {
  readonly format: string;
}

export type FailureKind =
  /** The program is not installed, the credentials are refused: no run of this target can work, now or later. */
  | "missing"
  /** Nobody answers there: no run of this target can work until somebody does. */
  | "unreachable"
  /** A limit of the run was reached. */
  | LimitKind
  | "rate-limit"
  /** The other side had a passing problem (HTTP 5xx, a connection cut off). */
  | "unavailable"
  /** The agent ran and failed: crashed, was killed, answered with an error. */
  | "failed"
  | "too-large"
  /** Nothing of what came can be read. */
  | "bad-output"
  /** The folder the agent was to work in could not be made ready. */
  | "workspace";

/** Why a provider has no answer. Its message is shown to people and written to results, so it names no secret. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: FailureKind;
  /** How long the other side asked to wait. */
  readonly retryAfterMs: number | undefined;
  /** What the agent did until then, when that is known. */
  readonly trace: Trace | undefined;
  /** What of it could not be used. */
  readonly problems: readonly string[];
  /** The limit that was reached, when whoever set it is not the runner. */
  readonly limit: ReachedLimit | undefined;

  constructor(kind: FailureKind, message: string, options: ProviderErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.retryAfterMs = options.retryAfterMs;
    this.trace = options.trace;
    this.problems = options.problems ?? [];
    this.limit = options.limit ?? (isLimit(kind) ? { kind } : undefined);
  }
}

interface ProviderErrorOptions {
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
  readonly trace?: Trace | undefined;
  readonly problems?: readonly string[] | undefined;
  readonly limit?: ReachedLimit | undefined;
}

const RETRYABLE: ReadonlySet<FailureKind> = new Set(["unreachable", "rate-limit", "unavailable"]);

/**
 * Whether another attempt may help. An agent that ran and failed, or was seen at work when its time was up, is never asked
 * again: that is the result. Of whom nothing was heard in time, nothing is known yet.
 */
export function isRetryable({ kind, trace }: ProviderError): boolean {
  return RETRYABLE.has(kind) || (kind === "timeout" && trace === undefined);
}

export function isLimit(kind: FailureKind): kind is LimitKind {
  return limitKinds.some((known) => known === kind);
}

const OUTAGES: ReadonlySet<FailureKind> = new Set([
  "missing",
  "unreachable",
  "rate-limit",
  "unavailable",
  "bad-output",
  "workspace",
]);

/** Whether the failure says nothing about the agent: the run counts in no rate, and never as a pass. */
export function isOutage(kind: FailureKind): boolean {
  return OUTAGES.has(kind);
}

/** Whether every further run of the target would fail the same way, so that none is started. */
export function stopsTarget(kind: FailureKind): boolean {
  return kind === "missing" || kind === "unreachable";
}

/** Providers may not hand out more than this: 64 MiB. */
export const MAX_OUTPUT_BYTES = 64 * 1024 * 1024;
