/**
 * A model asked directly. Tools of the target are offered to it; those with a canned `result` are answered, and the
 * conversation goes on until the model stops calling, a tool has no result, or `max_turns` is reached.
 */
import { readFile, stat } from "node:fs/promises";
import type { Json } from "@spoor/core";
import { clockOfMs } from "@spoor/core/providers/clock";
import type { ModelResponse } from "@spoor/core/providers/conversation";
import { UnknownCounter } from "@spoor/core/providers/count-unknown";
import type { ProviderApi } from "@spoor/core/providers/provider-api";
import { isObject, member, numberMember, stringifyJson, stringMember } from "@spoor/core/trace/json";
import { parseJson } from "@spoor/core/trace/parse-json";
import { contentText } from "../../formats/content-text.ts";
import type { TargetReader } from "../target-reader.ts";
import { httpCall } from "./http-call.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  type Provider,
  ProviderError,
  type ReceivedLine,
} from "./provider.ts";

export interface ChatSettings {
  readonly url: string;
  readonly apiKey: string | undefined;
  readonly apiKeyVariable: string | undefined;
  readonly model: string;
  readonly systemPrompt: string | undefined;
  readonly temperature: number | undefined;
  readonly maxTokens: number | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly tools: readonly ChatTool[];
  readonly maxTurns: number;
  readonly pricing: Pricing | undefined;
}

export interface ChatTool {
  readonly name: string;
  readonly description: string | undefined;
  readonly parameters: Json;
  /** Absent: the model may call it, but nobody answers. */
  readonly result: Json | undefined;
}

