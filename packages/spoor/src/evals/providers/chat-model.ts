/**
 * A model asked directly. Tools of the target are offered to it; those with a canned `result` are answered, others from
 * recordings where `tools_from` names some, and the conversation goes on until the model stops calling, a tool has no result, or
 * `max_turns` is reached.
 */
import { readFile, stat } from "node:fs/promises";
import type { Json, JsonObject } from "@spoor/core";
import { clockOfMs } from "@spoor/core/internal/providers/clock";
import type { ModelResponse } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { toolDefinition } from "@spoor/core/internal/providers/encode-parts";
import type { ProviderApi } from "@spoor/core/internal/providers/provider-api";
import { numberMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { present } from "@spoor/core/internal/trace/present";
import { contentText } from "../../formats/content-text.ts";
import { type ChatOptions, type ChatPricing, type ChatSettings, type ChatTool, NO_PARAMETERS } from "./chat-options.ts";
import { httpCall } from "./http-call.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  type Provider,
  ProviderError,
  type ReceivedLine,
} from "./provider.ts";
import { openRecordedTools, type RecordedRun } from "./recorded-tools.ts";

/** Where and how an API is called; what goes over its wire is core's business (providers/). */
export interface ChatEndpoint {
  readonly api: ProviderApi;
  /** The format of formats/ that reads logs of its requests and responses. */
  readonly format: string;
  readonly apiKeyVariable: string | undefined;
  url(base: string): string;
  headers(apiKey: string | undefined): Record<string, string>;
  /** The limit of an answer under the name this API gives it. */
  limit(maxTokens: number | undefined): JsonObject;
  /** Adds what lesser endpoints leave out of a response. */
  complete?(document: Json): Json;
  /** The model's own message in a response, word for word as the next request must repeat it; undefined in anything else. */
  replyOf(response: Json): Json | undefined;
}

export function openChatModel(options: ChatOptions, folder: string, endpoint: ChatEndpoint): Provider {
  const settings: ChatSettings = {
    ...options,
    url: endpoint.url(options.baseUrl.replace(/\/+$/, "")),
    apiKeyVariable: endpoint.apiKeyVariable,
  };
  const recorded = options.toolsFrom === undefined ? undefined : openRecordedTools(options.toolsFrom, folder);
  return {
    async ask(request, context) {
      const world = await recorded?.open(request, context.now());
      return converse(world === undefined ? settings : inWorld(settings, world), endpoint, request, context, world);
    },
  };
}

/** What the target does not say, the recording does. */
function inWorld(settings: ChatSettings, { system, tools }: RecordedRun): ChatSettings {
  const systemPrompt = settings.systemPrompt ?? system;
  return {
    ...settings,
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    tools: settings.tools.length > 0 ? settings.tools : tools.flatMap(toolOf),
  };
}

function toolOf(definition: Json): ChatTool[] {
  const tool = toolDefinition(definition);
  if (tool === undefined) return [];
  return [present({ ...tool, parameters: tool.parameters ?? NO_PARAMETERS })];
}

async function converse(
  settings: ChatSettings,
  endpoint: ChatEndpoint,
  request: AgentRequest,
  context: AgentContext,
  world: RecordedRun | undefined,
): Promise<AgentAnswer> {
  const lines: ReceivedLine[] = [];
  const replies: ModelResponse[] = [];
  let body: JsonObject | undefined = await openingOf(settings, endpoint, request);
  for (let turn = 1; turn <= settings.maxTurns && body !== undefined; turn++) {
    context.activity(`turn ${turn}, waiting for the model`);
    const startedAt = context.now();
    const response = await askOnce(settings, endpoint, body, context);
    const at = context.now();
    const timestamp = clockOfMs(at)?.iso ?? null;
    lines.push({ value: { request: body, response, latency_ms: Math.round(at - startedAt), timestamp } });
    const reply = endpoint.api.reply(response, new UnknownCounter(), body);
    replies.push(reply);
    const results = resultsOf(reply, settings.tools, world);
    body = results === undefined ? undefined : withResults(body, response, results, endpoint);
  }
  const costUsd = costOf(replies, settings.pricing);
  const unfinished = `the model was still calling tools after ${settings.maxTurns} turns (max_turns)`;
  return {
    output: { format: endpoint.format, lines },
    ...(costUsd === undefined ? {} : { costUsd }),
    ...problemsOf([...(body === undefined ? [] : [unfinished]), ...(world?.problems() ?? [])]),
    ...(world === undefined ? {} : { served: world.served }),
  };
}

function problemsOf(problems: readonly string[]): Pick<AgentAnswer, "problems"> {
  return problems.length === 0 ? {} : { problems };
}

