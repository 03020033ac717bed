/**
 * Items of OpenAI's Responses API, which Codex writes to its rollouts too: what the model said and called, what came back.
 * Tools that run at the provider (web search, code interpreter) are calls like others; their result stands in the item.
 */
import { isObject, type Json, type JsonObject, member, stringMember } from "../trace/json.ts";
import { parseParts, plainText, toolUse } from "./chat-parts.ts";
import type { UnknownCounter } from "./count-unknown.ts";

/** An item the model made, an output given back to it, a message said to it, or nothing that matters. */
export type ResponseItem =
  | { readonly kind: "model"; readonly parts: readonly JsonObject[]; readonly result?: ItemResult }
  | ({ readonly kind: "output" } & ItemResult)
  | { readonly kind: "said"; readonly role: string; readonly content: Json | undefined }
  | { readonly kind: "none" };

export interface ItemResult {
  readonly callId: string | undefined;
  readonly output: Json | undefined;
  readonly isError: boolean;
}

/** Members of a provider-side call that are not its arguments. */
const NOT_ARGUMENTS = new Set([
  "type",
  "id",
  "status",
  "call_id",
  "results",
  "outputs",
  "output",
  "result",
  "error",
  "name",
]);

export function parseResponseItem(item: Json, unknown: UnknownCounter): ResponseItem {
  const type = stringMember(item, "type") ?? (typeof member(item, "role") === "string" ? "message" : undefined);
  if (!isObject(item) || type === undefined) {
    unknown.add("item without a type");
    return { kind: "none" };
  }
  if (type === "message") return parseMessageItem(item, unknown);
  if (type === "reasoning") return { kind: "model", parts: parseReasoning(item) };
  if (type === "function_call" || type === "custom_tool_call") return { kind: "model", parts: [functionCall(item)] };
  if (type.endsWith("_call_output")) {
    const output = member(item, "output");
    return {
      kind: "output",
      callId: stringMember(item, "call_id"),
      output: plainText(output),
      isError: failed(item, output),
    };
  }
  if (type.endsWith("_call")) return parseHostedCall(item, type);
  if (type !== "compaction" && type !== "ghost_snapshot" && type !== "item_reference") unknown.add(`item: ${type}`);
  return { kind: "none" };
}

function parseMessageItem(item: JsonObject, unknown: UnknownCounter): ResponseItem {
  const role = stringMember(item, "role") ?? "assistant";
  const content = member(item, "content");
  if (role === "assistant") return { kind: "model", parts: parseParts(content, unknown).map(refusalAsText) };
  return { kind: "said", role, content: plainText(content) };
}

/** The API's own mark of a refusal; its text is what the model said. */
function refusalAsText(part: JsonObject): JsonObject {
  const refusal = member(part, "type") === "refusal" ? stringMember(part, "refusal") : undefined;
  return refusal === undefined ? part : { type: "text", text: refusal };
}

/** Reasoning is encrypted as a rule: then there is a summary, or nothing to show. */
function parseReasoning(item: JsonObject): JsonObject[] {
  const texts = [member(item, "summary"), member(item, "content")]
    .flatMap((list) => (Array.isArray(list) ? [...list] : []))
    .flatMap((entry) => stringMember(entry, "text") ?? []);
  return texts.length === 0 ? [] : [{ type: "thinking", text: texts.join("\n") }];
}

function functionCall(item: JsonObject): JsonObject {
  const namespace = stringMember(item, "namespace");
  const name = stringMember(item, "name") ?? "";
  const id = stringMember(item, "call_id") ?? stringMember(item, "id");
  return toolUse(
    id,
    namespace === undefined ? name : `${namespace}.${name}`,
    member(item, "arguments") ?? member(item, "input"),
  );
}

/** `local_shell_call {action}`, `web_search_call {action}`, `mcp_call {name, arguments, output, error}` and their like. */
function parseHostedCall(item: JsonObject, type: string): ResponseItem {
  const id = stringMember(item, "call_id") ?? stringMember(item, "id");
  const name = stringMember(item, "name") ?? type.slice(0, -"_call".length);
  const action = member(item, "action") ?? member(item, "arguments");
  const rest = Object.entries(item).filter(([key]) => !NOT_ARGUMENTS.has(key));
  const part = toolUse(id, name, action ?? Object.fromEntries(rest));
  const error = member(item, "error");
  const output = member(item, "output") ?? member(item, "outputs") ?? member(item, "results") ?? member(item, "result");
  const isError = (error !== undefined && error !== null) || member(item, "status") === "failed";
  // A shell call without an output runs at the client, which answers with an item of its own.
  const ended = isError || (output !== undefined && output !== null) || type === "web_search_call";
  if (!ended) return { kind: "model", parts: [part] };
  const value = isError ? (error ?? output) : output;
  return { kind: "model", parts: [part], result: { callId: id, output: value === null ? undefined : value, isError } };
}

function failed(item: JsonObject, output: Json | undefined): boolean {
  return (
    member(output, "success") === false || member(item, "success") === false || member(item, "status") === "failed"
  );
}
