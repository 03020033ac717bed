/**
 * OpenAI chat completions: lists of messages, fine-tuning files, requests with their responses, batch files; also the many
 * services that speak the same dialect. Arguments are JSON text; a tool's failure is not marked, so none is reported.
 */
import { chat } from "@spoor/core/internal/providers/chat";
import { openaiChatReader } from "@spoor/core/internal/providers/value-readers";
import { logFormat } from "./provider-readers.ts";

export const openaiChat = logFormat(
  openaiChatReader,
  chat,
  "chat completion logs: messages, request and response pairs, fine-tuning and batch files",
  ["results", "times", "tokens", "requests"],
  ["choices"],
);
