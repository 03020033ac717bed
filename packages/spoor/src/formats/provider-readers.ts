/** What the formats of provider logs share: a document is read as a value in memory is, lines by the API they speak. */
import type { Json } from "@spoor/core";
import type { MessageReader } from "@spoor/core/internal/providers/provider-api";
import { readExchanges } from "@spoor/core/internal/providers/provider-log";
import type { ValueReader } from "@spoor/core/internal/providers/value-readers";
import { stringMember } from "@spoor/core/internal/trace/json";
import { collectLines, type Format, type FormatField } from "./format.ts";

/** A format that is also accepted in memory. */
export function valueFormat(
  reader: ValueReader,
  origin: string,
  tells: readonly FormatField[],
  marks: readonly string[],
): Format & Required<Pick<Format, "readDocument">> {
  return {
    name: reader.format,
    title: reader.title,
    origin,
    tells,
    marks,
    recognise: ({ document, lines }) => reader.recognise(document ?? lines?.[0] ?? null),
    readDocument: (document) => reader.read(document),
  };
}

/** Where an API's messages and answers stand in a log, whichever API it is. */
const EXCHANGE_MARKS = ["role", "messages", "request", "response", "body"];

/** The same for logs, which may also be one exchange per line; `marks` are those of this API alone. */
export function logFormat(
  reader: ValueReader,
  wire: MessageReader,
  origin: string,
  tells: readonly FormatField[],
  marks: readonly string[],
): Format {
  return {
    ...valueFormat(reader, origin, tells, [...EXCHANGE_MARKS, ...marks]),
    // A file may also hold one message per line: together they are the conversation.
    openLines: () =>
      collectLines((values) => (values.every(isMessage) ? reader.read(values) : readExchanges(values, wire))),
  };
}

function isMessage(value: Json): boolean {
  return stringMember(value, "role") !== undefined && stringMember(value, "type") !== "message";
}
