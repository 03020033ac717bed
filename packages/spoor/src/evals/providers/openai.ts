/** OpenAI's chat completions, and every endpoint that speaks them. */
import { chat } from "@spoor/core/providers/chat";
import { isObject, member } from "@spoor/core/trace/json";
import { type ChatDialect, openChatModel } from "./chat-model.ts";
import type { ProviderDefinition } from "./provider.ts";

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
  format: "openai-chat",
  wire: chat,
  defaultUrl: undefined,
  apiKeyVariable: undefined,
  url: (base) => (base.endsWith("/chat/completions") ? base : `${base}/chat/completions`),
  headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  message: (role, text) => ({ role, content: text }),
  results: (results) => results.map(({ callId, output }) => ({ role: "tool", tool_call_id: callId, content: output })),
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
  replyOf(response) {
    const choices = member(response, "choices");
    const message = Array.isArray(choices) ? member(choices[0], "message") : undefined;
    return isObject(message) ? message : undefined;
  },
};
