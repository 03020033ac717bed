/** Gemini's `generateContent`: contents, responses with candidates, pairs of both. Calls without an id are numbered. */
import { gemini as api } from "@spoor/core/providers/gemini";
import type { Format } from "./format.ts";
import { providerLogReaders } from "./provider-readers.ts";

export const gemini: Format = {
  name: "gemini",
  title: "Gemini contents",
  origin: "generateContent logs: contents, request and response pairs",
  ...providerLogReaders(api),
};
