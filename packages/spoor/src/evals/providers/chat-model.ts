/**
 * A model asked directly. Tools of the target are offered to it; those with a canned `result` are answered, and the
 * conversation goes on until the model stops calling, a tool has no result, or `max_turns` is reached.
 */
import { readFile, stat } from "node:fs/promises";
import type { Json, JsonObject } from "@spoor/core";
import { present } from "@spoor/core/present";
import { isObject, member, numberMember, stringMember } from "@spoor/core/trace/json";
import { parseJson } from "@spoor/core/trace/parse-json";
import { contentText, type OutputMessage, type OutputToolCall } from "../../formats/output-messages.ts";
import type { TargetReader } from "../target-reader.ts";
import { httpCall } from "./http-call.ts";
import {
  type AgentAnswer,
  type AgentContext,
  type AgentRequest,
  type Provider,
  ProviderError,
  type TokenUsage,
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

export interface ChatCall {
  readonly id: string;
  readonly name: string;
  readonly input: Json | undefined;
}

/** One answer of the model, read by the dialect. */
export interface ChatTurn {
  readonly text: string;
  readonly calls: readonly ChatCall[];
  readonly usage: TokenUsage | undefined;
  readonly model: string | undefined;
  /** The message as the next request must repeat it. */
  readonly message: Json;
  readonly problems: readonly string[];
}

/** What differs between the two great chat protocols. */
export interface ChatDialect {
  readonly defaultUrl: string | undefined;
  readonly apiKeyVariable: string | undefined;
  url(base: string): string;
  headers(apiKey: string | undefined): Record<string, string>;
  /** `history` holds messages of this dialect, made by `message`, `results` and earlier answers. */
  body(history: readonly Json[], system: string, settings: ChatSettings): Json;
  message(role: string, text: string): Json;
  results(results: readonly { call: ChatCall; output: string }[]): Json[];
  parse(document: Json): ChatTurn;
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
  const messages: OutputMessage[] = [];
  const problems: string[] = [];
  let usage: TokenUsage | undefined;
  for (let turn = 1; turn <= settings.maxTurns; turn++) {
    context.activity(`turn ${turn}, waiting for the model`);
    const startedAt = context.now();
    const answer = await askOnce(settings, dialect, history, system, context);
    problems.push(...answer.problems.map((problem) => `turn ${turn}: ${problem}`));
    usage = addUsage(usage, answer.usage);
    const results = answer.calls.map((call) => ({
      call,
      result: settings.tools.find((tool) => tool.name === call.name)?.result,
    }));
    messages.push(wireMessage(answer, results, Math.round(context.now() - startedAt)));
    if (answer.calls.length === 0 || results.some(({ result }) => result === undefined)) break;
    history.push(
      answer.message,
      ...dialect.results(results.map(({ call, result }) => ({ call, output: contentText(result) }))),
    );
  }
  const costUsd = costOf(usage, settings.pricing);
  return {
    messages,
    ...(usage === undefined ? {} : { usage }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(problems.length === 0 ? {} : { problems }),
  };
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

async function askOnce(
  settings: ChatSettings,
  dialect: ChatDialect,
  history: readonly Json[],
  system: string,
  context: AgentContext,
): Promise<ChatTurn> {
  const apiKey =
    settings.apiKey ?? (settings.apiKeyVariable === undefined ? undefined : context.env[settings.apiKeyVariable]);
  if (apiKey === undefined && settings.apiKeyVariable !== undefined) {
    throw new ProviderError("missing", `no API key: set ${settings.apiKeyVariable}, or "api_key" of the target`);
  }
  const text = await httpCall({
    method: "POST",
    url: settings.url,
    headers: { "content-type": "application/json", ...dialect.headers(apiKey), ...settings.headers },
    body: JSON.stringify(dialect.body(history, system, settings)),
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
  return dialect.parse(document);
}

function wireMessage(
  answer: ChatTurn,
  results: readonly { call: ChatCall; result: Json | undefined }[],
  durationMs: number,
): OutputMessage {
  const calls = results.map(
    ({ call, result }) =>
      present({
        tool: call.name,
        input: call.input,
        output: result,
        id: call.id,
        // A canned result takes no time; a call nobody answered has none.
        duration_ms: result === undefined ? undefined : 0,
        status: result === undefined ? "unknown" : "ok",
      }) as OutputToolCall,
  );
  return present({
    role: "assistant",
    content: answer.text === "" ? undefined : answer.text,
    tool_calls: calls.length === 0 ? undefined : calls,
    duration_ms: durationMs,
    token_usage: answer.usage === undefined ? undefined : ({ ...answer.usage } as JsonObject),
    model: answer.model,
  }) as OutputMessage;
}

function addUsage(left: TokenUsage | undefined, right: TokenUsage | undefined): TokenUsage | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const cached = (left.cached ?? 0) + (right.cached ?? 0);
  return { input: left.input + right.input, output: left.output + right.output, ...(cached > 0 ? { cached } : {}) };
}

function costOf(usage: TokenUsage | undefined, pricing: Pricing | undefined): number | undefined {
  if (usage === undefined || pricing === undefined) return undefined;
  return (usage.input * pricing.input + usage.output * pricing.output + (usage.cached ?? 0) * pricing.cached) / 1e6;
}
