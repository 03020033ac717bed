/** Anthropic's messages API, and every endpoint that speaks it. */
import { messages } from "@spoor/core/providers/messages";
import { isObject, member } from "@spoor/core/trace/json";
import { type ChatDialect, openChatModel } from "./chat-model.ts";
import type { ProviderDefinition } from "./provider.ts";

export const anthropicProvider: ProviderDefinition = {
  names: ["anthropic"],
  title: "Anthropic messages",
  open: (target) => openChatModel(target, messagesApi),
};

/** The API insists on a limit; this one is high enough for an answer and low enough for every model. */
const DEFAULT_MAX_TOKENS = 4096;

const messagesApi: ChatDialect = {
  format: "anthropic",
  wire: messages,
  defaultUrl: "https://api.anthropic.com",
  apiKeyVariable: "ANTHROPIC_API_KEY",
  complete: (document) => (isObject(document) ? { type: "message", ...document } : document),
  url: (base) => (base.endsWith("/messages") ? base : `${base.replace(/\/v1$/, "")}/v1/messages`),
  headers: (apiKey) => ({
    "anthropic-version": "2023-06-01",
    ...(apiKey === undefined ? {} : { "x-api-key": apiKey }),
  }),
  message: (role, text) => ({ role, content: text }),
  results: (results) => [
    {
      role: "user",
      content: results.map(({ callId, output }) => ({ type: "tool_result", tool_use_id: callId, content: output })),
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
  replyOf(response) {
    const content = member(response, "content");
    return Array.isArray(content) ? { role: "assistant", content } : undefined;
  },
};
