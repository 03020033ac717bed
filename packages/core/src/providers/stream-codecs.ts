/** The stream of every API whose stream is text. */
import { chatStream } from "./chat-stream.ts";
import { geminiStream } from "./gemini-stream.ts";
import { messagesStream } from "./messages-stream.ts";
import type { ProviderApi, StreamCodec } from "./provider-api.ts";
import { responsesStream } from "./responses-stream.ts";

const codecs: ReadonlyMap<string, StreamCodec> = new Map([
  ["chat", chatStream],
  ["gemini", geminiStream],
  ["messages", messagesStream],
  ["responses", responsesStream],
]);

/** Undefined for an API whose stream is not text. */
export function streamOf(api: Pick<ProviderApi, "name">): StreamCodec | undefined {
  return codecs.get(api.name);
}
