/** The AI SDK's messages (`ModelMessage`, `UIMessage`) and what `generateText` returns. */
import { aiSdkReader } from "@spoor/core/internal/providers/value-readers";
import { valueFormat } from "./provider-readers.ts";

export const aiSdk = valueFormat(
  aiSdkReader,
  "AI SDK: lists of ModelMessage or UIMessage, generateText results and steps",
  ["results", "errors", "times", "tokens", "requests"],
);
