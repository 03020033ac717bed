/**
 * The tools that an answer of a model asks for, as its API says it: those that the program will run, and those that the provider has
 * run itself. A kind of call that is not known counts as the program's own: taken for the provider's, it would run unseen.
 */
import type { ProviderApi } from "@spoor/core/internal/providers/provider-api";
import { isObject, type Json, type JsonObject, member, stringMember } from "@spoor/core/internal/trace/json";

export interface AskedTools {
  /** Names, each once. */
  readonly local: readonly string[];
  readonly provider: readonly string[];
}

type Found = readonly [name: string, by: keyof AskedTools];

export function askedTools(api: Pick<ProviderApi, "name">, body: Json): AskedTools {
  const found = (READERS[api.name] ?? everyCall)(body);
  const names = (by: keyof AskedTools) => [...new Set(found.filter(([, one]) => one === by).map(([name]) => name))];
  return { local: names("local"), provider: names("provider") };
}

const READERS: Readonly<Record<string, (body: Json) => readonly Found[]>> = {
  chat: (body) =>
    list(member(body, "choices")).flatMap((choice) => {
      const message = member(choice, "message");
      const single = member(message, "function_call");
      return [...list(member(message, "tool_calls")), ...(isObject(single) ? [single] : [])].map(chatCall);
    }),
  responses: (body) => list(member(body, "output")).flatMap(responseItem),
  messages: (body) =>
    list(member(body, "content")).flatMap((block): Found[] => {
      const type = stringMember(block, "type") ?? "";
      if (!/tool_use$/.test(type)) return [];
      return [[stringMember(block, "name") ?? type, type === "tool_use" ? "local" : "provider"]];
    }),
  gemini: (body) =>
    list(member(body, "candidates")).flatMap((candidate) =>
      list(member(member(candidate, "content"), "parts")).flatMap((part): Found[] => {
        const call = member(part, "functionCall") ?? member(part, "function_call");
        if (isObject(call)) return [[stringMember(call, "name") ?? "", "local"]];
        return member(part, "executableCode") === undefined ? [] : [["code_execution", "provider"]];
      }),
    ),
};

/** APIs that have no reader here: whatever looks like a call is one. */
function everyCall(body: Json): readonly Found[] {
  return list(member(member(member(body, "output"), "message"), "content")).flatMap((part): Found[] => {
    const call = member(part, "toolUse");
    return isObject(call) ? [[stringMember(call, "name") ?? "", "local"]] : [];
  });
}

function chatCall(call: JsonObject): Found {
  const named = member(call, "function") ?? member(call, "custom") ?? call;
  return [stringMember(named, "name") ?? "", "local"];
}

/** What runs at the provider; a shell, a computer or a patch runs where the program is. */
const HOSTED = new Set([
  ...["web_search_call", "file_search_call", "code_interpreter_call", "image_generation_call"],
  ...["mcp_call", "mcp_list_tools", "tool_search_call"],
]);

function responseItem(item: JsonObject): Found[] {
  const type = stringMember(item, "type") ?? "";
  if (!type.endsWith("_call")) return [];
  const namespace = stringMember(item, "namespace");
  const own = stringMember(item, "name") ?? type.slice(0, -"_call".length);
  return [[namespace === undefined ? own : `${namespace}.${own}`, HOSTED.has(type) ? "provider" : "local"]];
}

function list(value: Json | undefined): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
