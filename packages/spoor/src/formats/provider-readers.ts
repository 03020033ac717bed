/** What the formats of provider logs (openai-chat, openai-responses, anthropic) share: core reads them by their dialect. */
import type { Json } from "@spoor/core";
import { type Dialect, readExchanges, readProviderDocument } from "@spoor/core/providers/provider-log";
import { isObject } from "@spoor/core/trace/json";
import { collectLines, type Format, type Sample } from "./format.ts";

export function providerLogReaders(dialect: Dialect): Required<Pick<Format, "readDocument" | "openLines">> {
  return {
    readDocument: (document) => readProviderDocument(document, dialect),
    openLines: () => collectLines((values) => readExchanges(values, dialect)),
  };
}

/** The first exchange of some content; a document that is a list of messages is one. */
export function firstValue(sample: Sample): Json | undefined {
  const { document } = sample;
  if (!Array.isArray(document)) return document ?? sample.lines?.[0];
  const first = document[0];
  return isObject(first) && (Object.hasOwn(first, "role") || Object.hasOwn(first, "type")) ? document : first;
}
