/**
 * One run as data, between the trace and any picture of it: turns with their calls, when they happened, which agent acted, what the
 * request brought that the one before had not, what the rules found. A terminal and a page show the same view, so that neither
 * reads a trace in a way of its own. Plain and JSON-safe: a page carries it.
 */
import type { FindingSeverity } from "../judgement/severity.ts";
import { type Json, type JsonObject, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import type { Evidence, OfferedTool, StandIn, ToolCall, ToolError, Trace, Turn, Usage } from "../trace/trace.ts";
import { lastUserText } from "../trace/user-text.ts";
import { coverageOf } from "./coverage.ts";
import type { Coverage } from "./report.ts";
import { createRequestReader, type RequestFacts } from "./request-facts.ts";
import { type RunClock, readClock, type Span } from "./run-clock.ts";
import { findWaits, type Wait } from "./run-waits.ts";
import { createShortener, type Shortener } from "./shorten-json.ts";
import { elapsedMs, usedTokens } from "./trace-totals.ts";

export interface RunView {
  readonly key: string;
  readonly name: string;
  readonly format: string;
  readonly path?: string;
  readonly agent?: string;
  readonly scenario?: string;
  readonly totals: RunTotals;
  /** `time`: what has a clock reading stands on it. `order`: nothing has, so one thing follows the other. */
  readonly axis: { readonly unit: "time"; readonly spanMs: number } | { readonly unit: "order" };
  readonly waits: readonly Wait[];
  /** The main agent first, then each sub-agent that was started, in the order in which they spoke. */
  readonly lanes: readonly Lane[];
  /** Calls before any response: all there is of an agent of which only the tools were watched. */
  readonly early: readonly RunCall[];
  readonly turns: readonly RunTurn[];
  /** What rules found about the run as a whole. */
  readonly findings?: readonly RunFinding[];
  /** Every system prompt of the run, once; turns name theirs by its place. */
  readonly systems: readonly string[];
  /** Every list of offered tools of the run, once. */
  readonly toolSets: readonly (readonly OfferedTool[])[];
  /** Requests that failed, and other errors that belong to no call. */
  readonly errors: readonly string[];
  readonly coverage: Coverage;
  /** What the reader wants people to know. */
  readonly notes: readonly string[];
  /** Characters of long texts that the view leaves out. */
  readonly cut?: number;
}

export interface RunTotals {
  readonly turns: number;
  readonly calls: number;
  readonly failed: number;
  readonly elapsedMs?: number;
  readonly tokens?: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  readonly costUsd?: number;
  /** How long the model, the tools and neither of them was at work. Sub-agents work while a tool runs, so these may overlap. */
  readonly modelMs?: number;
  readonly toolMs?: number;
  readonly waitingMs?: number;
}

export interface Lane {
  /** Absent for the main agent. */
  readonly agent?: string;
  /** Position of the call that started it. */
  readonly startedBy?: number;
}

export interface RunTurn extends RequestFacts {
  /** From 0. */
  readonly index: number;
  readonly lane: number;
  /** What the user said before it, unless that was said before an earlier turn. */
  readonly user?: string;
  readonly text?: string;
  readonly thinking?: readonly string[];
  readonly stop?: string;
  readonly model?: string;
  readonly ms?: number;
  readonly at?: Span;
  readonly usage?: Usage;
  readonly costUsd?: number;
  /** It came after a replay had left what was recorded. */
  readonly offPath?: true;
  readonly calls: readonly RunCall[];
  readonly findings?: readonly RunFinding[];
  /** The response as it was recorded. */
  readonly raw?: JsonObject;
}

export interface RunCall {
  /** Among all calls of the run, from 0. */
  readonly position: number;
  readonly id?: string;
  readonly name: string;
  readonly status: ToolCall["status"];
  readonly input?: Json;
  readonly output?: Json;
  readonly error?: ToolError;
  readonly ms?: number;
  readonly at?: Span;
  /** Calls that ran side by side share it. */
  readonly group?: string;
  readonly evidence?: Evidence;
  readonly standIn?: StandIn;
  readonly refused?: true;
  readonly approvals?: readonly string[];
  /** The sub-agent that this call started, as a place in `lanes`. */
  readonly starts?: number;
}

/** What a rule found in a turn. */
export interface RunFinding {
  readonly rule: string;
  readonly severity: FindingSeverity;
  readonly message: string;
}

export interface RunViewOptions {
  /** What rules found: by turn, from 0, and about the run as a whole. */
  readonly findings?:
    | { readonly turns: ReadonlyMap<number, readonly RunFinding[]>; readonly whole: readonly RunFinding[] }
    | undefined;
  /** What a turn cost, where its recording does not say. */
  readonly costOf?: (turn: Turn) => number | undefined;
  /** Longer texts are cut, and what was cut is counted; whole unless said. */
  readonly maxText?: number;
  /** Also the responses as they were recorded. */
  readonly raw?: boolean;
}

export function buildRunView(trace: Trace, options: RunViewOptions = {}): RunView {
  const clock = readClock(trace);
  const shorten = createShortener(options.maxText);
  const lanes = readLanes(trace);
  const requests = createRequestReader(shorten);
  const started = new Map<string, number>();
  for (const [lane, { parentCallId }] of lanes.keys.entries())
    if (parentCallId !== undefined && !started.has(parentCallId)) started.set(parentCallId, lane);
  const callOf = (call: ToolCall) => viewCall(call, clock, started, shorten);
  let said = "";
  const turns = trace.turns.map((turn): RunTurn => {
    const user = lastUserText(turn);
    const isNew = user !== "" && user !== said && turn.agent === undefined;
    said = user || said;
    const lane = lanes.of[turn.index]!;
    const offPathFrom = trace.recording?.offPathFrom;
    return present({
      index: turn.index,
      lane,
      user: isNew ? shorten.text(user) : undefined,
      text: turn.text === "" ? undefined : shorten.text(turn.text),
      thinking: turn.thinking?.map((text) => shorten.text(text)),
      stop: turn.stopReason,
      model: turn.model ?? turn.requestedModel,
      ms: turn.durationMs,
      at: clock.turns[turn.index],
      usage: turn.usage,
      costUsd: turn.costUsd ?? options.costOf?.(turn),
      offPath: offPathFrom !== undefined && turn.index >= offPathFrom ? (true as const) : undefined,
      ...requests.read(turn, lane),
      calls: turn.toolCalls.map(callOf),
      findings: options.findings?.turns.get(turn.index),
      raw: options.raw ? (shorten.json(turn.response) as JsonObject) : undefined,
    });
  });
  const early = trace.toolCalls.filter((call) => call.turnIndex < 0).map(callOf);
  const waits = findWaits(turns, early);
  const { source } = trace;
  const positions = new Map(trace.toolCalls.map(({ id, position }) => [id, position]));
  return present({
    key: trace.key,
    name: trace.name,
    format: source.format,
    path: source.path,
    agent: trace.agent,
    scenario: trace.scenario,
    totals: readTotals(trace, turns, waits),
    axis: waits.spanMs > 0 ? { unit: "time" as const, spanMs: waits.spanMs } : { unit: "order" as const },
    waits: waits.waits,
    lanes: lanes.keys.map(({ agent, parentCallId }) =>
      present({ agent, startedBy: parentCallId === undefined ? undefined : positions.get(parentCallId) }),
    ),
    early,
    turns,
    findings:
      options.findings === undefined || options.findings.whole.length === 0 ? undefined : options.findings.whole,
    systems: requests.systems,
    toolSets: requests.toolSets,
    errors: trace.records.flatMap(({ kind, payload }) => {
      // Telemetry keeps a call of the model that failed as a response that says why.
      if (kind === "chat_response") return stringMember(payload, "error") ?? [];
      return kind === "error" ? errorText(payload) : [];
    }),
    coverage: coverageOf([trace]),
    notes: source.notes ?? [],
    cut: shorten.cut || undefined,
  });
}

interface LaneKey {
  readonly agent: string | undefined;
  readonly parentCallId: string | undefined;
}

/** Sub-agents of one name that different calls started are different ones. */
function readLanes({ turns }: Trace): { readonly keys: readonly LaneKey[]; readonly of: readonly number[] } {
  const keys: LaneKey[] = [{ agent: undefined, parentCallId: undefined }];
  const known = new Map<string, number>([["", 0]]);
  const of = turns.map(({ agent, parentCallId }) => {
    const key = agent === undefined && parentCallId === undefined ? "" : `${parentCallId ?? ""}\n${agent ?? ""}`;
    const lane = known.get(key) ?? keys.length;
    if (lane === keys.length) {
      known.set(key, lane);
      keys.push({ agent, parentCallId });
    }
    return lane;
  });
  return { keys, of };
}

function viewCall(call: ToolCall, clock: RunClock, started: ReadonlyMap<string, number>, shorten: Shortener): RunCall {
  const { error } = call;
  return present({
    position: call.position,
    id: call.id,
    name: call.name,
    status: call.status,
    input: call.input === undefined ? undefined : shorten.json(call.input),
    output: call.output === undefined ? undefined : shorten.json(call.output),
    error: error?.message === undefined ? error : { ...error, message: shorten.text(error.message) },
    ms: call.durationMs,
    at: clock.calls[call.position],
    group: call.parallelGroup,
    evidence: call.evidence,
    standIn: call.standIn,
    refused: call.refused,
    approvals: call.approvals,
    starts: call.id === undefined ? undefined : started.get(call.id),
  });
}

function readTotals(trace: Trace, turns: readonly RunTurn[], { busy, spanMs, waits }: ReturnType<typeof findWaits>) {
  const used = usedTokens(trace);
  const costs = turns.flatMap(({ costUsd }) => (costUsd === undefined ? [] : [costUsd]));
  const hasClock = spanMs > 0;
  return present({
    turns: trace.turns.length,
    calls: trace.toolCalls.length,
    failed: trace.toolCalls.filter((call) => call.status === "error").length,
    elapsedMs: elapsedMs(trace),
    tokens: used?.total,
    cachedTokens: used?.cached || undefined,
    reasoningTokens: used?.reasoning || undefined,
    costUsd: costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0),
    modelMs: hasClock && busy.model > 0 ? busy.model : undefined,
    toolMs: hasClock && busy.tools > 0 ? busy.tools : undefined,
    waitingMs: hasClock ? waits.reduce((sum, { ms }) => sum + ms, 0) : undefined,
  });
}

function errorText(payload: Json): string {
  return stringMember(payload, "message") ?? stringMember(payload, "code") ?? "";
}
