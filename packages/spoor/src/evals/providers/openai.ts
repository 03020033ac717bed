/** OpenAI's chat completions, and every endpoint that speaks them. */
import { chat } from "@spoor/core/internal/providers/chat";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { type ChatEndpoint, openChatModel } from "./chat-model.ts";
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

const chatCompletions: ChatEndpoint = {
  api: chat,
  format: "openai-chat",
  defaultUrl: undefined,
  apiKeyVariable: undefined,
  url: (base) => (base.endsWith("/chat/completions") ? base : `${base}/chat/completions`),
  headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  limit: (maxTokens) => (maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
  replyOf(response) {
    const choices = member(response, "choices");
    const message = Array.isArray(choices) ? member(choices[0], "message") : undefined;
    return isObject(message) ? message : undefined;
  },
};
