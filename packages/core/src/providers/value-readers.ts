/**
 * What a program has in memory, or a file holds as one JSON document: messages, requests, responses and calls in the shapes
 * of model APIs and frameworks. `spoor`'s formats of the same names read files with these very readers, so the same
 * content is the same trace through either door. In the order in which ties are decided.
 */
import type { ImportedTrace } from "../trace/imported-trace.ts";
import { isObject, type Json, stringMember } from "../trace/json.ts";
import { aiSdk } from "./ai-sdk.ts";
import { bedrock } from "./bedrock.ts";
import { chat } from "./chat.ts";
import { gemini } from "./gemini.ts";
import { messages } from "./messages.ts";
import type { MessageReader } from "./provider-api.ts";
import { readMessageList, readProviderDocument } from "./provider-log.ts";
import type { Recognition } from "./recognition.ts";
import { responses } from "./responses.ts";
import { readToolCalls, recogniseToolCalls } from "./tool-calls.ts";

export interface ValueReader {
  /** The name of the format in `spoor`. */
  readonly format: string;
  /** What people call it. */
  readonly title: string;
  recognise(document: Json): Recognition;
  read(document: Json): ImportedTrace[];
}

export const openaiResponsesReader = logReader("openai-responses", "OpenAI responses", responses);
export const anthropicReader = logReader("anthropic", "Anthropic messages", messages);
export const bedrockReader = logReader("bedrock", "Bedrock Converse", bedrock);
export const geminiReader = logReader("gemini", "Gemini contents", gemini);
export const openaiChatReader = logReader("openai-chat", "OpenAI chat messages", chat);

export const aiSdkReader: ValueReader = {
  format: "ai-sdk",
  title: "AI SDK messages and results",
  recognise: (document) => aiSdk.recognise(asList(document)),
  read: (document) => [readMessageList(asList(document), aiSdk)],
};

export const toolCallsReader: ValueReader = {
  format: "tool-calls",
  title: "Tool calls",
  recognise: recogniseToolCalls,
  read: readToolCalls,
};

export const valueReaders: readonly ValueReader[] = [
  openaiResponsesReader,
  anthropicReader,
  bedrockReader,
  aiSdkReader,
  geminiReader,
  openaiChatReader,
  toolCallsReader,
];

function logReader(format: string, title: string, reader: MessageReader): ValueReader {
  return {
    format,
    title,
    recognise: (document) => reader.recognise(firstExchange(asList(document))),
    read: (document) => readProviderDocument(asList(document), reader),
  };
}

/** A message alone is a list of one. A response has a role too in some APIs, but is no message. */
function asList(document: Json): Json {
  const isMessage =
    isObject(document) && stringMember(document, "role") !== undefined && document["type"] !== "message";
  return isMessage ? [document] : document;
}

/** The first exchange of a document; a list of messages or items is one. */
function firstExchange(document: Json): Json {
  if (!Array.isArray(document)) return document;
  const first = document[0];
  return isObject(first) && (Object.hasOwn(first, "role") || Object.hasOwn(first, "type")) ? document : (first ?? null);
}
