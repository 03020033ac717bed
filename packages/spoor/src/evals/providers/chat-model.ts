/**
 * A model asked directly. Tools of the target are offered to it; those with a canned `result` are answered, others from
 * recordings where `tools_from` names some, and the conversation goes on until the model stops calling, a tool has no result, or
 * `max_turns` is reached.
 */

import { stat } from "node:fs/promises";
import type { Json, JsonObject } from "@spoor/core";
import type { ReachedLimit } from "@spoor/core/internal/evals/run-ending";
import { totalTokens } from "@spoor/core/internal/evals/total-tokens";
import type { TokenUsage } from "@spoor/core/internal/evaluators/evaluation";
import { clockOfMs } from "@spoor/core/internal/providers/clock";
import type { ModelResponse } from "@spoor/core/internal/providers/conversation";
import { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { toolDefinition } from "@spoor/core/internal/providers/encode-parts";
import type { ProviderApi } from "@spoor/core/internal/providers/provider-api";
import { numberMember, stringifyJson, stringMember } from "@spoor/core/internal/trace/json";
import { parseJson } from "@spoor/core/internal/trace/parse-json";
import { present } from "@spoor/core/internal/trace/present";
import { contentText } from "../../formats/content-text.ts";
import { readWholeText } from "../../load/read-text.ts";
import { passedLimit, type Spent } from "../run-meter.ts";
import { sendDirectly } from "../servers/model-servers.ts";
import type { Sent } from "../servers/server-door.ts";
import { priceTokens } from "../token-prices.ts";
import { type ChatOptions, type ChatSettings, type ChatTool, NO_PARAMETERS } from "./chat-options.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  type InputMessage,
  type Provider,
  ProviderError,
  type ReceivedLine,
  type Session,
} from "./provider.ts";
import { openRecordedTools, type RecordedRun } from "./recorded-tools.ts";

/** Where and how an API is called; what goes over its wire is core's business (providers/). */
export interface ChatEndpoint {
  readonly provider: string;
  readonly api: ProviderApi;
  /** The format of formats/ that reads logs of its requests and responses. */
  readonly format: string;
  readonly apiKeyVariable: string | undefined;
  url(base: string): string;
  headers(apiKey: string | undefined): Record<string, string>;
  /** The limit of an answer under the name this API gives it. */
  limit(maxTokens: number | undefined): JsonObject;
  /** How long to think, under the name this API gives it. */
  effort(effort: string): JsonObject;
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
    ask: (request, context) => openSession().say(request, context),
    converse: openSession,
  };

  function openSession(): Session {
    let world: RecordedRun | undefined;
    let own = settings;
    /** The request that the next message goes on from. */
    let body: JsonObject | undefined;
    return {
      async say(request, context) {
        if (body === undefined) {
          world = await recorded?.open(request, context.now());
          own = world === undefined ? settings : inWorld(settings, world);
          body = await openingOf(own, endpoint, request);
        } else {
          body = withMore(body, endpoint, await spoken(request.messages));
        }
        const { answer, next } = await converse(own, endpoint, body, request, context, world);
        body = next;
        return answer;
      },
    };
  }
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
  opening: JsonObject,
  request: AgentRequest,
  context: AgentContext,
  world: RecordedRun | undefined,
): Promise<{ readonly answer: AgentAnswer; readonly next: JsonObject }> {
  const lines: ReceivedLine[] = [];
  const replies: ModelResponse[] = [];
  const sent: Sent<Json>[] = [];
  const problems: string[] = [];
  const maxTurns = request.limits?.turns ?? settings.maxTurns;
  let failure: ProviderError | undefined;
  let limit: ReachedLimit | undefined;
  let body: JsonObject | undefined = opening;
  let next = opening;
  let isOver = false;
  for (let turn = 1; body !== undefined && limit === undefined; turn++) {
    if (turn > maxTurns) {
      limit = { kind: "turns", at: maxTurns };
      break;
    }
    context.activity(`turn ${turn}, waiting for the model`);
    let got: Sent<Json>;
    try {
      got = await askOnce(settings, endpoint, body, context);
    } catch (error) {
      failure = cutShort(error, context, lines.length);
      break;
    }
    const response = got.answer;
    const timestamp = clockOfMs(context.now())?.iso ?? null;
    lines.push({ value: { request: body, response, latency_ms: Math.round(got.latencyMs), timestamp } });
    const reply = endpoint.api.reply(response, new UnknownCounter(), body);
    replies.push(reply);
    sent.push(got);
    problems.push(...brokenArguments(reply, turn));
    const results = resultsOf(reply, settings.tools, world);
    isOver = results === undefined && reply.parts.some((part) => part["type"] === "tool_use");
    next = withReply(body, response, endpoint);
    body = results === undefined ? undefined : withResults(body, response, results, endpoint);
    // What is over is not ended: a limit is reached only by who would go on.
    if (body !== undefined) limit = passedLimit(spentOn(replies, request), request.limits ?? {});
  }
  const answer: AgentAnswer = {
    output: { format: endpoint.format, lines },
    untimedResults: true,
    ...(failure === undefined ? {} : { failure }),
    ...(limit === undefined ? {} : { limit }),
    ...cachedShare(replies.filter((_, index) => sent[index]!.fromCache)),
    ...problemsOf([...problems, ...(world?.problems() ?? [])]),
    ...(isOver || body !== undefined ? { isOver: true } : {}),
    ...(world === undefined ? {} : { served: world.served }),
    forget: async () => {
      await Promise.all(sent.map((one) => one.forget()));
    },
  };
  return { answer, next };
}

