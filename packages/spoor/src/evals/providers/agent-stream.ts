/**
 * Builds output messages while a coding agent's events arrive: calls are opened when they start and closed when their
 * result comes, in the order in which they started. A call that never ends stays, with status `unknown`.
 */
import type { Json } from "@spoor/core";
import { present } from "@spoor/core/present";
import type { OutputMessage, OutputToolCall } from "../../formats/output-messages.ts";
import type { AgentContext, TokenUsage } from "./provider.ts";

interface OpenCall {
  tool: string;
  id: string;
  input: Json | undefined;
  output?: Json;
  status: string;
  startedAt: number;
  durationMs?: number;
  metadata?: Json;
}

interface OpenMessage {
  texts: string[];
  calls: OpenCall[];
  usage?: TokenUsage;
  model?: string;
  name?: string;
}

export class AgentStream {
  private readonly messages: OpenMessage[] = [];
  private readonly byId = new Map<string, OpenCall>();
  private readonly context: AgentContext;
  private readonly groups = new Map<string, OpenMessage>();
  /** Events that could not be read, each with its line. */
  readonly problems: string[] = [];

  constructor(context: AgentContext) {
    this.context = context;
  }

  /** Whether anything of the agent was seen: if not, there is no trace. */
  get isEmpty(): boolean {
    return this.messages.length === 0;
  }

  /**
   * Something said or called. Events with the same `group` are one model response; without a group, speech opens a new
   * message and calls join the latest one until a result has arrived.
   */
  message(group?: string): OpenMessage {
    const known = group === undefined ? undefined : this.groups.get(group);
    if (known !== undefined) return known;
    const message: OpenMessage = { texts: [], calls: [] };
    this.messages.push(message);
    if (group !== undefined) this.groups.set(group, message);
    return message;
  }

  say(text: string, group?: string): void {
    if (text === "") return;
    this.message(group).texts.push(text);
    this.context.activity(`turn ${this.messages.length}, reply`);
  }

  call(tool: string, id: string, input: Json | undefined, group?: string, metadata?: Json): void {
    if (this.byId.has(id)) return;
    const call: OpenCall = { tool, id, input, status: "unknown", startedAt: this.context.now() };
    if (metadata !== undefined) call.metadata = metadata;
    this.messageForCall(group).calls.push(call);
    this.byId.set(id, call);
    this.context.activity(`turn ${this.messages.length}, ${tool}`);
  }

  result(id: string, output: Json | undefined, failed: boolean, durationMs?: number): void {
    const call = this.byId.get(id);
    if (call === undefined) {
      this.problems.push(`a result belongs to no call (${id})`);
      return;
    }
    call.status = failed ? "error" : "ok";
    if (output !== undefined) call.output = output;
    call.durationMs = durationMs ?? Math.max(0, Math.round(this.context.now() - call.startedAt));
  }

  isOpen(id: string): boolean {
    return this.byId.get(id)?.status === "unknown";
  }

  finish(): OutputMessage[] {
    return this.messages
      .filter((message) => message.texts.length > 0 || message.calls.length > 0)
      .map(
        (message) =>
          present({
            role: "assistant",
            name: message.name,
            content: message.texts.length === 0 ? undefined : message.texts.join("\n"),
            tool_calls: message.calls.length === 0 ? undefined : message.calls.map(wireCall),
            token_usage: message.usage === undefined ? undefined : { ...message.usage },
            model: message.model,
          }) as OutputMessage,
      );
  }

  private messageForCall(group: string | undefined): OpenMessage {
    if (group !== undefined) return this.message(group);
    const latest = this.messages.at(-1);
    return latest === undefined || latest.calls.some((call) => call.status !== "unknown") ? this.message() : latest;
  }
}

function wireCall(call: OpenCall): OutputToolCall {
  return present({
    tool: call.tool,
    input: call.input,
    output: call.output,
    id: call.id,
    duration_ms: call.durationMs,
    status: call.status,
    metadata: call.metadata,
  }) as OutputToolCall;
}