/** The results of all calls of a reply; undefined when it calls nothing, or a tool that nobody answers for. */
function resultsOf(
  { parts }: ModelResponse,
  tools: readonly ChatTool[],
  world: RecordedRun | undefined,
): JsonObject[] | undefined {
  const calls = parts.filter((part) => part["type"] === "tool_use");
  if (world !== undefined && calls.length > 0) {
    const canned = tools.flatMap(({ name, result }) => (result === undefined ? [] : [[name, result] as const]));
    return world.answer(calls, new Map(canned));
  }
  const results = calls.map((call) => tools.find((tool) => tool.name === call["name"])?.result);
  if (calls.length === 0 || results.includes(undefined)) return undefined;
  return calls.map((call, index) =>
    present({ role: "tool", tool_call_id: stringMember(call, "id"), content: contentText(results[index]) }),
  );
}

function withResults(
  body: JsonObject,
  response: Json,
  results: readonly JsonObject[],
  { api, replyOf }: ChatEndpoint,
): JsonObject {
  const encoded = api.messages(api.encodeRequest({ messages: results })) ?? [];
  return { ...body, messages: [...(api.messages(body) ?? []), replyOf(response)!, ...encoded] };
}

/** The first request. */
async function openingOf(
  settings: ChatSettings,
  { api, limit }: ChatEndpoint,
  request: AgentRequest,
): Promise<JsonObject> {
  const systems = settings.systemPrompt === undefined ? [] : [settings.systemPrompt];
  const messages: JsonObject[] = [];
  for (const message of request.messages) {
    const text = [message.text, ...(await Promise.all(message.files.map(attachment)))]
      .filter((part) => part !== "")
      .join("\n\n");
    if (message.role === "system" || message.role === "developer") systems.push(text);
    else if (message.role === "assistant") messages.push({ role: "assistant", content: [{ type: "text", text }] });
    else messages.push({ role: "user", content: text });
  }
  const system = systems.join("\n\n");
  const tools = settings.tools.map(({ name, description, parameters }) => present({ name, description, parameters }));
  return api.encodeRequest({
    model: settings.model,
    messages: [...(system === "" ? [] : [{ role: "system", content: system }]), ...messages],
    ...(tools.length === 0 ? {} : { tools }),
    params: present({ temperature: settings.temperature, ...limit(settings.maxTokens) }),
  });
}

const MAX_ATTACHMENT_BYTES = 4 * 1024 * 1024;

/** A model sees no paths: attached files travel inside the message. */
async function attachment(file: string): Promise<string> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) throw new ProviderError("missing", `the attached file ${file} does not exist`);
  if (info.size > MAX_ATTACHMENT_BYTES)
    throw new ProviderError("failed", `the attached file ${file} is larger than 4 MiB`);
  return `<file path="${file}">\n${await readFile(file, "utf8")}\n</file>`;
}

async function askOnce(
  settings: ChatSettings,
  endpoint: ChatEndpoint,
  body: Json,
  context: AgentContext,
): Promise<Json> {
  const apiKey =
    settings.apiKey ?? (settings.apiKeyVariable === undefined ? undefined : context.env[settings.apiKeyVariable]);
  if (apiKey === undefined && settings.apiKeyVariable !== undefined) {
    throw new ProviderError("missing", `no API key: set ${settings.apiKeyVariable}, or "api_key" of the target`);
  }
  const text = await httpCall({
    method: "POST",
    url: settings.url,
    headers: { "content-type": "application/json", ...endpoint.headers(apiKey), ...settings.headers },
    body: stringifyJson(body),
    signal: context.signal,
  });
  let document: Json;
  try {
    document = parseJson(text);
  } catch (error) {
    throw new ProviderError(
      "bad-output",
      `${settings.url} answered with something that is not JSON: ${(error as Error).message}`,
    );
  }
  const response = endpoint.complete?.(document) ?? document;
  if (endpoint.api.isResponse(response) && endpoint.replyOf(response) !== undefined) return response;
  throw new ProviderError("bad-output", `${settings.url} answered with something that is no response of this API`);
}

/** Only when every reply was counted: a sum with holes would look cheaper than the run was. */
function costOf(replies: readonly ModelResponse[], pricing: ChatPricing | undefined): number | undefined {
  const usages = replies.map(({ usage }) => usage);
  if (pricing === undefined || usages.includes(undefined)) return undefined;
  const sum = (...keys: readonly string[]) =>
    usages
      .flatMap((usage) => keys.map((key) => numberMember(usage, key) ?? 0))
      .reduce((total, count) => total + count, 0);
  const input = sum("input_tokens", "cached_write_5m_tokens", "cached_write_1h_tokens");
  const output = sum("output_tokens", "thinking_tokens");
  return (
    (input * pricing.input + output * pricing.output + sum("cached_input_tokens") * (pricing.cached ?? pricing.input)) /
    1e6
  );
}