/** What was said before the time was up, or before the server went away, is kept; before the first word there is nothing. */
function cutShort(error: unknown, { signal }: AgentContext, turns: number): ProviderError {
  if (turns === 0) throw error;
  if (error instanceof ProviderError) return error;
  if (!signal.aborted) throw error;
  return new ProviderError("timeout", "the model was still at work", { cause: error });
}

function brokenArguments({ parts }: ModelResponse, turn: number): string[] {
  const calls = parts.filter((part) => part["type"] === "tool_use" && typeof part["input"] === "string");
  return calls.map((call) => `turn ${turn}: the arguments of ${contentText(call["name"])} are not JSON`);
}

function spentOn(replies: readonly ModelResponse[], { prices }: AgentRequest): Spent {
  const usage = tokensOf(replies);
  if (usage === undefined) return {};
  return { tokens: totalTokens(usage), costUsd: prices === undefined ? undefined : priceTokens(usage, prices) };
}

function cachedShare(replies: readonly ModelResponse[]): Pick<AgentAnswer, "fromCache"> {
  if (replies.length === 0) return {};
  const usage = tokensOf(replies);
  return { fromCache: { requests: replies.length, ...(usage === undefined ? {} : { usage }) } };
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
  endpoint: ChatEndpoint,
): JsonObject {
  return withMore(withReply(body, response, endpoint), endpoint, results);
}

function withReply(body: JsonObject, response: Json, { api, replyOf }: ChatEndpoint): JsonObject {
  return { ...body, messages: [...(api.messages(body) ?? []), replyOf(response)!] };
}

function withMore(body: JsonObject, { api }: ChatEndpoint, messages: readonly JsonObject[]): JsonObject {
  const encoded = api.messages(api.encodeRequest({ messages: [...messages] })) ?? [];
  return { ...body, messages: [...(api.messages(body) ?? []), ...encoded] };
}

/** The first request. */
async function openingOf(
  settings: ChatSettings,
  { api, limit, effort }: ChatEndpoint,
  request: AgentRequest,
): Promise<JsonObject> {
  const systems = settings.systemPrompt === undefined ? [] : [settings.systemPrompt];
  const isSystem = ({ role }: InputMessage) => role === "system" || role === "developer";
  for (const message of request.messages.filter(isSystem)) systems.push(await textOf(message));
  const messages = await spoken(request.messages.filter((message) => !isSystem(message)));
  const system = systems.join("\n\n");
  const tools = settings.tools.map(({ name, description, parameters }) => present({ name, description, parameters }));
  return api.encodeRequest({
    model: settings.model,
    messages: [...(system === "" ? [] : [{ role: "system", content: system }]), ...messages],
    ...(tools.length === 0 ? {} : { tools }),
    params: present({
      temperature: settings.temperature,
      seed: settings.seed,
      ...limit(settings.maxTokens),
      ...(settings.reasoningEffort === undefined ? {} : effort(settings.reasoningEffort)),
    }),
  });
}

