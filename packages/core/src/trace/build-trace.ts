/**
 * Records → trace: the one place where a file's lines become turns, tool calls and steps.
 *
 * A response is joined with the request it answers (pair-requests.ts); one that nothing answers is counted.
 * A call seen twice, as a block of a response and as a `tool_call` record (in either order), is one call. Results come
 * from `tool_result` records, from result parts inside a response, or from the tool messages of the next request.
 * Cost: one pass over the records; each request's messages are read backwards only as far as its tool results go.
 */

import { approvalOf, isApproved } from "./approval.ts";
import { parseArguments, parseCallShape } from "./call-shape.ts";
import { joinText, responseParts } from "./content.ts";
import { expandRequests } from "./expand-requests.ts";
import {
  EMPTY_OBJECT,
  isObject,
  type Json,
  type JsonObject,
  jsonEqual,
  member,
  numberMember,
  stringMember,
} from "./json.ts";
import { type MessageList, messagesOfRequest } from "./message-list.ts";
import { isFailedCall, pairRequests, sessionTag } from "./pair-requests.ts";
import { addWhatIsSaid } from "./read-exchange.ts";
import type { TraceRecord } from "./record.ts";
import { recordingFacts } from "./recording-facts.ts";
import { refusalOf } from "./refusal.ts";
import { refuseNewer } from "./refuse-newer.ts";
import { requestResults, resultOfPart } from "./request-results.ts";
import { cutSessions, type SessionOptions } from "./sessions.ts";
import { ranInSequence } from "./side-by-side.ts";
import { errorKind, stepOfCall, stepOfEvent, stepOfFailure, stepOfTurn } from "./steps.ts";
import {
  type Evidence,
  evidences,
  type Session,
  type StandIn,
  type Step,
  standIns,
  type ToolCall,
  type ToolError,
  type Trace,
  type TraceSource,
  type Turn,
} from "./trace.ts";
import { traceKey, traceName } from "./trace-name.ts";

export interface BuildTraceOptions extends SessionOptions {
  readonly source?: TraceSource;
}

export function buildTrace(written: readonly TraceRecord[], options: BuildTraceOptions = {}): Trace {
  const source = options.source ?? { format: "agentlog" };
  refuseNewer(written, source);
  const records = expandRequests(written, { path: source.path });
  const metadata = records.find((record) => record.kind === "metadata")?.payload;
  const messagesOf = records.map(messagesOfRequest);
  const pairs = pairRequests(records);
  const sessionOf = cutSessions(records, options, pairs, messagesOf);
  const builder = new TurnBuilder();
  for (let index = 0; index < records.length; index++) {
    // An element before the first is a lookup by name, which costs more than all the rest.
    const asked = pairs.requestOf[index]!;
    if (asked < 0) builder.add(records[index]!, sessionOf[index]!);
    else builder.add(records[index]!, sessionOf[index]!, records[asked], messagesOf[asked]);
  }
  const { turns, toolCalls, steps } = builder.finish();
  const id = traceId(records) || source.entry || source.path || "";
  const scenario = scenarioName(records, metadata);
  const facts = scenario === undefined ? { id, source } : { id, scenario, source };
  // Written out, because spreading costs more than building a short trace.
  const trace: Mutable<Trace> = {
    id,
    key: traceKey(facts),
    name: traceName(facts),
    source,
    metadata: isObject(metadata) ? metadata : EMPTY_OBJECT,
    sessions: collectSessions(records, sessionOf, turns),
    turns,
    toolCalls,
    steps,
    records,
  };
  if (scenario !== undefined) trace.scenario = scenario;
  const agent = agentName(records, metadata);
  if (agent !== undefined) trace.agent = agent;
  const recording = recordingFacts(records, pairs.unanswered, metadata, toolCalls);
  if (recording !== undefined) trace.recording = recording;
  return trace;
}

