/**
 * The payloads of a request and its response → what every lens asks of them, read once and typed. What the source did not say
 * is absent, and nothing is guessed. Cost: a few lookups; texts, parts and messages are those of the payload, not copies.
 */

import { joinText, responseParts } from "./content.ts";
import { amount, isObject, type Json, type JsonObject, member, nameMember, stringMember } from "./json.ts";
import { type MessageList, messageList } from "./message-list.ts";
import type { Exchange, OfferedTool, Usage } from "./trace.ts";

export function readExchange(request: JsonObject, response: JsonObject): Exchange {
  return new ReadExchange(request, response, messageList(request));
}

/**
 * An exchange as a class, because turns are made by the thousand: its objects have room for all their members from the beginning. Members
 * are read by their names and not through `member`: none of these names is one that every object inherits.
 */
export class ReadExchange implements Exchange {
  readonly request: JsonObject;
  readonly response: JsonObject;
  readonly parts: Exchange["parts"];
  readonly text: string;
  declare readonly thinking?: readonly string[];
  declare readonly stopReason?: string;
  declare readonly usage?: Usage;
  declare readonly costUsd?: number;
  declare readonly batch?: true;
  declare readonly durationMs?: number;
  declare readonly model?: string;
  declare readonly requestedModel?: string;
  declare readonly system?: string;
  declare readonly messages?: MessageList;
  declare readonly offeredTools?: readonly OfferedTool[];
  declare readonly settings?: JsonObject;

  /** `previous` is the exchange before it in the same trace. */
  constructor(
    request: JsonObject,
    response: JsonObject,
    messages: MessageList | undefined,
    previous?: Pick<Exchange, "request" | "offeredTools">,
  ) {
    const parts = responseParts(response);
    this.request = request;
    this.response = response;
    this.parts = parts;
    this.text = joinText(parts, "\n");
    const thinking = thinkingOf(parts);
    if (thinking !== undefined) this.thinking = thinking;
    const stopReason = response["stop_reason"];
    if (typeof stopReason === "string") this.stopReason = stopReason;
    const usage = readUsage(response["usage"]);
    if (usage !== undefined) this.usage = usage;
    const costUsd = amount(response["cost_usd"]);
    if (costUsd !== undefined) this.costUsd = costUsd;
    if (response["batch"] === true) this.batch = true;
    const durationMs = amount(response["latency_ms"]);
    if (durationMs !== undefined) this.durationMs = durationMs;
    const model = nameMember(response, "model");
    if (model !== undefined) this.model = model;
    const requestedModel = nameMember(request, "model");
    if (requestedModel !== undefined) this.requestedModel = requestedModel;
    const system = systemPrompt(request["system"], messages);
    if (system !== undefined) this.system = system;
    if (messages !== undefined) this.messages = messages;
    const offeredTools = offeredBy(request["tools"], previous);
    if (offeredTools !== undefined) this.offeredTools = offeredTools;
    const settings = request["params"];
    if (isObject(settings)) this.settings = settings;
  }
}

/** One text per thinking part; empty where the provider hides what was thought. */
function thinkingOf(parts: Exchange["parts"]): string[] | undefined {
  let thinking: string[] | undefined;
  for (const part of parts) {
    if (part["type"] !== "thinking") continue;
    thinking ??= [];
    thinking.push(stringMember(part, "thinking") ?? stringMember(part, "text") ?? "");
  }
  return thinking;
}

/** Token counts of a payload, in `.agentlog` names. */
export function readUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const read: { -readonly [K in keyof Usage]: Usage[K] } = {};
  const inputTokens = amount(usage["input_tokens"]);
  if (inputTokens !== undefined) read.inputTokens = inputTokens;
  const outputTokens = amount(usage["output_tokens"]);
  if (outputTokens !== undefined) read.outputTokens = outputTokens;
  const thinkingTokens = amount(usage["thinking_tokens"]);
  if (thinkingTokens !== undefined) read.thinkingTokens = thinkingTokens;
  const cachedInputTokens = amount(usage["cached_input_tokens"]);
  if (cachedInputTokens !== undefined) read.cachedInputTokens = cachedInputTokens;
  const cachedWrite5mTokens = amount(usage["cached_write_5m_tokens"]);
  if (cachedWrite5mTokens !== undefined) read.cachedWrite5mTokens = cachedWrite5mTokens;
  const cachedWrite1hTokens = amount(usage["cached_write_1h_tokens"]);
  if (cachedWrite1hTokens !== undefined) read.cachedWrite1hTokens = cachedWrite1hTokens;
  return read;
}

/** The `system` member and the leading system and developer messages, joined by a line break. */
function systemPrompt(top: Json | undefined, messages: MessageList | undefined): string | undefined {
  let prompt = top === undefined ? undefined : promptText(top);
  const length = messages?.length ?? 0;
  for (let index = 0; index < length; index++) {
    const message = messages!.at(index);
    const role = isObject(message) ? message["role"] : undefined;
    if (role !== "system" && role !== "developer") break;
    const text = promptText(member(message, "content"));
    prompt = prompt === undefined ? text : `${prompt}\n${text}`;
  }
  return prompt;
}

function promptText(content: Json | undefined): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content.map((part) => (typeof part === "string" ? part : (stringMember(part, "text") ?? ""))).join("\n");
}

/**
 * Importers give every request of a conversation the same list, which is read once. Beyond one trace nothing is remembered: an
 * agent may change its list in place between two readings.
 */
function offeredBy(
  tools: Json | undefined,
  previous: Pick<Exchange, "request" | "offeredTools"> | undefined,
): readonly OfferedTool[] | undefined {
  if (!Array.isArray(tools)) return undefined;
  if (previous !== undefined && member(previous.request, "tools") === tools) return previous.offeredTools;
  const offered: OfferedTool[] = [];
  for (const tool of tools) {
    const name = toolNameOf(tool);
    if (name === undefined) continue;
    const readOnly = readOnlyOf(member(tool, "annotations") ?? member(member(tool, "function"), "annotations"));
    offered.push(readOnly === undefined ? { name, definition: tool } : { name, definition: tool, readOnly });
  }
  return offered;
}

/** A destructive tool is not read-only, whatever else it says of itself. */
function readOnlyOf(annotations: Json | undefined): boolean | undefined {
  if (member(annotations, "destructiveHint") === true) return false;
  const hint = member(annotations, "readOnlyHint");
  return typeof hint === "boolean" ? hint : undefined;
}

/** The name of a tool as a request offers it: written flat, inside `function`, or as its bare name. */
export function toolNameOf(tool: Json): string | undefined {
  if (typeof tool === "string") return tool.trim() === "" ? undefined : tool;
  return nameMember(tool, "name") ?? nameMember(member(tool, "function"), "name");
}
