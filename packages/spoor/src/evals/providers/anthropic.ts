/** Anthropic's messages API, and every endpoint that speaks it. */
import type { Json } from "@spoor/core";
import { isObject, member, numberMember, stringMember } from "@spoor/core/trace/json";
import { type ChatCall, type ChatDialect, type ChatTurn, openChatModel } from "./chat-model.ts";
import { type ProviderDefinition, ProviderError, type TokenUsage } from "./provider.ts";

export const anthropicProvider: ProviderDefinition = {
  names: ["anthropic"],
  title: "Anthropic messages",
  open: (target) => openChatModel(target, messagesApi),
};

/** The API insists on a limit; this one is high enough for an answer and low enough for every model. */
const DEFAULT_MAX_TOKENS = 4096;

const messagesApi: ChatDialect = {
  defaultUrl: "https://api.anthropic.com",
  apiKeyVariable: "ANTHROPIC_API_KEY",
  url: (base) => (base.endsWith("/messages") ? base : `${base.replace(/\/v1$/, "")}/v1/messages`),
  headers: (apiKey) => ({
    "anthropic-version": "2023-06-01",
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
  }),
  message: (role, text) => ({ role, content: text }),
  results: (results) => [
    {
      role: "user",
      content: results.map(({ call, output }) => ({ type: "tool_result", tool_use_id: call.id, content: output })),
    },
  ],
  body: (history, system, settings) => ({
    model: settings.model,
    max_tokens: settings.maxTokens ?? DEFAULT_MAX_TOKENS,
    messages: history,
    ...(system === "" ? {} : { system }),
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.tools.length === 0
      ? {}
      : {
          tools: settings.tools.map(({ name, description, parameters }) => ({
            name,
            ...(description === undefined ? {} : { description }),
            input_schema: parameters,
          })),
        }),
  }),
  parse: parseMessage,
};

function parseMessage(document: Json): ChatTurn {
  const content = member(document, "content");
  if (!Array.isArray(content)) throw new ProviderError("bad-output", "the answer has no list content");
  const problems: string[] = [];
  const texts: string[] = [];
  const calls: ChatCall[] = [];
  for (const [index, block] of content.entries()) {
    const type = stringMember(block, "type");
    if (type === "text") texts.push(stringMember(block, "text") ?? "");
    if (type !== "tool_use") continue;
    const id = stringMember(block, "id");
    const name = stringMember(block, "name");
    if (id === undefined || name === undefined)
      problems.push(`content[${index}]: is not a tool call: it has no id or name`);
    else calls.push({ id, name, input: member(block, "input") });
  }
  return {
    text: texts.join("\n"),
    calls,
    usage: usageOf(member(document, "usage")),
    model: stringMember(document, "model"),
    message: { role: "assistant", content: content.filter(isObject) },
    problems,
  };
}

function usageOf(usage: Json | undefined): TokenUsage | undefined {
  const input = numberMember(usage, "input_tokens");
  const output = numberMember(usage, "output_tokens");
  if (input === undefined || output === undefined) return undefined;
  const cached = numberMember(usage, "cache_read_input_tokens");
  return {
    input: input + (numberMember(usage, "cache_creation_input_tokens") ?? 0),
    output,
    ...(cached ? { cached } : {}),
  };
}
