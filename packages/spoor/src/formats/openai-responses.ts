/**
 * OpenAI Responses API: responses, pairs of request and response (chained by `previous_response_id` or by repeated
 * history), and bare lists of items. The items of one response, calls and messages alike, are one turn.
 */
import { recogniseResponses, responsesDialect } from "@spoor/core/providers/responses";
import type { Format } from "./format.ts";
import { firstValue, providerLogReaders } from "./provider-readers.ts";

export const openaiResponses: Format = {
  name: "openai-responses",
  title: "OpenAI responses",
  origin: "Responses API logs: responses, request and response pairs, lists of items",
  recognise: (sample) => recogniseResponses(firstValue(sample) ?? null),
  ...providerLogReaders(responsesDialect),
};
