/**
 * Anthropic messages: requests, responses, pairs of both, and bare lists of messages with `tool_use` and `tool_result`
 * blocks. Results travel in the next user message and say themselves whether they failed.
 */
import { messages } from "@spoor/core/providers/messages";
import type { Format } from "./format.ts";
import { providerLogReaders } from "./provider-readers.ts";

export const anthropic: Format = {
  name: "anthropic",
  title: "Anthropic messages",
  origin: "Messages API logs: messages, request and response pairs",
  ...providerLogReaders(messages),
};
