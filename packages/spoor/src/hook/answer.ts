/** What a hook prints, in the words of the agent that asks. */
import type { Json } from "@spoor/core";
import { writeJson } from "../write/json.ts";
import type { Dialect } from "./hook-event.ts";

export type HookDecision = "allow" | "deny" | "ask";

export interface HookAnswer {
  /** Absent: the agent's own permissions decide. */
  readonly decision?: HookDecision;
  readonly reason?: string;
  /** For the person at the screen. */
  readonly notice?: string;
}

/** Nothing at all where there is nothing to say. */
export function renderAnswer({ decision, reason = "", notice }: HookAnswer, dialect: Dialect): string {
  const said = { permissionDecision: decision ?? "", permissionDecisionReason: reason };
  const answer: Record<string, Json> = {
    ...(decision === undefined ? {} : { hookSpecificOutput: { hookEventName: "PreToolUse", ...said } }),
    // Copilot reads the members themselves; the others are strict about what they do not know.
    ...(decision !== undefined && dialect === "copilot" ? said : {}),
    ...(notice === undefined || dialect === "copilot" ? {} : { systemMessage: notice }),
  };
  return Object.keys(answer).length === 0 ? "" : writeJson(answer);
}
