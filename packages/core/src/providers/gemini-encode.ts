/** `.agentlog` payloads as bodies of Gemini's `generateContent`. */

import { responseParts } from "../trace/content.ts";
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { present } from "../trace/present.ts";
import {
  callOfPart,
  encodeTools,
  modelOf,
  paramsOf,
  splitSystem,
  sumOf,
  textOfPart,
  thinkingOfPart,
  usageTotals,
} from "./encode-parts.ts";

const FINISH_REASONS: Readonly<Record<string, string>> = {
  end_turn: "STOP",
  tool_use: "STOP",
  max_tokens: "MAX_TOKENS",
  content_filter: "SAFETY",
  policy_blocked: "SAFETY",
};

export function encodeGeminiResponse(payload: JsonObject): JsonObject {
  const reason = stringMember(payload, "stop_reason");
  const model = stringMember(payload, "model");
  return present({
    candidates: [
      present({
        index: 0,
        content: { role: "model", parts: encodeParts(payload) },
        finishReason: reason === undefined ? undefined : (FINISH_REASONS[reason] ?? reason),
      }),
    ],
    usageMetadata: encodeUsage(payload),
    modelVersion: model,
  });
}

export function encodeGeminiRequest(payload: JsonObject): JsonObject {
  const { system, messages } = splitSystem(payload);
  const tools = encodeTools(
    payload,
    (tool) => member(tool, "parameters") !== undefined && member(tool, "type") === undefined,
    ({ name, description, parameters }) => present({ name, description, parametersJsonSchema: parameters }),
  );
  return present({
    ...modelOf(payload),
    systemInstruction: system === undefined ? undefined : { parts: encodeText(system) },
    contents: encodeHistory(messages),
    tools: tools === undefined ? undefined : [{ functionDeclarations: tools }],
    ...paramsOf(payload),
  });
}

function encodeHistory(messages: readonly JsonObject[]): JsonObject[] {
  const names = new Map<string, string>();
  const contents: { role: string; parts: JsonObject[] }[] = [];
  let results: JsonObject[] | undefined;
  for (const message of messages) {
    const role = stringMember(message, "role");
    if (role === "tool") {
      if (results === undefined) {
        results = [];
        contents.push({ role: "user", parts: results });
      }
      results.push(encodeResult(message, names));
      continue;
    }
    results = undefined;
    if (role !== "assistant") {
      contents.push({ role: "user", parts: encodeText(member(message, "content")) });
      continue;
    }
    for (const call of responseParts(message).flatMap((part) => callOfPart(part) ?? []))
      if (call.id !== undefined) names.set(call.id, call.name);
    contents.push({ role: "model", parts: encodeParts(message) });
  }
  return contents;
}

function encodeText(content: Json | undefined): JsonObject[] {
  if (typeof content === "string") return [{ text: content }];
  return Array.isArray(content)
    ? content.filter(isObject).map((part) => ({ text: stringMember(part, "text") ?? "" }))
    : [];
}

function encodeResult(message: JsonObject, names: ReadonlyMap<string, string>): JsonObject {
  const id = stringMember(message, "tool_call_id") ?? "";
  const content = member(message, "content") ?? "";
  const failed = member(message, "is_error") === true;
  return {
    functionResponse: present({
      id: givenId(id),
      name: names.get(id) ?? nameOfNumber(id),
      response: failed ? { error: content } : { output: content },
    }),
  };
}

function encodeParts(payload: JsonObject): JsonObject[] {
  return responseParts(payload).flatMap((part): JsonObject[] => {
    const text = textOfPart(part);
    if (text !== undefined) return [{ text }];
    const thinking = thinkingOfPart(part);
    if (thinking !== undefined) return [{ text: thinking, thought: true }];
    const call = callOfPart(part);
    if (call === undefined) return [];
    const { id, name, input } = call;
    return [{ functionCall: present({ id: givenId(id), name, args: input ?? {} }) }];
  });
}

/** A numbered call had no id on the wire. */
function givenId(id: string | undefined): string | undefined {
  return id === undefined || /#\d+$/.test(id) ? undefined : id;
}

function nameOfNumber(id: string): string {
  return id.replace(/#\d+$/, "");
}

function encodeUsage(payload: JsonObject): JsonObject | undefined {
  const usage = usageTotals(payload);
  if (usage === undefined) return undefined;
  const { allInput, output, cached, thinking } = usage;
  return present({
    promptTokenCount: allInput,
    cachedContentTokenCount: cached,
    candidatesTokenCount: output,
    thoughtsTokenCount: thinking,
    totalTokenCount: sumOf(allInput, sumOf(output, thinking)),
  });
}