/** US dollars per million tokens. */
interface Pricing {
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

/** What differs between the two great chat protocols. */
export interface ChatDialect {
  /** The format of formats/ that reads its requests and responses. */
  readonly format: string;
  /** How its wire is read. */
  readonly wire: ProviderApi;
  readonly defaultUrl: string | undefined;
  readonly apiKeyVariable: string | undefined;
  /** Adds what lesser endpoints leave out of a response. */
  complete?(document: Json): Json;
  url(base: string): string;
  headers(apiKey: string | undefined): Record<string, string>;
  /** `history` holds messages of this dialect, made by `message`, `results` and `replyOf`. */
  body(history: readonly Json[], system: string, settings: ChatSettings): Json;
  message(role: string, text: string): Json;
  results(results: readonly { callId: string; output: string }[]): Json[];
  /** The model's own message in a response, as the next request must repeat it; undefined in anything else. */
  replyOf(response: Json): Json | undefined;
}

export function openChatModel(target: TargetReader, dialect: ChatDialect): Provider {
  const settings = readSettings(target, dialect);
  return { ask: (request, context) => converse(settings, dialect, request, context) };
}

function readSettings(target: TargetReader, dialect: ChatDialect): ChatSettings {
  const base = target.text("base_url", "endpoint", "url") ?? dialect.defaultUrl;
  if (base === undefined) target.problem([], `target "${target.name}" needs "base_url".`);
  return {
    url: dialect.url((base ?? "").replace(/\/+$/, "")),
    apiKey: target.text("api_key"),
    apiKeyVariable: dialect.apiKeyVariable,
    model: target.required("model", "deployment"),
    systemPrompt: target.text("system_prompt", "system"),
    temperature: target.number("temperature", { min: 0 }),
    maxTokens: target.number("max_tokens", { min: 1, integer: true }, "max_output_tokens"),
    headers: target.textMap("headers") ?? {},
    tools: readTools(target),
    maxTurns: target.number("max_turns", { min: 1, integer: true }) ?? 20,
    pricing: readPricing(target),
  };
}

function readTools(target: TargetReader): ChatTool[] {
  const raw = target.json("tools");
  if (raw === undefined) return [];
  if (!Array.isArray(raw)) {
    target.problem(["tools"], '"tools" must be a list.');
    return [];
  }
  return raw.flatMap((tool: Json, index): ChatTool[] => {
    const definition = isObject(member(tool, "function")) ? member(tool, "function") : tool;
    const name = stringMember(definition, "name");
    if (name === undefined) {
      target.problem(["tools", index], "a tool needs a name.");
      return [];
    }
    const parameters = member(definition, "parameters") ??
      member(definition, "input_schema") ?? { type: "object", properties: {} };
    return [{ name, description: stringMember(definition, "description"), parameters, result: member(tool, "result") }];
  });
}

function readPricing(target: TargetReader): Pricing | undefined {
  const raw = target.json("pricing");
  if (raw === undefined) return undefined;
  const input = numberMember(raw, "input");
  const output = numberMember(raw, "output");
  if (input === undefined || output === undefined) {
    target.problem(["pricing"], '"pricing" needs input and output: US dollars per million tokens.');
    return undefined;
  }
  return { input, output, cached: numberMember(raw, "cached") ?? input };
}

async function converse(
  settings: ChatSettings,
  dialect: ChatDialect,
  request: AgentRequest,
  context: AgentContext,
): Promise<AgentAnswer> {
  const { history, system } = await openingOf(settings, dialect, request);
  const lines: ReceivedLine[] = [];
  const replies: ModelResponse[] = [];
  let isOver = false;
  for (let turn = 1; turn <= settings.maxTurns && !isOver; turn++) {
    context.activity(`turn ${turn}, waiting for the model`);
    const startedAt = context.now();
    // The history goes on growing; what was sent is what it was now.
    const body = dialect.body([...history], system, settings);
    const response = await askOnce(settings, dialect, body, context);
    const at = context.now();
    const timestamp = clockOfMs(at)?.iso ?? null;
    lines.push({ value: { request: body, response, latency_ms: Math.round(at - startedAt), timestamp } });
    const reply = dialect.wire.reply(response, new UnknownCounter());
    replies.push(reply);
    const results = cannedResults(reply, settings.tools);
    isOver = results === undefined;
    if (results !== undefined) history.push(dialect.replyOf(response)!, ...dialect.results(results));
  }
  const costUsd = costOf(replies, settings.pricing);
  return {
    output: { format: dialect.format, lines },
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(isOver ? {} : { problems: [`the model was still calling tools after ${settings.maxTurns} turns (max_turns)`] }),
  };
}

/** The results of all calls of a reply; undefined when it calls nothing, or a tool that nobody answers for. */
function cannedResults(
  { parts }: ModelResponse,
  tools: readonly ChatTool[],
): { callId: string; output: string }[] | undefined {
  const calls = parts.filter((part) => part["type"] === "tool_use" && stringMember(part, "name") !== undefined);
  const results = calls.map((call) => tools.find((tool) => tool.name === call["name"])?.result);
  if (calls.length === 0 || results.includes(undefined)) return undefined;
  return calls.map((call, index) => ({ callId: stringMember(call, "id") ?? "", output: contentText(results[index]) }));
}

async function openingOf(
  settings: ChatSettings,
  dialect: ChatDialect,
  request: AgentRequest,
): Promise<{ history: Json[]; system: string }> {
  const systems = settings.systemPrompt === undefined ? [] : [settings.systemPrompt];
  const history: Json[] = [];
  for (const message of request.messages) {
    const text = [message.text, ...(await Promise.all(message.files.map(attachment)))]
      .filter((part) => part !== "")
      .join("\n\n");
    if (message.role === "system" || message.role === "developer") systems.push(text);
    else history.push(dialect.message(message.role === "assistant" ? "assistant" : "user", text));
  }
  return { history, system: systems.join("\n\n") };
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

async function askOnce(settings: ChatSettings, dialect: ChatDialect, body: Json, context: AgentContext): Promise<Json> {
  const apiKey =
    settings.apiKey ?? (settings.apiKeyVariable === undefined ? undefined : context.env[settings.apiKeyVariable]);
  if (apiKey === undefined && settings.apiKeyVariable !== undefined) {
    throw new ProviderError("missing", `no API key: set ${settings.apiKeyVariable}, or "api_key" of the target`);
  }
  const text = await httpCall({
    method: "POST",
    url: settings.url,
    headers: { "content-type": "application/json", ...dialect.headers(apiKey), ...settings.headers },
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
  const response = dialect.complete?.(document) ?? document;
  if (dialect.wire.isResponse(response) && dialect.replyOf(response) !== undefined) return response;
  throw new ProviderError("bad-output", `${settings.url} answered with something that is no response of this API`);
}

/** Only when every reply was counted: a sum with holes would look cheaper than the run was. */
function costOf(replies: readonly ModelResponse[], pricing: Pricing | undefined): number | undefined {
  const usages = replies.map(({ usage }) => usage);
  if (pricing === undefined || usages.includes(undefined)) return undefined;
  const sum = (...keys: readonly string[]) =>
    usages
      .flatMap((usage) => keys.map((key) => numberMember(usage, key) ?? 0))
      .reduce((total, count) => total + count, 0);
  const input = sum("input_tokens", "cached_write_5m_tokens", "cached_write_1h_tokens");
  const output = sum("output_tokens", "thinking_tokens");
  return (input * pricing.input + output * pricing.output + sum("cached_input_tokens") * pricing.cached) / 1e6;
}
