/** Bedrock's Converse: messages of blocks, responses, pairs of both. */
import { bedrock as api } from "@spoor/core/providers/bedrock";
import type { Format } from "./format.ts";
import { providerLogReaders } from "./provider-readers.ts";

export const bedrock: Format = {
  name: "bedrock",
  title: "Bedrock Converse",
  origin: "Converse logs: messages, request and response pairs",
  ...providerLogReaders(api),
};
