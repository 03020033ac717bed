/**
 * Anthropic messages: requests, responses, pairs of both, and bare lists of messages with `tool_use` and `tool_result`
 * blocks. Results travel in the next user message and say themselves whether they failed.
 */
import { messages } from "@spoor/core/internal/providers/messages";
import { anthropicReader } from "@spoor/core/internal/providers/value-readers";
import { logFormat } from "./provider-readers.ts";

export const anthropic = logFormat(
  anthropicReader,
  messages,
  "Messages API logs: messages, request and response pairs, results of message batches",
  ["results", "errors", "times", "tokens", "requests"],
  ["custom_id"],
);
