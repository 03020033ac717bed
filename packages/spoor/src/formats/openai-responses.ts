/**
 * OpenAI Responses API: responses, pairs of request and response (chained by `previous_response_id` or by repeated
 * history), and bare lists of items. The items of one response, calls and messages alike, are one turn.
 */
import { responses } from "@spoor/core/internal/providers/responses";
import { openaiResponsesReader } from "@spoor/core/internal/providers/value-readers";
import { logFormat } from "./provider-readers.ts";

export const openaiResponses = logFormat(
  openaiResponsesReader,
  responses,
  "Responses API logs: responses, request and response pairs, lists of items",
  ["results", "errors", "times", "tokens", "requests"],
  ["output", "input"],
);
