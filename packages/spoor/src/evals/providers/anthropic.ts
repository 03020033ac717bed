/** Anthropic's messages API, and every endpoint that speaks it. */
import { messages } from "@spoor/core/internal/providers/messages";
import { isObject, member } from "@spoor/core/internal/trace/json";
import { type ChatEndpoint, openChatModel } from "./chat-model.ts";
import { chatFields } from "./chat-options.ts";
import { defineProvider } from "./provider.ts";

export const ANTHROPIC_URL = "https://api.anthropic.com";

export const anthropicProvider = defineProvider({
  names: ["anthropic"],
  summary: "Anthropic messages",
  fields: chatFields({ url: ANTHROPIC_URL, apiKeyVariable: "ANTHROPIC_API_KEY" }),
  open: (options, folder) => openChatModel(options, folder, messagesApi),
});

/** The API insists on a limit; this one is high enough for an answer and low enough for every model. */
const DEFAULT_MAX_TOKENS = 4096;

const messagesApi: ChatEndpoint = {
  provider: "anthropic",
  api: messages,
  format: "anthropic",
  apiKeyVariable: "ANTHROPIC_API_KEY",
  url: (base) => (base.endsWith("/messages") ? base : `${base.replace(/\/v1$/, "")}/v1/messages`),
  headers: (apiKey) => ({
    "anthropic-version": "2023-06-01",
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
  }),
  limit: (maxTokens) => ({ max_tokens: maxTokens ?? DEFAULT_MAX_TOKENS }),
  effort: (effort) => ({ output_config: { effort } }),
  complete: (document) => (isObject(document) ? { type: "message", ...document } : document),
  // Thinking carries a signature that only the model's own words keep.
  replyOf(response) {
    const content = member(response, "content");
    return Array.isArray(content) ? { role: "assistant", content } : undefined;
  },
};
