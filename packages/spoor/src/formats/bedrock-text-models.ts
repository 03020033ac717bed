/**
 * Models on Bedrock that are given one text and give one back: Llama, Titan, Mistral, Cohere, the first Claude. Their bodies are brought
 * into the shape of chat completions; a stream is the list of its pieces, each a body with a part of the text.
 */
import type { Json, JsonObject } from "@spoor/core";
import type { UnknownCounter } from "@spoor/core/internal/providers/count-unknown";
import { isObject, member, numberMember, stringMember } from "@spoor/core/internal/trace/json";
import { present } from "@spoor/core/internal/trace/present";

export function promptOf(input: Json | undefined): Json | undefined {
  const prompt = stringMember(input, "prompt") ?? stringMember(input, "inputText") ?? stringMember(input, "message");
  if (!isObject(input) || prompt === undefined) return input;
  const { prompt: _prompt, inputText: _text, message: _message, ...params } = input;
  return { ...params, messages: [{ role: "user", content: prompt }] };
}

export function completionOf(bodies: readonly Json[], entry: Json, unknown: UnknownCounter): JsonObject {
  const texts = bodies.map((body) => told(body, TEXT)).filter((text) => text !== undefined);
  if (texts.length === 0) unknown.add("body of an unknown shape");
  const reason = lastOf(bodies, (body) => told(body, REASON));
  const message = { message: { content: texts.join("") }, finish_reason: reason };
  return present({
    choices: texts.length === 0 ? [] : [present(message)],
    usage: present({
      prompt_tokens:
        lastOf(bodies, (body) => counted(body, PROMPT)) ?? numberMember(member(entry, "input"), "inputTokenCount"),
      completion_tokens:
        lastOf(bodies, (body) => counted(body, COMPLETION)) ??
        numberMember(member(entry, "output"), "outputTokenCount"),
    }),
  }) as JsonObject;
}

const TEXT = ["generation", "completion", "outputText", "text"];
const REASON = ["stop_reason", "completionReason", "finish_reason"];
const PROMPT = ["prompt_token_count", "inputTextTokenCount"];
/** Those of a stream count what was written so far. */
const COMPLETION = ["generation_token_count", "totalOutputTextTokenCount", "tokenCount"];

/** A body, or the first of the answers it lists. */
function placesOf(body: Json): readonly Json[] {
  const lists = ["outputs", "results", "generations"].map((key) => member(body, key));
  return [body, ...lists.flatMap((list) => (Array.isArray(list) ? list.slice(0, 1) : []))];
}

function told(body: Json, keys: readonly string[]): string | undefined {
  return placesOf(body)
    .flatMap((place) => keys.map((key) => stringMember(place, key)))
    .find((value) => value !== undefined);
}

function counted(body: Json, keys: readonly string[]): number | undefined {
  return placesOf(body)
    .flatMap((place) => keys.map((key) => numberMember(place, key)))
    .find((value) => value !== undefined);
}

function lastOf<T>(bodies: readonly Json[], read: (body: Json) => T | undefined): T | undefined {
  return bodies.map(read).findLast((value) => value !== undefined);
}
