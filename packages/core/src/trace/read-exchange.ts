/**
 * The payloads of a request and its response → what every lens asks of them, read once and typed. What the source did not say
 * is absent, and nothing is guessed. Cost: a few lookups; texts, parts and messages are those of the payload, not copies.
 */

import { joinText, responseParts } from "./content.ts";
import { isObject, type Json, type JsonObject, member, numberMember, stringMember } from "./json.ts";
import { type MessageList, messageList } from "./message-list.ts";
import type { Exchange, OfferedTool, Usage } from "./trace.ts";

export function readExchange(request: JsonObject, response: JsonObject): Exchange {
  const parts = responseParts(response);
  const exchange: OpenExchange = { request, response, parts, text: joinText(parts, "\n") };
  addWhatIsSaid(exchange, messageList(request));
  return exchange;
}

export type OpenExchange = { -readonly [K in keyof Exchange]: Exchange[K] };

/**
 * Adds what request and response say to an object that holds them; a turn is filled in place, because there are many. `previous` is
 * the exchange before it in the same trace.
 */
export function addWhatIsSaid(
  exchange: OpenExchange,
  messages: MessageList | undefined,
  previous?: Pick<Exchange, "request" | "offeredTools">,
): void {
  const { request, response, parts } = exchange;
  const requestedModel = stringMember(request, "model");
  const thinking = thinkingOf(parts);
  if (thinking !== undefined) exchange.thinking = thinking;
  const stopReason = stringMember(response, "stop_reason");
  if (stopReason !== undefined) exchange.stopReason = stopReason;
  const usage = readUsage(member(response, "usage"));
  if (usage !== undefined) exchange.usage = usage;
  const costUsd = numberMember(response, "cost_usd");
  if (costUsd !== undefined) exchange.costUsd = costUsd;
  if (member(response, "batch") === true) exchange.batch = true;
  const durationMs = numberMember(response, "latency_ms");
  if (durationMs !== undefined) exchange.durationMs = durationMs;
  const model = stringMember(response, "model");
  if (model !== undefined) exchange.model = model;
  if (requestedModel !== undefined) exchange.requestedModel = requestedModel;
  const system = systemPrompt(member(request, "system"), messages);
  if (system !== undefined) exchange.system = system;
  if (messages !== undefined) exchange.messages = messages;
  const offeredTools = offeredBy(member(request, "tools"), previous);
  if (offeredTools !== undefined) exchange.offeredTools = offeredTools;
  const settings = member(request, "params");
  if (isObject(settings)) exchange.settings = settings;
}

/** One text per thinking part; empty where the provider hides what was thought. */
function thinkingOf(parts: Exchange["parts"]): string[] | undefined {
  let thinking: string[] | undefined;
  for (const part of parts) {
    if (member(part, "type") !== "thinking") continue;
    thinking ??= [];
    thinking.push(stringMember(part, "thinking") ?? stringMember(part, "text") ?? "");
  }
  return thinking;
}

/** Token counts of a payload, in `.agentlog` names. */
export function readUsage(usage: Json | undefined): Usage | undefined {
  if (!isObject(usage)) return undefined;
  const read: { -readonly [K in keyof Usage]: Usage[K] } = {};
  const inputTokens = numberMember(usage, "input_tokens");
  if (inputTokens !== undefined) read.inputTokens = inputTokens;
  const outputTokens = numberMember(usage, "output_tokens");
  if (outputTokens !== undefined) read.outputTokens = outputTokens;
  const thinkingTokens = numberMember(usage, "thinking_tokens");
  if (thinkingTokens !== undefined) read.thinkingTokens = thinkingTokens;
  const cachedInputTokens = numberMember(usage, "cached_input_tokens");
  if (cachedInputTokens !== undefined) read.cachedInputTokens = cachedInputTokens;
  const cachedWrite5mTokens = numberMember(usage, "cached_write_5m_tokens");
  if (cachedWrite5mTokens !== undefined) read.cachedWrite5mTokens = cachedWrite5mTokens;
  const cachedWrite1hTokens = numberMember(usage, "cached_write_1h_tokens");
  if (cachedWrite1hTokens !== undefined) read.cachedWrite1hTokens = cachedWrite1hTokens;
  return read;
}

/** The `system` member and the leading system and developer messages, joined by a line break. */
function systemPrompt(top: Json | undefined, messages: MessageList | undefined): string | undefined {
  let prompt = top === undefined ? undefined : promptText(top);
  const length = messages?.length ?? 0;
  for (let index = 0; index < length; index++) {
    const message = messages!.at(index);
    const role = member(message, "role");
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
  if (typeof tool === "string") return tool;
  return stringMember(tool, "name") ?? stringMember(member(tool, "function"), "name");
}