/** `meta.trace_id` of the first record that has one, else the first record's id, else empty. */
function traceId(records: readonly TraceRecord[]): string {
  for (const record of records) {
    const named = stringMember(record.meta ?? undefined, "trace_id");
    if (named !== undefined) return named;
  }
  return records[0]?.id ?? "";
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
type OpenCall = Mutable<ToolCall>;
type OpenTurn = Mutable<Omit<Turn, "toolCalls">> & { toolCalls: OpenCall[] };

/** What becomes a step: of a call only at the end, because its result may arrive later. */
type Done = Step | OpenCall;

function isStep(done: Done): done is Step {
  return "kind" in done;
}

class TurnBuilder {
  private readonly turns: OpenTurn[] = [];
  private readonly order: Done[] = [];
  /** Calls by id that still wait for a result or for their twin. */
  private readonly callsById = new Map<string, OpenCall>();
  /** Records whose block came later and stands for both; taken out all at once at the end, because looking each up is quadratic. */
  private readonly absorbed = new Set<OpenCall>();
  /** Calls of one response that nothing but the response says to be side by side. */
  private readonly askedTogether: (readonly OpenCall[])[] = [];
  private readonly latestOfTag = new Map<string, number>();
  private waiting = 0;

  /** `request` is the one that a response or an error answers, with its messages. */
  add(record: TraceRecord, sessionIndex: number, request?: TraceRecord, messages?: MessageList): void {
    switch (record.kind) {
      case "chat_request":
        if (this.waiting > 0) this.readResultsOfRequest(record.payload);
        break;
      case "chat_response":
        this.addResponse(record, sessionIndex, request, messages);
        break;
      case "tool_call":
        this.addStandaloneCall(record);
        break;
      case "tool_result":
        this.addResultRecord(record);
        break;
      case "error":
        if (request !== undefined && isFailedCall(record))
          this.order.push(stepOfFailure(record, request, this.latestTurn(record)));
        break;
      case "harness_event":
        this.addEvent(record);
        break;
    }
  }

  finish(): { turns: Turn[]; toolCalls: ToolCall[]; steps: Step[] } {
    for (const calls of this.askedTogether) {
      if (ranInSequence(calls)) for (const call of calls) delete call.parallelGroup;
    }
    const losing = new Set<OpenTurn | undefined>();
    for (const { turnIndex } of this.absorbed) losing.add(this.turns[turnIndex]);
    for (const turn of losing)
      if (turn !== undefined) turn.toolCalls = turn.toolCalls.filter((call) => !this.absorbed.has(call));
    const toolCalls: ToolCall[] = [];
    const steps: Step[] = [];
    for (const done of this.order) {
      if (isStep(done)) steps.push(done);
      else if (!this.absorbed.has(done)) {
        done.position = toolCalls.length;
        toolCalls.push(done);
        steps.push(stepOfCall(done));
      }
    }
    return { turns: this.turns, toolCalls, steps };
  }

  private addResponse(
    record: TraceRecord,
    sessionIndex: number,
    request: TraceRecord | undefined,
    messages: MessageList | undefined,
  ): void {
    const response = isObject(record.payload) ? record.payload : EMPTY_OBJECT;
    const asked = isObject(request?.payload) ? request.payload : EMPTY_OBJECT;
    const index = this.turns.length;
    const parts = responseParts(response);
    const turn: OpenTurn = {
      index,
      sessionIndex,
      request: asked,
      response,
      parts,
      text: joinText(parts, "\n"),
      toolCalls: [],
    };
    addWhatIsSaid(turn, messages, this.turns[index - 1]);
    if (request?.id !== undefined) turn.requestId = request.id;
    if (record.id !== undefined) turn.responseId = record.id;
    const ts = request?.ts || record.ts;
    if (ts) turn.ts = ts;
    if (record.meta) {
      const agent = stringMember(record.meta, "agent");
      if (agent !== undefined) turn.agent = agent;
      const parentCallId = stringMember(record.meta, "parent_tool_call_id");
      if (parentCallId !== undefined) turn.parentCallId = parentCallId;
    }
    const tag = sessionTag(record) ?? (request === undefined ? undefined : sessionTag(request));
    if (tag !== undefined) this.latestOfTag.set(tag, index);
    this.turns.push(turn);
    this.order.push(stepOfTurn(turn));
    this.addBlocks(turn, record.meta ?? undefined);
  }

  private addBlocks(turn: OpenTurn, meta: JsonObject | undefined): void {
    for (const part of turn.parts) {
      const type = member(part, "type");
      if (type === "tool_use") this.addBlock(turn, part);
      else if (type === "tool_result") this.applyResult(stringMember(part, "tool_use_id"), resultOfPart(part));
    }
    const group = stringMember(meta, "parallel_group");
    if (group !== undefined) for (const call of turn.toolCalls) call.parallelGroup = group;
    else if (turn.toolCalls.length > 1 && member(meta, "sequential") !== true) {
      for (const call of turn.toolCalls) call.parallelGroup = `turn-${turn.index}`;
      // A copy: calls recorded after the response join the turn, but were not asked for by it.
      this.askedTogether.push([...turn.toolCalls]);
    }
  }

  private addBlock(turn: OpenTurn, part: JsonObject): void {
    const id = stringMember(part, "id");
    const input = blockInput(member(part, "input"));
    const call: OpenCall = {
      name: callName(member(part, "name")),
      status: "unknown",
      turnIndex: turn.index,
      position: -1,
    };
    if (id) call.id = id;
    if (input !== undefined) call.input = input;
    if (turn.agent !== undefined) call.agent = turn.agent;
    const twin = id ? this.callsById.get(id) : undefined;
    if (twin?.standalone && isSameCall(twin, call) && this.mayMeet(twin, twin.turnIndex + 1, turn.index, turn.agent))
      this.absorb(twin, call);
    if (id) this.callsById.set(id, call);
    if (call.status === "unknown") this.waiting++;
    // Most turns make one call: a list that grows from nothing keeps room for sixteen more.
    if (turn.toolCalls.length === 0) turn.toolCalls = [call];
    else turn.toolCalls.push(call);
    this.order.push(call);
  }

  /** The record came before its block: the block takes its place in the order and inherits what the record knew. */
  private absorb(record: OpenCall, block: OpenCall): void {
    this.absorbed.add(record);
    if (record.status === "unknown") this.waiting--;
    const { name: _name, turnIndex: _turn, standalone: _standalone, position: _position, input, ...known } = record;
    Object.assign(block, known);
    keepFuller(block, input);
  }

  private addStandaloneCall(record: TraceRecord): void {
    const shape = isObject(record.payload) ? parseCallShape(record.payload) : {};
    const id = stringMember(record.payload, "tool_call_id");
    const turnIndex = this.latestTurn(record);
    const call: OpenCall = {
      name: callName(member(record.payload, "tool_name") ?? shape.name),
      status: "unknown",
      turnIndex,
      position: -1,
      standalone: true,
    };
    const input = parseArguments(member(record.payload, "arguments")) ?? shape.input;
    const known = id ? this.callsById.get(id) : undefined;
    if (
      known !== undefined &&
      isSameCall(known, input === undefined ? call : { ...call, input }) &&
      this.mayMeet(known, known.turnIndex + 1, turnIndex + 1, known.agent)
    ) {
      if (record.ts && known.startedAt === undefined) known.startedAt = record.ts;
      keepFuller(known, input);
      return;
    }
    if (id) call.id = id;
    if (input !== undefined) call.input = input;
    if (record.ts) call.startedAt = record.ts;
    const group = stringMember(record.meta ?? undefined, "parallel_group");
    if (group !== undefined) call.parallelGroup = group;
    const agent = stringMember(record.meta ?? undefined, "agent");
    if (agent !== undefined) call.agent = agent;
    if (id) this.callsById.set(id, call);
    this.waiting++;
    this.turns[turnIndex]?.toolCalls.push(call);
    this.order.push(call);
  }

  /**
   * Whether two notes with one id may be about one call although turns lie between them: only sub-agents of `agent` spoke, while
   * its next call waited; or the id is one that nobody gives out twice, and its call has not ended.
   */
  private mayMeet(known: OpenCall, from: number, upTo: number, agent: string | undefined): boolean {
    if (known.status === "unknown" && isUniqueId(known.id!)) return true;
    for (let index = from; index < upTo; index++) {
      const turn = this.turns[index]!;
      if (turn.parentCallId === undefined && turn.agent === agent) return false;
    }
    return true;
  }

  /** The turn after which a record stands: the latest one, of its own conversation where it says which. */
  private latestTurn(record: TraceRecord): number {
    const tag = sessionTag(record);
    return (tag === undefined ? undefined : this.latestOfTag.get(tag)) ?? this.turns.length - 1;
  }

  private addResultRecord({ payload, meta }: TraceRecord): void {
    const result: CallResult = { failed: member(payload, "is_error") === true };
    const output = member(payload, "output");
    if (output !== undefined) result.output = output;
    const durationMs = numberMember(payload, "latency_ms");
    if (durationMs !== undefined) result.durationMs = durationMs;
    const kind = errorKind(payload);
    if (kind !== undefined) result.kind = kind;
    if (meta) {
      const evidence = evidences.find((one) => one === member(meta, "evidence"));
      if (evidence !== undefined) result.evidence = evidence;
      const standIn = standIns.find((one) => one === member(meta, "stand_in"));
      if (standIn !== undefined) result.standIn = standIn;
    }
    this.applyResult(stringMember(payload, "tool_call_id"), result);
  }

  private readResultsOfRequest(payload: Json): void {
    for (const { id, ...result } of requestResults(payload)) this.applyResult(id, result);
  }

  private applyResult(id: string | undefined, result: CallResult): void {
    const call = id === undefined ? undefined : this.callsById.get(id);
    if (call === undefined) return;
    if (result.durationMs !== undefined) call.durationMs = result.durationMs;
    // A result may be told and seen: having seen it run is the better evidence, in either order.
    if (result.evidence !== undefined && call.evidence !== "ran") call.evidence = result.evidence;
    if (result.standIn !== undefined) call.standIn = result.standIn;
    if (call.status !== "unknown") return;
    this.waiting--;
    call.status = result.failed ? "error" : "ok";
    if (result.output !== undefined) call.output = result.output;
    if (result.failed) call.error = toolError(result);
  }

  private addEvent(record: TraceRecord): void {
    const approval = approvalOf(record);
    const call = approval === undefined ? undefined : this.callsById.get(approval.id);
    if (call !== undefined && isApproved(call, approval!))
      call.approvals = [...(call.approvals ?? []), ...approval!.rules];
    const refused = refusalOf(record);
    const unrun = refused === undefined ? undefined : this.callsById.get(refused);
    if (unrun !== undefined) unrun.refused = true;
    const step = stepOfEvent(record, this.latestTurn(record));
    if (step !== undefined) this.order.push(step);
  }
}

interface CallResult {
  failed: boolean;
  output?: Json;
  durationMs?: number;
  kind?: string;
  evidence?: Evidence;
  standIn?: StandIn;
}

function toolError(result: CallResult): ToolError {
  const error: { message?: string; kind?: string } = {};
  if (typeof result.output === "string") error.message = result.output;
  else if (typeof member(result.output, "message") === "string")
    error.message = stringMember(result.output, "message")!;
  if (result.kind !== undefined) error.kind = result.kind;
  return error;
}

/** Arguments of a block are an object; some writers leave them as the text that the model produced. */
function blockInput(input: Json | undefined): Json | undefined {
  return typeof input === "string" && /^\s*[[{"]/.test(input) ? parseArguments(input) : input;
}

/**
 * Whether two notes with one id are about one call. Ids are used again (some servers count from 0 in every turn), so the tool and
 * the arguments must agree as well; one that lacks them, or has fewer because defaults were filled in, agrees.
 */
function isSameCall(left: OpenCall, right: OpenCall): boolean {
  if (left.name !== "" && right.name !== "" && left.name !== right.name) return false;
  // Arguments that nobody can read (a language's own notation instead of JSON) say neither yes nor no.
  const isUnread = typeof left.input === "string" || typeof right.input === "string";
  if (isUnread && isUniqueId(left.id ?? right.id ?? "")) return true;
  return holdsAll(left.input, right.input) || holdsAll(right.input, left.input);
}

function holdsAll(whole: Json | undefined, part: Json | undefined): boolean {
  if (part === undefined || jsonEqual(whole, part) || jsonEqual(unwrapped(whole), part)) return true;
  if (!isObject(whole) || !isObject(part)) return false;
  return Object.keys(part).every((key) => Object.hasOwn(whole, key) && jsonEqual(whole[key], part[key]));
}

/** Telemetry writes down what a wrapper was called with: `{"input": {…}}`. */
function unwrapped(input: Json | undefined): Json | undefined {
  const keys = isObject(input) ? Object.keys(input) : [];
  return keys.length === 1 && WRAPPERS.has(keys[0]!) ? member(input, keys[0]!) : undefined;
}

const WRAPPERS: ReadonlySet<string> = new Set(["input", "inputs", "args", "arguments", "kwargs", "parameters"]);

/** Long enough to be drawn at random; `call_0` and `1` are counted, and counted anew. */
function isUniqueId(id: string): boolean {
  return id.length >= 16 && /[0-9]/.test(id) && /[A-Za-z]/.test(id);
}

/** Of two notes about one call, the arguments of the one that knows more. */
function keepFuller(call: OpenCall, input: Json | undefined): void {
  if (input === undefined || (typeof input === "string" && call.input !== undefined)) return;
  if (!holdsAll(call.input, input) && !jsonEqual(unwrapped(input), call.input)) call.input = input;
}

function callName(name: Json | undefined): string {
  if (typeof name === "string") return name;
  return name === undefined || name === null || typeof name === "object" ? "" : String(name);
}

function collectSessions(
  records: readonly TraceRecord[],
  sessionOf: readonly number[],
  turns: readonly Turn[],
): Session[] {
  const sessions: { index: number; turns: Turn[]; records: TraceRecord[] }[] = [];
  const sessionAt = (index: number) => {
    while (sessions.length <= index) sessions.push({ index: sessions.length, turns: [], records: [] });
    return sessions[index]!;
  };
  for (let index = 0; index < records.length; index++) sessionAt(sessionOf[index]!).records.push(records[index]!);
  for (const turn of turns) sessionAt(turn.sessionIndex).turns.push(turn);
  return sessions;
}

function agentName(records: readonly TraceRecord[], metadata: Json | undefined): string | undefined {
  return (
    stringMember(metadata, "agent") ??
    stringMember(metadata, "agent_id") ??
    stringMember(member(metadata, "tags"), "agent") ??
    stringMember(records[0]?.meta ?? undefined, "agent_id")
  );
}

/** The task a run worked on, under any of the names it goes by. */
function scenarioName(records: readonly TraceRecord[], metadata: Json | undefined): string | undefined {
  const meta = records[0]?.meta ?? undefined;
  const tags = member(metadata, "tags");
  for (const key of ["scenario_id", "scenario", "task_id", "case"]) {
    for (const place of [meta, metadata, tags]) {
      const value = member(place, key);
      if (typeof value === "string" && value !== "") return value;
      if (typeof value === "number" || typeof value === "bigint") return String(value);
    }
  }
  return undefined;
}
