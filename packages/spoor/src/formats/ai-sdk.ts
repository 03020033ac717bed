/** The AI SDK's messages (`ModelMessage`, `UIMessage`) and what `generateText` returns. */
import { aiSdkReader } from "@spoor/core/internal/providers/value-readers";
import { isObject } from "@spoor/core/internal/trace/json";
import { collectLines, type Format } from "./format.ts";
import { valueFormat } from "./provider-readers.ts";

const document = valueFormat(
  aiSdkReader,
  "AI SDK: lists of ModelMessage or UIMessage, generateText results and steps",
  ["results", "errors", "times", "tokens", "requests"],
  ["role", "messages", "steps", "finishReason"],
);

export const aiSdk: Format = {
  ...document,
  recognise: (sample) => {
    if (sample.document !== undefined || sample.lines === undefined) return document.recognise(sample);
    // The first line may be one that says nothing about who wrote it.
    const messages = sample.lines.filter((line) => isObject(line) && Object.hasOwn(line, "role"));
    return aiSdkReader.recognise(messages.length === sample.lines.length ? messages : (sample.lines[0] ?? null));
  },
  // Messages, one per line, are one conversation; chats and results are one each.
  openLines: () =>
    collectLines((values) => {
      if (values.every((value) => isObject(value) && Object.hasOwn(value, "role"))) return aiSdkReader.read(values);
      return values.flatMap((value, index) =>
        aiSdkReader.read(value).map((trace) => ({ entry: `line ${index + 1}`, ...trace })),
      );
    }),
};
