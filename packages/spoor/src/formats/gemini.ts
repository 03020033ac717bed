/** Gemini's `generateContent`: contents, responses with candidates, pairs of both. Calls without an id are numbered. */
import { gemini as api } from "@spoor/core/internal/providers/gemini";
import { geminiReader } from "@spoor/core/internal/providers/value-readers";
import { logFormat } from "./provider-readers.ts";

export const gemini = logFormat(
  geminiReader,
  api,
  "generateContent logs: contents, request and response pairs",
  ["results", "errors", "times", "tokens", "requests"],
  ["candidates", "contents"],
);
