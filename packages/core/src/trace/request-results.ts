/** Results of tools that travel in the next request: everything after its last assistant message. */
import { isObject, type Json, member, stringMember } from "./json.ts";
import { type MessageList, messageList } from "./message-list.ts";

export interface ReportedResult {
  readonly failed: boolean;
  readonly output?: Json;
}

type NamedResult = ReportedResult & { readonly id: string | undefined };

const NONE: readonly NamedResult[] = [];

export function requestResults(payload: Json): readonly NamedResult[] {
  return resultsIn(messageList(payload));
}

export function resultsIn(messages: MessageList | undefined): readonly NamedResult[] {
  let results: NamedResult[] | undefined;
  for (let index = (messages?.length ?? 0) - 1; index >= 0; index--) {
    const message = messages!.at(index);
    if (!isObject(message)) continue;
    const role = message["role"];
    if (role === "assistant") break;
    if (role === "tool") {
      const id = stringMember(message, "tool_call_id") ?? stringMember(message, "id");
      results ??= [];
      results.push({ id, ...resultOfPart(message) });
    } else if (role === "user") {
      const content = message["content"];
      if (!Array.isArray(content)) continue;
      for (const part of content) {
        if (!isObject(part) || part["type"] !== "tool_result") continue;
        results ??= [];
        results.push({ id: stringMember(part, "tool_use_id"), ...resultOfPart(part) });
      }
    }
  }
  return results ?? NONE;
}

/** `tool_result`, and what tools that ran at the provider are answered by: `web_search_tool_result`, `mcp_tool_result` and their like. */
export function isResultPart(type: Json | undefined): boolean {
  return typeof type === "string" && (type === "tool_result" || type.endsWith("_tool_result"));
}

/** The result in a part of a response, or in a message of its own. */
export function resultOfPart(value: Json | undefined): ReportedResult {
  const output = member(value, "content");
  // A tool at the provider that failed returns an error in place of what it found.
  const failed =
    member(value, "is_error") === true || stringMember(output, "type")?.endsWith("_tool_result_error") === true;
  return output === undefined ? { failed } : { failed, output };
}
