/** OpenAI's chat completions, and every endpoint that speaks them. */

import type { Json } from "@spoor/core";
import { parseArguments } from "@spoor/core/trace/call-shape";
import { isObject, member, numberMember, stringMember } from "@spoor/core/trace/json";
import { contentText } from "../../formats/output-messages.ts";
import { type ChatCall, type ChatDialect, type ChatTurn, openChatModel } from "./chat-model.ts";
import { type ProviderDefinition, ProviderError, type TokenUsage } from "./provider.ts";

export const openaiProvider: ProviderDefinition = {
  names: ["openai"],
  title: "OpenAI chat completions",
  open: (target) =>
    openChatModel(target, {
      ...chatCompletions,
      defaultUrl: "https://api.openai.com/v1",
      apiKeyVariable: "OPENAI_API_KEY",
    }),
};

export const openaiCompatibleProvider: ProviderDefinition = {
  names: ["openai-compatible", "openai_compatible", "ollama", "vllm"],
  title: "any endpoint with OpenAI's chat completions",
  open: (target) => openChatModel(target, chatCompletions),
};

const chatCompletions: ChatDialect = {
  defaultUrl: undefined,
  apiKeyVariable: undefined,
  url: (base) => (base.endsWith("/chat/completions") ? base : `${base}/chat/completions`),
  headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  message: (role, text) => ({ role, content: text }),
  results: (results) => results.map(({ call, output }) => ({ role: "tool", tool_call_id: call.id, content: output })),
  body: (history, system, settings) => ({
    model: settings.model,
    messages: [...(system === "" ? [] : [{ role: "system", content: system }]), ...history],
    ...(settings.temperature === undefined ? {} : { temperature: settings.temperature }),
    ...(settings.maxTokens === undefined ? {} : { max_completion_tokens: settings.maxTokens }),
    ...(settings.tools.length === 0
      ? {}
      : {
          tools: settings.tools.map(({ name, description, parameters }) => ({
            type: "function",
            function: { name, ...(description === undefined ? {} : { description }), parameters },
          })),
        }),
  }),
  parse: parseCompletion,
};

function parseCompletion(document: Json): ChatTurn {
  const choices = member(document, "choices");
  const message = Array.isArray(choices) ? member(choices[0], "message") : undefined;
  if (!isObject(message)) throw new ProviderError("bad-output", "the answer has no choices[0].message");
  const problems: string[] = [];
  const raw = member(message, "tool_calls");
  const calls = Array.isArray(raw) ? raw.flatMap((call, index) => parseCall(call, index, problems)) : [];
  return {
    text: contentText(member(message, "content")),
    calls,
    usage: usageOf(member(document, "usage")),
    model: stringMember(document, "model"),
    message,
    problems,
  };
}

function parseCall(call: Json, index: number, problems: string[]): ChatCall[] {
  const fn = member(call, "function");
  const name = stringMember(fn, "name");
  if (name === undefined) {
    problems.push(`tool_calls[${index}]: is not a tool call: it names no function`);
    return [];
  }
  const input = member(fn, "arguments");
  return [
    {
      id: stringMember(call, "id") ?? `call_${index}`,
      name,
      input: parseArguments(input),
    },
  ];
}

/** OpenAI counts cached tokens inside the prompt; here every token is counted once. */
function usageOf(usage: Json | undefined): TokenUsage | undefined {
  const prompt = numberMember(usage, "prompt_tokens");
  const output = numberMember(usage, "completion_tokens");
  if (prompt === undefined || output === undefined) return undefined;
  const cached = numberMember(member(usage, "prompt_tokens_details"), "cached_tokens") ?? 0;
  return { input: Math.max(0, prompt - cached), output, ...(cached > 0 ? { cached } : {}) };
}
