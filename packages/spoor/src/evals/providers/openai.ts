/** OpenAI's chat completions, and every endpoint that speaks them. */
import { chat } from "@spoor/core/internal/providers/chat";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { type ChatEndpoint, openChatModel } from "./chat-model.ts";
import { chatFields, seedField } from "./chat-options.ts";
import { defineProvider } from "./provider.ts";

export const OPENAI_URL = "https://api.openai.com/v1";

export const openaiProvider = defineProvider({
  names: ["openai"],
  summary: "OpenAI chat completions",
  fields: { ...chatFields({ url: OPENAI_URL, apiKeyVariable: "OPENAI_API_KEY" }), ...seedField },
  open: (options, folder) =>
    openChatModel(options, folder, { ...chatCompletions, provider: "openai", apiKeyVariable: "OPENAI_API_KEY" }),
});

export const openaiCompatibleProvider = defineProvider({
  names: ["openai-compatible", "openai_compatible", "ollama", "vllm"],
  summary: "any endpoint with OpenAI's chat completions",
  fields: { ...chatFields({}), ...seedField },
  open: (options, folder) => openChatModel(options, folder, chatCompletions),
});

const chatCompletions: ChatEndpoint = {
  provider: "openai-compatible",
  api: chat,
  format: "openai-chat",
  apiKeyVariable: undefined,
  url: (base) => (base.endsWith("/chat/completions") ? base : `${base}/chat/completions`),
  headers: (apiKey) => (apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  limit: (maxTokens) => (maxTokens === undefined ? {} : { max_completion_tokens: maxTokens }),
  effort: (effort) => ({ reasoning_effort: effort }),
  replyOf(response) {
    const choices = member(response, "choices");
    const message = Array.isArray(choices) ? member(choices[0], "message") : undefined;
    return isObject(message) ? message : undefined;
  },
};
