/**
 * Records, one after the other → turns and tool calls, in the order in which things were done.
 *
 * A call seen twice, as a block of a response and as a `tool_call` record (in either order), is one call. Results come
 * from `tool_result` records, from result parts inside a response, or from the tool messages of the next request.
 * Cost: one pass over the records; each request's messages are read backwards only as far as its tool results go.
 */

import { approvalOf, isApproved } from "./approval.ts";
import { parseArguments, parseCallShape } from "./call-shape.ts";
import { amountMember, isObject, type Json, type JsonObject, member, nameMember, stringMember } from "./json.ts";
import type { MessageList } from "./message-list.ts";
import { forgetContent, OpenCall, OpenTurn } from "./open-turn.ts";
import { isFailedCall, sessionTag } from "./pair-requests.ts";
import type { TraceRecord } from "./record.ts";
import { refusalOf } from "./refusal.ts";
import { isResultPart, resultOfPart, resultsIn } from "./request-results.ts";
import { isSameCall, isUniqueId, keepFuller } from "./same-call.ts";
import { ranInSequence } from "./side-by-side.ts";
import { errorKind, stepOfEvent, stepOfFailure } from "./steps.ts";
import { type Evidence, evidences, type StandIn, type Step, standIns, type ToolCall, type ToolError } from "./trace.ts";

/** What becomes a step, in order: a turn, a call, or the step itself. */
export type Done = OpenTurn | OpenCall | Step;

interface Built {
  readonly turns: OpenTurn[];
  readonly toolCalls: ToolCall[];
  readonly order: readonly Done[];
  /** Whether a replay served any call something in place of its result. */
  readonly servesStandIns: boolean;
  /** Calls that name no tool and were left out. */
  readonly nameless: number;
}

export class TurnBuilder {
  private readonly turns: OpenTurn[] = [];
  private readonly toolCalls: OpenCall[] = [];
  private readonly order: Done[] = [];
  /** Calls by id that still wait for a result or for their twin. */
  private readonly callsById = new Map<string, OpenCall>();
  /** Records whose block came later and stands for both; taken out all at once at the end, because looking each up is quadratic. */
  private readonly absorbed = new Set<OpenCall>();
  /** Calls that named no tool when they came; their other note may. */
  private readonly nameless: OpenCall[] = [];
  /** Calls of one response that nothing but the response says to be side by side. */
  private readonly askedTogether: OpenTurn[] = [];
  /** How many of a turn's calls those are: calls recorded after the response join the turn, but were not asked for by it. */
  private readonly askedCounts: number[] = [];
  private readonly latestOfTag = new Map<string, number>();
  private waiting = 0;
  private standalone = 0;
  private servesStandIns = false;

