/** What the formats of provider logs share: core reads them by the API they speak. */
import type { Json } from "@spoor/core";
import type { Wire } from "@spoor/core/providers/provider-api";
import { readExchanges, readProviderDocument } from "@spoor/core/providers/provider-log";
import { isObject } from "@spoor/core/trace/json";
import { collectLines, type Format, type Sample } from "./format.ts";

type Readers = Required<Pick<Format, "recognise" | "readDocument" | "openLines">>;

export function providerLogReaders(wire: Wire): Readers {
  return {
    recognise: (sample) => wire.recognise(firstValue(sample) ?? null),
    readDocument: (document) => readProviderDocument(document, wire),
    openLines: () => collectLines((values) => readExchanges(values, wire)),
  };
}

/** The first exchange of some content; a document that is a list of messages is one. */
function firstValue(sample: Sample): Json | undefined {
  const { document } = sample;
  if (!Array.isArray(document)) return document ?? sample.lines?.[0];
  const first = document[0];
  return isObject(first) && (Object.hasOwn(first, "role") || Object.hasOwn(first, "type")) ? document : first;
}