function spoken(messages: readonly InputMessage[]): Promise<JsonObject[]> {
  return Promise.all(
    messages.map(async (message): Promise<JsonObject> => {
      const text = await textOf(message);
      if (message.role === "assistant") return { role: "assistant", content: [{ type: "text", text }] };
      return { role: "user", content: text };
    }),
  );
}

async function textOf({ text, files }: InputMessage): Promise<string> {
  const parts = [text, ...(await Promise.all(files.map(attachment)))];
  return parts.filter((part) => part !== "").join("\n\n");
}

const MAX_ATTACHMENT_BYTES = 4 * 1024 * 1024;

/** A model sees no paths: attached files travel inside the message. */
async function attachment(file: string): Promise<string> {
  const info = await stat(file).catch(() => undefined);
  if (info === undefined) throw new ProviderError("missing", `the attached file ${file} does not exist`);
  if (info.size > MAX_ATTACHMENT_BYTES)
    throw new ProviderError("failed", `the attached file ${file} is larger than 4 MiB`);
  return `<file path="${file}">\n${readWholeText(file)}\n</file>`;
}

async function askOnce(
  settings: ChatSettings,
  endpoint: ChatEndpoint,
  body: Json,
  context: AgentContext,
): Promise<Sent<Json>> {
  const apiKey =
    settings.apiKey ?? (settings.apiKeyVariable === undefined ? undefined : context.env[settings.apiKeyVariable]);
  if (apiKey === undefined && settings.apiKeyVariable !== undefined) {
    throw new ProviderError("missing", `no API key: set ${settings.apiKeyVariable}, or "api_key" of the target`);
  }
  const text = stringifyJson(body);
  const { rpm, tpm } = settings;
  return (context.servers?.send ?? sendDirectly)({
    provider: endpoint.provider,
    limits: { rpm, tpm },
    isCacheable: true,
    method: "POST",
    url: settings.url,
    headers: { "content-type": "application/json", ...endpoint.headers(apiKey), ...settings.headers },
    body: text,
    signal: context.signal,
    tokens: Math.ceil(text.length / CHARS_PER_TOKEN) + (settings.maxTokens ?? 0),
    read: (answer) => readResponse(answer, settings.url, endpoint),
    tokensOf(response) {
      const used = tpm === undefined ? undefined : tokensOf([endpoint.api.reply(response, new UnknownCounter(), body)]);
      return used && used.input + used.output;
    },
  });
}

/** Roughly what a token is in English; the server's own count takes its place when it has answered. */
const CHARS_PER_TOKEN = 4;

function readResponse(text: string, url: string, endpoint: ChatEndpoint): Json {
  let document: Json;
  try {
    document = parseJson(text);
  } catch (error) {
    throw new ProviderError(
      "bad-output",
      `${url} answered with something that is not JSON: ${(error as Error).message}`,
    );
  }
  const response = endpoint.complete?.(document) ?? document;
  if (endpoint.api.isResponse(response) && endpoint.replyOf(response) !== undefined) return response;
  throw new ProviderError("bad-output", `${url} answered with something that is no response of this API`);
}

/** Only when every reply was counted: a sum with holes would look cheaper than the run was. */
function tokensOf(replies: readonly ModelResponse[]): TokenUsage | undefined {
  const usages = replies.map(({ usage }) => usage);
  if (usages.includes(undefined)) return undefined;
  const sum = (...keys: readonly string[]) =>
    usages
      .flatMap((usage) => keys.map((key) => numberMember(usage, key) ?? 0))
      .reduce((total, count) => total + count, 0);
  const cached = sum("cached_input_tokens");
  return {
    input: sum("input_tokens", "cached_write_5m_tokens", "cached_write_1h_tokens"),
    output: sum("output_tokens", "thinking_tokens"),
    ...(cached === 0 ? {} : { cached }),
  };
}