  /** `request` is the one that a response or an error answers; `messages` are its own, or those of a record that is a request. */
  add(record: TraceRecord, sessionIndex: number, request?: TraceRecord, messages?: MessageList): void {
    switch (record.kind) {
      case "chat_request":
        if (this.waiting > 0) this.readResultsOfRequest(messages);
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

  /** Of the turn that was added last only what was done stays. */
  forgetLatest(): void {
    forgetContent(this.turns.at(-1)!, this.turns.at(-2));
  }

  /** `onlyNamed`: a call that names no tool is left out, and counted. */
  finish(onlyNamed: boolean): Built {
    const { turns, toolCalls, order, absorbed, askedTogether, servesStandIns } = this;
    const leftOut = onlyNamed ? this.nameless.filter((call) => call.name === "" && !absorbed.has(call)) : [];
    for (const call of leftOut) absorbed.add(call);
    const nameless = leftOut.length;
    for (let index = 0; index < askedTogether.length; index++) {
      const asked = askedTogether[index]!.toolCalls;
      const count = this.askedCounts[index]!;
      const calls = asked.length === count ? asked : asked.slice(0, count);
      if (ranInSequence(calls)) for (const call of calls) delete call.parallelGroup;
    }
    return absorbed.size === 0
      ? { turns, toolCalls, order, servesStandIns, nameless }
      : { turns, ...this.withoutAbsorbed(), servesStandIns, nameless };
  }

  private withoutAbsorbed(): Pick<Built, "toolCalls" | "order"> {
    const isKept = (done: Done) => !this.absorbed.has(done as OpenCall);
    const losing = new Set<OpenTurn | undefined>();
    for (const { turnIndex } of this.absorbed) losing.add(this.turns[turnIndex]);
    for (const turn of losing) if (turn !== undefined) turn.toolCalls = turn.toolCalls.filter(isKept);
    const toolCalls = this.toolCalls.filter(isKept);
    for (let position = 0; position < toolCalls.length; position++) toolCalls[position]!.position = position;
    return { toolCalls, order: this.order.filter(isKept) };
  }

  private addResponse(
    record: TraceRecord,
    sessionIndex: number,
    request: TraceRecord | undefined,
    messages: MessageList | undefined,
  ): void {
    const turn = new OpenTurn(this.turns.length, sessionIndex, record, request, messages, this.turns.at(-1));
    const tag = sessionTag(record) ?? (request === undefined ? undefined : sessionTag(request));
    if (tag !== undefined) this.latestOfTag.set(tag, turn.index);
    this.turns.push(turn);
    this.order.push(turn);
    this.addBlocks(turn, record.meta ?? undefined);
  }

  private addBlocks(turn: OpenTurn, meta: JsonObject | undefined): void {
    for (const part of turn.parts) {
      const type = part["type"];
      if (type === "tool_use") this.addBlock(turn, part);
      else if (isResultPart(type)) this.applyResult(stringMember(part, "tool_use_id"), resultOfPart(part));
    }
    const group = stringMember(meta, "parallel_group");
    if (group !== undefined) for (const call of turn.toolCalls) call.parallelGroup = group;
    else if (turn.toolCalls.length > 1 && member(meta, "sequential") !== true) {
      const name = `turn-${turn.index}`;
      for (const call of turn.toolCalls) call.parallelGroup = name;
      this.askedTogether.push(turn);
      this.askedCounts.push(turn.toolCalls.length);
    }
  }

  private addBlock(turn: OpenTurn, part: JsonObject): void {
    const id = typeof part["id"] === "string" ? part["id"] : undefined;
    const call = new OpenCall(callName(part["name"]), turn.index, id, blockInput(part["input"]), turn.agent);
    const twin = id && this.standalone > 0 ? this.callsById.get(id) : undefined;
    if (twin?.standalone && isSameCall(twin, call) && this.mayMeet(twin, twin.turnIndex + 1, turn.index, turn.agent))
      this.absorb(twin, call);
    if (id) this.callsById.set(id, call);
    if (call.status === "unknown") this.waiting++;
    // Most turns make one call: a list that grows from nothing keeps room for sixteen more.
    if (turn.toolCalls.length === 0) turn.toolCalls = [call];
    else turn.toolCalls.push(call);
    this.keep(call);
  }

  /** The record came before its block: the block takes its place in the order and inherits what the record knew. */
  private absorb(record: OpenCall, block: OpenCall): void {
    this.absorbed.add(record);
    if (record.status === "unknown") this.waiting--;
    const { name, turnIndex: _turn, standalone: _standalone, position: _position, input, ...known } = record;
    Object.assign(block, known);
    if (block.name === "") block.name = name;
    keepFuller(block, input);
  }

  private addStandaloneCall(record: TraceRecord): void {
    const shape = isObject(record.payload) ? parseCallShape(record.payload) : {};
    const id = stringMember(record.payload, "tool_call_id");
    const turnIndex = this.latestTurn(record);
    const name = callName(member(record.payload, "tool_name") ?? shape.name);
    const input = parseArguments(member(record.payload, "arguments")) ?? shape.input;
    const known = id ? this.callsById.get(id) : undefined;
    if (
      known !== undefined &&
      isSameCall(known, input === undefined ? { name } : { name, input }) &&
      this.mayMeet(known, known.turnIndex + 1, turnIndex + 1, known.agent)
    ) {
      if (record.ts && known.startedAt === undefined) known.startedAt = record.ts;
      if (known.name === "") known.name = name;
      keepFuller(known, input);
      return;
    }
    const agent = nameMember(record.meta ?? undefined, "agent");
    const call = new OpenCall(name, turnIndex, id, input, agent);
    call.standalone = true;
    if (record.ts) call.startedAt = record.ts;
    const group = stringMember(record.meta ?? undefined, "parallel_group");
    if (group !== undefined) call.parallelGroup = group;
    if (id) this.callsById.set(id, call);
    this.waiting++;
    this.turns[turnIndex]?.toolCalls.push(call);
    this.standalone++;
    this.keep(call);
  }

  private keep(call: OpenCall): void {
    if (call.name === "") this.nameless.push(call);
    call.position = this.toolCalls.length;
    this.toolCalls.push(call);
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
    const durationMs = amountMember(payload, "latency_ms");
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

  private readResultsOfRequest(messages: MessageList | undefined): void {
    for (const result of resultsIn(messages)) this.applyResult(result.id, result);
  }

  private applyResult(id: string | undefined, result: CallResult): void {
    const call = id === undefined ? undefined : this.callsById.get(id);
    if (call === undefined) return;
    if (result.durationMs !== undefined) call.durationMs = result.durationMs;
    // A result may be told and seen: having seen it run is the better evidence, in either order.
    if (result.evidence !== undefined && call.evidence !== "ran") call.evidence = result.evidence;
    if (result.standIn !== undefined) {
      call.standIn = result.standIn;
      this.servesStandIns = true;
    }
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

function callName(name: Json | undefined): string {
  if (typeof name === "string") return name.trim() === "" ? "" : name;
  return name === undefined || name === null || typeof name === "object" ? "" : String(name);
}
