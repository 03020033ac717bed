/** What rules see: turns and calls of a trace, with the views of them that several rules share computed once. */
import { type Json, type JsonObject, member } from "../trace/json.ts";
import type { ToolCall, Turn } from "../trace/trace.ts";
import { NO_SITUATION, type Situation } from "./situation.ts";

/** Just enough of a turn to point at it later without keeping it in memory. */
export interface TurnMark {
  readonly index: number;
  readonly recordId: string | undefined;
}

const PLACES = ["content", "tool_calls", "function_call"] as const;

/** A response that arrived, with its request. Views are computed on first use and kept. */
export class TurnEvent implements TurnMark {
  readonly turn: Turn;
  /** Position among all responses of the trace. */
  readonly index: number;
  readonly recordId: string | undefined;
  readonly request: JsonObject;
  readonly response: JsonObject;
  private knownContext: JsonObject | undefined;
  private knownBlocks: readonly ToolCall[] | undefined;
  private knownOffer: ReadonlySet<string> | undefined;
  private knownUnderstood: boolean | undefined;
  private readonly situation: Situation;

  constructor(turn: Turn, situation: Situation = NO_SITUATION) {
    this.turn = turn;
    this.situation = situation;
    this.index = turn.index;
    this.recordId = turn.responseId;
    this.request = turn.request;
    this.response = turn.response;
  }

  /** The text blocks joined with newlines. */
  get text(): string {
    return this.turn.text;
  }

  get stopReason(): string | undefined {
    return this.turn.stopReason;
  }

  /** Whether the response has a place where its text and calls would stand; one that has none may have said anything. */
  get isUnderstood(): boolean {
    this.knownUnderstood ??= PLACES.some((key) => member(this.response, key) !== undefined);
    return this.knownUnderstood;
  }

  /** What paths are looked up in: `request`, `response`, the aliases `model` and `stop_reason`, `principal` and `context`. */
  get context(): JsonObject {
    this.knownContext ??= buildContext(this.request, this.response, this.situation);
    return this.knownContext;
  }

  /** Calls that the response itself makes (its content blocks), but for those that were refused: they never happened. */
  get blockCalls(): readonly ToolCall[] {
    this.knownBlocks ??= this.turn.toolCalls.filter((call) => call.standalone !== true && call.refused !== true);
    return this.knownBlocks;
  }

  /** Names of the tools the request offered; undefined when it does not say. */
  get offered(): ReadonlySet<string> | undefined {
    const { offeredTools } = this.turn;
    if (offeredTools !== undefined) this.knownOffer ??= new Set(offeredTools.map((tool) => tool.name));
    return this.knownOffer;
  }
}

/** A tool call, with the turn it belongs to (none before the first response). */
export interface CallEvent {
  readonly call: ToolCall;
  readonly turn: TurnEvent | undefined;
  /** Of a running agent: names of the tools that are running at this moment. A recording says it by `parallelGroup`. */
  readonly beside?: readonly string[];
  /** The guard made up its id, so no request will ever speak of it. */
  readonly numbered?: boolean;
}

/** When a call was made, in milliseconds since 1970; undefined where nothing tells. */
export function timeOfCall({ call, turn }: CallEvent): number | undefined {
  return timeOf(call.startedAt ?? turn?.turn.ts);
}

/** When a response was asked for. */
export function timeOfTurn({ turn }: TurnEvent): number | undefined {
  return timeOf(turn.ts);
}

/** Every rule that counts by time asks about the same moment: the last one is remembered. */
let latest: { readonly written: string; readonly at: number } = { written: "", at: Number.NaN };

function timeOf(written: string | undefined): number | undefined {
  if (written === undefined) return undefined;
  if (latest.written !== written) latest = { written, at: Date.parse(written) };
  return Number.isNaN(latest.at) ? undefined : latest.at;
}

function buildContext(request: JsonObject, response: JsonObject, situation: Situation): JsonObject {
  const context: Record<string, Json> = { ...situation, request, response };
  const model = member(request, "model") || member(response, "model");
  if (model !== undefined) context["model"] = model;
  const stopReason = member(response, "stop_reason");
  if (stopReason !== undefined) context["stop_reason"] = stopReason;
  return context;
}
