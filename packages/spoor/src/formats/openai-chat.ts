/**
 * OpenAI chat completions: lists of messages, fine-tuning files, requests with their responses, batch files; also the many
 * services that speak the same dialect. Arguments are JSON text; a tool's failure is not marked, so none is reported.
 */
import { chat } from "@spoor/core/providers/chat";
import type { Format } from "./format.ts";
import { providerLogReaders } from "./provider-readers.ts";

export const openaiChat: Format = {
  name: "openai-chat",
  title: "OpenAI chat messages",
  origin: "chat completion logs: messages, request and response pairs, fine-tuning and batch files",
  ...providerLogReaders(chat),
};
