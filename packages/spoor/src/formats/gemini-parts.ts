/** What Gemini CLI and its forks write of parts and tool results. */
import type { Json } from "@spoor/core";
import { isObject, member, stringMember } from "@spoor/core/internal/trace/json";

export interface GeminiResult {
  readonly callId?: string | undefined;
  readonly output?: Json | undefined;
  readonly failed: boolean;
}

/** The results among some parts: `{functionResponse: {id, name, response: {output} | {error}}}`. */
export function geminiResults(parts: Json | undefined): GeminiResult[] {
  const list = Array.isArray(parts) ? parts : isObject(parts) ? [parts] : [];
  return list.flatMap((part: Json) => {
    const response = member(part, "functionResponse");
    if (!isObject(response)) return [];
    const value = member(response, "response");
    const error = member(value, "error");
    const output = isObject(value) ? (error ?? member(value, "output") ?? value) : value;
    return [{ callId: stringMember(response, "id"), output, failed: error !== undefined && error !== null }];
  });
}

/** A call that was refused or broken off did not do what was asked. */
export function isFailedStatus(status: Json | undefined): boolean {
  return status === "error" || status === "cancelled";
}
