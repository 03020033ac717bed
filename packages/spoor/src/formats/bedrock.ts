/** Bedrock's Converse: messages of blocks, responses, pairs of both. */
import { bedrock as api } from "@spoor/core/internal/providers/bedrock";
import { bedrockReader } from "@spoor/core/internal/providers/value-readers";
import { logFormat } from "./provider-readers.ts";

export const bedrock = logFormat(
  bedrockReader,
  api,
  "Converse logs: messages, request and response pairs",
  ["results", "errors", "times", "tokens", "requests"],
  ["output"],
);
