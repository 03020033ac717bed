/**
 * Turns and calls while they are built. Classes only because there are very many: objects of a class have room for all their members
 * from the beginning, where one that is filled bit by bit is moved again and again. To everyone else they are plain data.
 */
import { EMPTY_OBJECT, isObject, type Json, nameMember, stringMember } from "./json.ts";
import type { MessageList } from "./message-list.ts";
import { ReadExchange } from "./read-exchange.ts";
import type { TraceRecord } from "./record.ts";
import type { Evidence, OfferedTool, StandIn, ToolCall, ToolError, Turn } from "./trace.ts";

export class OpenTurn extends ReadExchange implements Turn {
  readonly index: number;
  sessionIndex: number;
  toolCalls: OpenCall[];
  declare readonly requestId?: string;
  declare readonly responseId?: string;
  declare readonly ts?: string;
  declare readonly agent?: string;
  declare readonly parentCallId?: string;

  constructor(
    index: number,
    sessionIndex: number,
    record: TraceRecord,
    request: TraceRecord | undefined,
    messages: MessageList | undefined,
    previous: OpenTurn | undefined,
  ) {
    super(payloadOf(request), payloadOf(record), messages, previous);
    this.index = index;
    this.sessionIndex = sessionIndex;
    this.toolCalls = [];
    if (request?.id !== undefined) this.requestId = request.id;
    if (record.id !== undefined) this.responseId = record.id;
    const ts = request?.ts || record.ts;
    if (ts) this.ts = ts;
    if (!record.meta) return;
    const agent = nameMember(record.meta, "agent");
    if (agent !== undefined) this.agent = agent;
    const parentCallId = stringMember(record.meta, "parent_tool_call_id");
    if (parentCallId !== undefined) this.parentCallId = parentCallId;
  }
}

const SAID = ["thinking", "system", "messages", "settings", "requestId", "responseId", "ts"] as const;
const NO_PARTS: OpenTurn["parts"] = [];

/** Only what was done stays. `previous` is the turn before it: most requests of a run offer the same tools. */
export function forgetContent(turn: Forgettable, previous: OpenTurn | undefined): void {
  turn.request = EMPTY_OBJECT;
  // Of one that failed the step still says how.
  if (turn.stopReason !== "error") turn.response = EMPTY_OBJECT;
  turn.parts = NO_PARTS;
  turn.text = "";
  // Not deleted: the engine would keep such an object as a table.
  for (const member of SAID) if (turn[member] !== undefined) turn[member] = undefined;
  if (turn.offeredTools !== undefined) turn.offeredTools = namesOnly(turn.offeredTools, previous?.offeredTools);
}

type Forgettable = {
  -readonly [K in keyof OpenTurn]: OpenTurn[K] | (K extends (typeof SAID)[number] ? undefined : never);
};

function namesOnly(offered: readonly OfferedTool[], previous: readonly OfferedTool[] = []): readonly OfferedTool[] {
  const isSame = offered.length === previous.length && offered.every(({ name }, at) => name === previous[at]!.name);
  return isSame ? previous : offered.map(({ name }) => ({ name, definition: null }));
}

function payloadOf(record: TraceRecord | undefined) {
  return record !== undefined && isObject(record.payload) ? record.payload : EMPTY_OBJECT;
}

export class OpenCall implements ToolCall {
  name: string;
  status: ToolCall["status"];
  readonly turnIndex: number;
  position: number;
  declare readonly id?: string;
  declare input?: Json;
  declare readonly agent?: string;
  declare standalone?: true;
  declare startedAt?: string;
  declare parallelGroup?: string;
  declare durationMs?: number;
  declare output?: Json;
  declare error?: ToolError;
  declare evidence?: Evidence;
  declare standIn?: StandIn;
  declare approvals?: readonly string[];
  declare refused?: true;

  constructor(
    name: string,
    turnIndex: number,
    id: string | undefined,
    input: Json | undefined,
    agent: string | undefined,
  ) {
    this.name = name;
    this.status = "unknown";
    this.turnIndex = turnIndex;
    this.position = -1;
    if (id) this.id = id;
    if (input !== undefined) this.input = input;
    if (agent !== undefined) this.agent = agent;
  }
}
