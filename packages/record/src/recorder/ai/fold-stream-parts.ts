/** The parts of a `doStream` → the content that `doGenerate` would have returned. */
import { memberOf, textMember } from "../../intercept/tool-use.ts";

export interface StreamParts {
  add(part: unknown): void;
  result(): object;
  /** What an error part said. */
  error(): unknown;
}

export function foldStreamParts(): StreamParts {
  const content: { type: string; text?: string }[] = [];
  const open = new Map<unknown, { type: string; text: string }>();
  const rest: Record<string, unknown> = {};
  let error: unknown;

  /** Pieces belong together by their id; up to v1 there was one text. */
  function addText(type: string, part: unknown): void {
    const key = `${type} ${textMember(part, "id") ?? ""}`;
    let entry = open.get(key);
    if (entry === undefined) {
      entry = { type, text: "" };
      open.set(key, entry);
      content.push(entry);
    }
    entry.text += textMember(part, "delta") ?? textMember(part, "textDelta") ?? "";
  }

  return {
    add(part) {
      switch (memberOf(part, "type")) {
        case "text-delta":
          return addText("text", part);
        case "reasoning-delta":
          return addText("reasoning", part);
        case "tool-call":
          content.push(part as { type: string });
          return;
        case "response-metadata":
          rest["response"] = part;
          return;
        case "finish":
          rest["finishReason"] = memberOf(part, "finishReason");
          rest["usage"] = memberOf(part, "usage");
          return;
        case "error":
          error = memberOf(part, "error");
          return;
        default:
      }
    },
    result: () => ({ content, ...rest }),
    error: () => error,
  };
}
